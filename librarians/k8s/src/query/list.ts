import { fieldLines } from "../answer/field-lines.js";
import { happenedAt, stateNames } from "../answer/in-state.js";
import { keyLines } from "../answer/key-lines.js";
import { cut, type LookedUp } from "../answer/lookup-scope.js";
import { code, escaped } from "../answer/markdown.js";
import { describeState } from "../answer/state-of.js";
import { shownBy } from "../answer/state-shown.js";
import { plurals, unread } from "../answer/unread.js";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { numberAt, textAt } from "../cluster/fields.js";
import { getKind, isKindName } from "../cluster/kinds.js";
import { printDuration } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { fieldsIn, namedFieldsIn } from "../question/field-words.js";
import { isImage } from "../question/images.js";
import { kindsIn } from "../question/kind-words.js";
import { polarIn } from "../question/polar.js";
import type { State } from "../question/question-words.js";
import { listedKinds } from "../question/things.js";
import { collectValues } from "../question/values.js";
import { toWords } from "../question/words.js";
import { type Filter, filtersIn } from "./filters.js";

/** What is listed, and from what. */
export interface ListScope {
  readonly subject: string;
  readonly query: string;
  /** Kinds that the question names. */
  readonly kinds: readonly string[];
  /** Objects that it names, and its words that may be names. */
  readonly named: readonly KubernetesObject[];
  readonly names: readonly string[];
  /** Everything that it is about. */
  readonly objects: readonly KubernetesObject[];
  readonly findings: readonly Finding[];
  readonly periodMs: number | undefined;
}

/** Maximum number of names in the first sentence. */
const maxInHead = 5;

