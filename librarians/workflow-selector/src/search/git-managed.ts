import type { Workflow } from "../catalog/workflow.js";
import { conceptsOf, inWords, namesShortage } from "./concepts.js";
import type { CheckedQuery } from "./query.js";

/** What remains of the fit of an entry that changes an object in place which Git puts back. */
const overwrittenFactor = 0.75;
/** Fit, beside the best entry, of one that undoes the change in Git. */
const revertShare = 0.8;

/**
 * Whether the object is managed by Git and was broken by a change: what repairs it in place is overwritten. Too little of
 * something is not a change, and is remedied in place.
 */
export function isBrokenInGit({ incident_type = "", observed }: CheckedQuery): boolean {
  const seen = Object.entries(observed?.traits ?? {}).filter(
    ([, value]) => value !== false && value !== "",
  );
  const isManaged = seen.some(([key]) => conceptsOf(inWords(key)).has("gitops"));
  return isManaged && !namesShortage(incident_type);
}

/**
 * Puts entries that undo a change in Git before those that repair in place.
 *
 * @returns The places of those that undo.
 */
export function preferReverts(
  evidence: Map<number, number>,
  workflows: readonly Workflow[],
): ReadonlySet<number> {
  const lifted = new Set<number>();
  const best = Math.max(0, ...evidence.values());
  for (const [place, own] of evidence) {
    const workflow = workflows[place];
    if (workflow === undefined) continue;
    if (!isForGit(workflow)) evidence.set(place, own * overwrittenFactor);
    else if (undoes(workflow)) {
      evidence.set(place, Math.max(own, revertShare * best));
      lifted.add(place);
    }
  }
  return lifted;
}

function isForGit({ conditions }: Workflow): boolean {
  return conceptsOf(Object.keys(conditions).map(inWords).join(" ")).has("gitops");
}

function undoes({ id, name, actionType = "", description }: Workflow): boolean {
  return conceptsOf(`${inWords(`${id} ${name} ${actionType}`)} ${description.what}`).has(
    "rollback",
  );
}
