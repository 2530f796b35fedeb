import { readQuestion } from "@constellation/nlu";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import { kindIs } from "../cluster/kind-traits.js";
import { readContainers } from "../diagnosis/container-state.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { concernsAny } from "../diagnosis/rank.js";
import { isReady } from "../diagnosis/ready.js";
import { hasTrait } from "../diagnosis/signal-type.js";
import { findPods } from "../fields/pods-of.js";
import { describeState } from "../fields/state-of.js";
import { idsIn, isInState, phraseState, phraseStateOf, shownBy } from "../fields/states.js";
import type { State } from "../fields/table.js";
import { countKinds, unread } from "../fields/unread.js";
import type { Investigation } from "../investigation.js";
import { readClaims } from "../question/claims.js";
import { type Polar, polarIn } from "../question/polar.js";
import { phrases } from "../question/question-words.js";

/** Yes or no, with its evidence. */
export interface Verdict {
  readonly holds: boolean;
  /** `shop/Deployment/web is ready: 1/1 ready` */
  readonly text: string;
  /** True for one on whether anything is wrong. */
  readonly isHealth?: boolean;
  /** What it was read from. */
  readonly objects: readonly KubernetesObject[];
}

/** States of pods. A workload is in such a state if one of its pods is. */
const ofPods: ReadonlySet<Polar["state"]> = new Set([
  "pending",
  "evicted",
  "oomKilled",
  "restarted",
]);
/** Maximum number of things that are named. */
const maxNamed = 3;

/**
 * The answer to a question that yes or no answers, from the fields that show it. Undefined for any other
 * question, and where nothing that was read shows it.
 *
 * @param isSure - False where "nothing is wrong" cannot be said of what was read.
 */
export function decideVerdict(found: Investigation, isSure: boolean): Verdict | undefined {
  const call = decideCall(found);
  if (call !== undefined) return call;
  const polar = polarIn(found.question.query);
  if (polar === undefined) return decideRelation(found);
  return polar.state === "healthy" || polar.state === "broken"
    ? decideHealth(found, polar, isSure)
    : decideState(found, polar);
}

/** Decides whether one object can reach another, from policies and Services without endpoints. */
function decideCall({ question, allowed, findings }: Investigation): Verdict | undefined {
  const { reach, keeps } = readClaims(question.query);
  if (!reach) return undefined;
  const first = findings.find(({ signal }) => hasTrait(signal, "blocksCalls"));
  if (first?.current === true && first.verified)
    return {
      holds: keeps,
      text: quote(first.summary, 300).replace(/\.$/, ""),
      objects: [first.object],
    };
  const [call] = allowed;
  return call === undefined ? undefined : { holds: !keeps, text: call, objects: [] };
}

const asksHas = phrases("verdict.asksHas");

/** Whether anything of a kind applies to a thing: `does web have an hpa?` */
function decideRelation({
  question,
  objects,
  scope,
  kindsAsked,
  view,
}: Investigation): Verdict | undefined {
  const isAsked = readQuestion(question.query).clauses.some(({ body }) => asksHas.test(body));
  const [first] = objects;
  if (!isAsked || first === undefined || kindsAsked.length === 0) return undefined;
  if (!kindsAsked.every((kind) => kindIs(kind, "appliesToObject"))) return undefined;
  const found = [...new Set([...objects, ...scope])].filter(
    (one) => kindsAsked.some((kind) => kind === one.kind) && !isTrace(one),
  );
  if (found.length === 0 && kindsAsked.some((kind) => unread([kind], view))) return undefined;
  const names = [...new Set(found.map(toObjectId))].slice(0, maxNamed).join(", ");
  return {
    holds: found.length > 0,
    text:
      found.length > 0
        ? `${names} ${found.length === 1 ? "is" : "are"} there for it`
        : `no ${kindsAsked.join(" or ")} was found for ${toObjectId(first)}`,
    objects: found,
  };
}