/** Kinds that run something, for questions without a kind: "what runs in shop?" */
const running = ["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "Pod"];

/** Counts or lists things, all of them or those that each condition of the question holds for. */
export function runList(isCount: boolean, scope: ListScope, view: ClusterView): LookedUp {
  const { subject, query, periodMs } = scope;
  const { kinds, things } = selectThings({ ...scope, kinds: kindsListed(scope) }, view);
  const { objects: found, by, state } = narrow(things, filtersIn(scope), view);
  const lacking = kinds.filter(isKindName).filter((kind) => unread([kind], view));
  if (found.length === 0 && lacking.length > 0)
    return {
      head: `${subject}: not known, as ${plurals(lacking)} were not read.`,
      by,
      lines: [],
      objects: [],
      isUnread: true,
    };
  const counts = kinds.flatMap((kind) => {
    const some = found.filter((one) => one.kind === kind);
    if (some.length === 0 && kinds.length > 1) return [];
    const all = things.filter((one) => one.kind === kind).length;
    const share = by.length > 0 ? `${some.length} of ${all}` : String(some.length);
    const what = `${share} ${printKind(kind, by.length > 0 ? all : some.length)}`;
    return [state === undefined && by.length === 0 ? `${what}${describePhases(some)}` : what];
  });
  const isAny = polarIn(query)?.isAny === true;
  const yes = isAny ? (found.length > 0 ? "Yes: " : "No: ") : "";
  const when =
    periodMs === undefined || state === undefined ? "" : ` in the last ${printDuration(periodMs)}`;
  const others = by.filter((_, index) => state === undefined || index < by.length - 1);
  const conditions = [
    ...(state === undefined
      ? []
      : [` ${describeVerb(state, found.length)}${stateNames[state]}${when}`]),
    ...(others.length === 0 ? [] : [` (${[...new Set(others)].join(", ")})`]),
  ].join("");
  const named = found.slice(0, maxInHead).map(({ metadata }) => metadata.name);
  const names =
    isCount || found.length === 0 || found.length > maxInHead ? "" : `: ${named.join(", ")}`;
  const [, place] = subject.split(" in ");
  const where = subject === "the cluster" || subject.startsWith("namespace ") ? subject : place;
  const describe = (object: KubernetesObject): readonly string[] => {
    const lines = [
      ...fieldsIn(query).flatMap((field) => fieldLines(field, object, view)),
      ...namedFieldsIn(query).flatMap((key) => keyLines(key, object)),
    ];
    if (lines.length > 0) return lines;
    return [state === undefined ? describeState(object, view) : shownBy(object, state, view)];
  };
  const isMost = /\b(?:most|highest|top|worst)\b/i.test(query);
  const sorted =
    state === "restarted"
      ? found.toSorted((a, b) => restartsOf(b, isMost) - restartsOf(a, isMost))
      : found;
  return {
    head: `${yes}${counts.join(", ") || "none"} ${where === undefined ? `of ${subject}` : `in ${where}`}${conditions}${names}.`,
    by,
    lines:
      isCount && found.length === things.length
        ? []
        : cut(
            sorted.map(
              (object) => `${code(toObjectId(object))}: ${escaped(describe(object).join("; "))}`,
            ),
          ),
    objects: sorted,
  };
}

/** The kinds of a list: those of an extension that are named themselves, else those that its words list. */
function kindsListed({ kinds, named, query }: ListScope): readonly string[] {
  const custom = named.map(({ kind }) => kind).filter((kind) => !isKindName(kind));
  if (kinds.length === 0 && custom.length > 0) return [...new Set(custom)];
  const listed = listedKinds(query, kindsIn(query)).flatMap((one) => one.kinds);
  const own = kinds.filter((kind) => listed.some((one) => one === kind));
  return own.length > 0 ? own : kinds;
}

/** What a list begins with: things of its kinds, on the nodes that it names, else what runs. */
function selectThings(
  { kinds: asked, named, objects, query }: ListScope,
  view: ClusterView,
): { readonly kinds: readonly string[]; readonly things: readonly KubernetesObject[] } {
  const nodes = named.flatMap(({ kind, metadata }) => (kind === "Node" ? [metadata.name] : []));
  if (nodes.length > 0 && asked.every((kind) => kind === "Node" || kind === "Pod"))
    return {
      kinds: ["Pod"],
      things: view
        .list("Pod")
        .filter((pod) => nodes.includes(textAt(pod, "spec", "nodeName") ?? "")),
    };
  const isImages = toWords(query).some(isImage);
  const isAnyKind = asked.length === 0 && !isImages;
  const kinds = asked.length > 0 ? asked : isImages ? ["Pod"] : running;
  const things = objects.filter(
    (object) =>
      kinds.includes(object.kind) &&
      !isTrace(object) &&
      // A workload represents the objects that belong to it.
      (!isAnyKind || findTopOwner(object, view) === object),
  );
  if (things.length > 0 || named.length === 0) return { kinds, things };
  // "Claims of class fast" name it, and belong to nothing that has that name.
  const values = named.map(({ metadata }) => metadata.name.toLowerCase());
  return {
    kinds,
    things: kinds
      .filter(isKindName)
      .flatMap((kind) => view.list(kind))
      .filter((object) => values.some((value) => collectValues(object).has(value))),
  };
}

interface Narrowed {
  readonly objects: readonly KubernetesObject[];
  /** Words of the question that narrowed it, those of its state last. */
  readonly by: readonly string[];
  readonly state?: State | undefined;
}

/** Applies conditions, one after the other; one that says nothing about any of them narrows nothing. */
export function narrow(
  things: readonly KubernetesObject[],
  filters: readonly Filter[],
  view: ClusterView,
): Narrowed {
  let left: Narrowed = { objects: things, by: [] };
  for (const { test, text, state, isMark = false } of filters) {
    // "What runs there" asks for no state, and neither does "which pods run this image".
    if (state === "running" && left.by.length > 0) continue;
    const judged = left.objects.map((object) => ({ object, is: test(object, view) }));
    if (judged.every(({ is }) => is === undefined)) continue;
    const kept = judged.flatMap(({ object, is }) => (is === true ? [object] : []));
    if (isMark && kept.length === 0) continue;
    left = { objects: kept, by: [...left.by, text], state };
  }
  return left;
}

/** By number, or by the moment of the last one. */
function restartsOf(object: KubernetesObject, isByNumber: boolean): number {
  return isByNumber
    ? readContainers(object).reduce((sum, { restarts }) => sum + restarts, 0)
    : (happenedAt(object, "restarted") ?? 0);
}

/** ` (6 Running, 1 Pending)`, for objects with phases. */
function describePhases(objects: readonly KubernetesObject[]): string {
  const counts = new Map<string, number>();
  for (const object of objects) {
    const phase = textAt(object, "status", "phase");
    if (phase !== undefined) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  }
  if (counts.size > 0)
    return ` (${[...counts].map(([phase, number]) => `${number} ${phase}`).join(", ")})`;
  const ready = objects.filter(
    (one) =>
      (numberAt(one, "status", "readyReplicas") ?? 0) >= (numberAt(one, "spec", "replicas") ?? 1),
  ).length;
  return objects[0]?.kind === "Deployment" || objects[0]?.kind === "StatefulSet"
    ? ` (${ready} with all replicas ready)`
    : "";
}

/** States whose names are verbs. */
const namedByVerbs: ReadonlySet<State> = new Set(["failed", "completed", "restarted"]);

function describeVerb(state: State, count: number): string {
  if (namedByVerbs.has(state)) return "";
  return count === 1 ? "is " : "are ";
}

/** `1 deployment`, `2 deployments`: kinds of an extension by their own name. */
function printKind(kind: string, count: number): string {
  if (!isKindName(kind)) return kind;
  return count === 1 ? kind.toLowerCase() : getKind(kind).plural;
}
