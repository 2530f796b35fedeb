import { cannotTell, type LookedUp } from "../answer/forms.js";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { numberAt, textAt } from "../cluster/fields.js";
import { isKindName } from "../cluster/kinds.js";
import { printDuration } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { type BoundField, bindFields } from "../fields/bind-fields.js";
import { describeValue, fieldNamed, findFields } from "../fields/fields.js";
import { describeState } from "../fields/state-of.js";
import { happenedAt, phraseStateOf, shownBy } from "../fields/states.js";
import type { State } from "../fields/table.js";
import { countKinds, plurals, unread } from "../fields/unread.js";
import { fieldsIn } from "../question/field-words.js";
import { isImage } from "../question/images.js";
import { kindsIn } from "../question/kind-words.js";
import { polarIn } from "../question/polar.js";
import { listedKinds } from "../question/things.js";
import { collectValues } from "../question/values.js";
import { toWords } from "../question/words.js";
import type { Filter } from "./filter.js";
import { filtersIn } from "./filters.js";
import { type LookupScope, printPlace } from "./lookup-scope.js";

/** Maximum number of names in the first sentence. */
const maxInHead = 5;

/** Maximum number of things whose fields are shown beside each. */
const maxColumnThings = 40;

/** Kinds that run something, for questions without a kind: "what runs in shop?" */
const running = ["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job", "Pod"];

/** Counts or lists things, all of them or those that each condition of the question holds for. */
export function runList(isCount: boolean, scope: LookupScope): LookedUp {
  const { subject, query, periodMs, view } = scope;
  const asked = fieldsIn(query);
  // "Which images run in shop?" asks for no state.
  const filters = filtersIn(scope).filter(({ state }) => state !== "running" || asked.length === 0);
  const { kinds, things } = selectThings({ ...scope, kinds: kindsListed(scope) });
  const { objects: found, by, state } = narrow(things, filters, view);
  const lacking = kinds.filter(isKindName).filter((kind) => unread([kind], view));
  if (found.length === 0 && lacking.length > 0)
    return { ...cannotTell(subject, `${plurals(lacking)} were not read`), by };
  const counts = kinds.flatMap((kind) => {
    const some = found.filter((one) => one.kind === kind);
    if (some.length === 0 && kinds.length > 1) return [];
    const all = things.filter((one) => one.kind === kind).length;
    const what =
      by.length > 0
        ? `${some.length} of ${countKinds(all, [kind])}`
        : countKinds(some.length, [kind]);
    return [state === undefined && by.length === 0 ? `${what}${describePhases(some)}` : what];
  });
  const isAny = polarIn(query)?.isAny === true;
  const yes = isAny ? (found.length > 0 ? "Yes: " : "No: ") : "";
  const when =
    periodMs === undefined || state === undefined ? "" : ` in the last ${printDuration(periodMs)}`;
  const others = by.filter((_, index) => state === undefined || index < by.length - 1);
  const verbs = [...new Set(others)].filter((one) =>
    ["may", "have"].includes(one.split(" ")[0] ?? ""),
  );
  const nouns = [...new Set(others)].filter((one) => !verbs.includes(one));
  const conditions = [
    ...(state === undefined ? [] : [` ${phraseStateOf(state, found.length)}${when}`]),
    ...verbs.map((one) => ` ${one}`),
    ...(nouns.length === 0 ? [] : [` (${nouns.join(", ")})`]),
  ].join("");
  const named = found.slice(0, maxInHead).map(({ metadata }) => metadata.name);
  const names =
    isCount || found.length === 0 || found.length > maxInHead ? "" : `: ${named.join(", ")}`;
  const compared = filters.flatMap(({ field = "" }) => fieldNamed(field) ?? []);
  // "Kernel version of all nodes"
  const spoken = findFields(
    kindsIn(query).reduce((rest, { text }) => rest.replace(text, " "), query.toLowerCase()),
  ).filter(({ isCounted, isUsage }) => isCounted !== true && isUsage !== true);
  const columns = columnsOf(scope, kinds, found, by);
  const describe = (object: KubernetesObject): readonly string[] => {
    const own = columns.flatMap(({ places }) =>
      places.flatMap((one) => (one.object === object ? [one.line] : [])),
    );
    if (own.length > 0) return own;
    const values = compared.flatMap((field) => {
      const value = field.read(object, view);
      return value === undefined ? [] : [describeValue(field, value)];
    });
    if (values.length > 0) return [...new Set(values)];
    const lines = [...asked.flatMap((field) => fieldNamed(field)?.lines(object, view) ?? [])];
    if (lines.length > 0) return lines;
    const shown = spoken.flatMap((field) => {
      const value = field.read(object, view);
      return value === undefined ? [] : [describeValue(field, value)];
    });
    if (shown.length > 0) return shown;
    const isPlain = state === undefined || state === "running" || state === "ready";
    return [isPlain ? describeState(object, view) : shownBy(object, state, view)];
  };
  const isMost = /\b(?:most|highest|top|worst)\b/i.test(query);
  const sorted =
    state === "restarted"
      ? found.toSorted((a, b) => restartsOf(b, isMost) - restartsOf(a, isMost))
      : found;
  return {
    head: `${yes}${counts.join(", ") || "none"} ${printPlace(subject)}${conditions}${names}`,
    by,
    shown: columns.flatMap(({ words }) => words),
    lines:
      isCount && found.length === things.length
        ? []
        : sorted.map((of) => ({ of, text: describe(of).join("; ") })),
    objects: sorted,
  };
}

/** Fields that a list shows beside each of its things, by words that narrow it by nothing: "priority classes and their values". */
function columnsOf(
  { names, query }: LookupScope,
  kinds: readonly string[],
  things: readonly KubernetesObject[],
  by: readonly string[],
): readonly BoundField[] {
  const used = new Set(by.flatMap((one) => one.toLowerCase().split(" ")));
  // Names are shown as they are: "names only".
  const text = toWords(query).filter(
    (word) => !/-|^names?$/i.test(word) && !used.has(word.toLowerCase()),
  );
  const { fields } = bindFields(text.join(" "), things.slice(0, maxColumnThings), {
    names: [],
    kinds: [
      ...kinds.map((kind) => kind.toLowerCase()),
      ...kindsIn(query).flatMap((one) => one.text.split(" ")),
    ],
    isMany: true,
    sure: names,
  });
  return fields;
}

/** The kinds of a list: those of an extension that are named themselves, else those that its words list. */
function kindsListed({ kinds, named, query }: LookupScope): readonly string[] {
  const custom = named.map(({ kind }) => kind).filter((kind) => !isKindName(kind));
  if (kinds.length === 0 && custom.length > 0) return [...new Set(custom)];
  const listed = listedKinds(query, kindsIn(query)).flatMap((one) => one.kinds);
  const own = kinds.filter((kind) => listed.some((one) => one === kind));
  return own.length > 0 ? own : kinds;
}

/** What a list begins with: things of its kinds, on the nodes that it names, else what runs. */
function selectThings({ kinds: asked, named, objects, query, view }: LookupScope): {
  readonly kinds: readonly string[];
  readonly things: readonly KubernetesObject[];
} {
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
    ? ` (${ready === objects.length ? "all" : ready} ready)`
    : "";
}
