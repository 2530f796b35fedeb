import { cannotTell, type LookedUp } from "../answer/forms.js";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { listRevisions } from "../diagnosis/revision.js";
import { collectLeaves, printLeaf } from "../fields/leaves.js";

/** Maximum number of fields that two objects differ in, and of characters of a value. */
const maxDifferences = 15;
const maxValue = 80;

/** The last two revisions of the one workload that is named, the older first. */
function ofRevisions(
  heads: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] | undefined {
  const sets = heads.map((one) => listRevisions(one, view)).find(({ length }) => length > 1);
  const isOne = new Set(heads.map(({ metadata }) => metadata.name)).size === 1;
  return isOne ? sets?.slice(0, 2).toReversed() : undefined;
}

/** Fields that differ between any two objects and say nothing. */
const own =
  /^metadata\.(?:name|uid|resourceVersion|creationTimestamp|generation|selfLink|generateName)\b|(?:Time|Timestamp|UID|ID|uid|hash)$|heartbeat|\.(?:addresses|images|podCIDRs?|providerID)\b|hostname/i;

/** Every field in which two objects differ, or the last two revisions of one. */
export function printDifferences(heads: readonly KubernetesObject[], view: ClusterView): LookedUp {
  const revisions = ofRevisions(heads, view);
  const [one, other] = revisions ?? heads;
  if (one === undefined || other === undefined)
    return cannotTell("What differs", "two things are needed for a comparison");
  const [left, right] = [one, other].map(
    (object) =>
      new Map(
        collectLeaves(object).flatMap(({ path, value }) =>
          own.test(path) || (revisions !== undefined && !path.startsWith("spec.template"))
            ? []
            : [[path, printLeaf(value, maxValue)] as const],
        ),
      ),
  ) as [Map<string, string>, Map<string, string>];
  const paths = [...new Set([...left.keys(), ...right.keys()])].filter(
    (path) => left.get(path) !== right.get(path),
  );
  // What people set comes before what controllers report.
  paths.sort((a, b) => Number(a.startsWith("status")) - Number(b.startsWith("status")));
  const [first] = paths;
  const both = `${toObjectId(one)} and ${toObjectId(other)}`;
  const describe = (path: string) =>
    `${left.get(path) ?? "not set"} against ${right.get(path) ?? "not set"}`;
  return {
    head:
      first === undefined
        ? `${both} do not differ in what was read`
        : paths.length === 1
          ? `${both} differ in ${first}: ${describe(first)}`
          : `${both} differ in ${paths.length} fields`,
    lines:
      paths.length === 1
        ? []
        : paths.slice(0, maxDifferences).map((of) => ({ of, text: describe(of) })),
    objects: [one, other],
  };
}