/** Decides whether anything is wrong, from findings on an object or on what belongs to it. */
function decideHealth(
  { findings, objects, own, subject, view }: Investigation,
  { state }: Polar,
  isSure: boolean,
): Verdict | undefined {
  const wrong = findings.filter(
    (one) => one.current && one.verified && (objects.length === 0 || concernsAny(one, own)),
  );
  if (wrong.length === 0 && (!isSure || findings.some(({ current }) => current))) return undefined;
  const isWrong = wrong.length > 0;
  const isPlaces = objects.every(({ kind }) => kind === "Namespace");
  const known = objects.filter((one) => !isTrace(one));
  // Of several objects, the one with a failure.
  const affected = known.find((one) =>
    wrong.some((each) => concernsAny(each, new Set([toObjectId(one)]))),
  );
  const first = affected ?? known[0];
  const shown = first === undefined ? "" : `: ${describeState(first, view)}`;
  // One name in several namespaces is several things.
  const places = new Map(known.map((one) => [one.metadata.namespace, toObjectId(one)] as const));
  const names =
    first === undefined || (affected === undefined && places.size > 1)
      ? [...places.values()].slice(0, maxNamed).join(", ") || subject
      : toObjectId(first);
  const count = `${wrong.length} ${wrong.length === 1 ? "thing is" : "things are"} wrong`;
  return {
    holds: isWrong === (state === "broken"),
    isHealth: true,
    text: isPlaces
      ? `${isWrong ? count : "nothing is wrong in what was read"} in ${subject}`
      : `${isWrong ? `${count} with` : "nothing is wrong with"} ${names}${shown}`,
    objects: first === undefined ? [] : [first],
  };
}

/** Decides whether objects are in a state, from their own fields. */
function decideState(found: Investigation, polar: Polar): Verdict | undefined {
  const { view, question, objects, findings } = found;
  const state = polar.state === "healthy" ? "ready" : polar.state;
  const broken = idsIn(findings);
  const isWorking = state === "running" || state === "ready";
  const judged = selectSubjects(found, state).flatMap((object) => {
    const is = isInState(object, state, { query: question.query, broken });
    // What has done its work is neither running nor ready, and need not be.
    const isOver =
      isWorking && objects.length !== 1 && textAt(object, "status", "phase") === "Succeeded";
    if (is === undefined || isOver) return [];
    const inTime = state !== "restarted" || restartedInTime(object, found);
    const isReported = state !== "running" || object.kind !== "Pod" || isReady(object);
    return [{ object, is: is && inTime && isReported }];
  });
  if (judged.length === 0) return undefined;
  const isAny = polar.isAny || ofPods.has(state);
  const holds = isAny ? judged.some(({ is }) => is) : judged.every(({ is }) => is);
  const shown = judged.filter(({ is }) => is === holds).map(({ object }) => object);
  const [first] = shown;
  if (first === undefined) return undefined;
  const isOne = judged.length === 1 || (objects.length > 0 && shown.length === 1);
  const kinds = [...new Set(judged.map(({ object }) => object.kind))];
  const names = shown.slice(0, maxNamed).map(toObjectId).join(", ");
  return {
    holds,
    text: isOne
      ? `${toObjectId(first)} ${phraseState(state, holds)}: ${shownBy(first, state, view)}`
      : `${judged.filter(({ is }) => is).length} of ${countKinds(judged.length, kinds)} ${phraseStateOf(state, judged.filter(({ is }) => is).length)}${
          isAny === holds
            ? ` (${names}${shown.length > maxNamed ? " and more" : ""}: ${shownBy(first, state, view)})`
            : ""
        }`,
    objects: shown,
  };
}

/** The objects whose own fields show whether they are in a state. */
function selectSubjects(
  { objects, scope, kindsAsked, view }: Investigation,
  state: State,
): readonly KubernetesObject[] {
  const isOfPods = ofPods.has(state);
  if (objects.length > 0) {
    const own = isOfPods ? objects.flatMap((object) => findPods(object, view)) : objects;
    const ofKind = objects.filter(({ kind }) => kindsAsked.some((one) => one === kind));
    const asked = isOfPods || ofKind.length === 0 ? own : ofKind;
    return [...new Set(asked)].filter((one) => !isTrace(one));
  }
  const kinds: readonly string[] = kindsAsked.length > 0 ? kindsAsked : isOfPods ? ["Pod"] : [];
  return scope.filter((one) => kinds.includes(one.kind) && !isTrace(one));
}

/** True for a pod with a restart in the time that the question looks back. */
function restartedInTime(pod: KubernetesObject, { periodMs, view }: Investigation): boolean {
  if (periodMs === undefined) return true;
  return readContainers(pod).some(({ restarts, last, runningSince }) => {
    const at = last?.finishedAt ?? runningSince;
    return restarts > 0 && at !== undefined && view.now - at <= periodMs;
  });
}
