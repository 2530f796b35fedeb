import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { comparisonsIn, presencesIn } from "../query/filters.js";
import { getProgram } from "../question/programs.js";
import { collectValues } from "../question/values.js";
import { keyLines } from "./key-lines.js";

/** What a list was narrowed to, and the words of the question that did it. */
export interface Narrowed {
  readonly objects: readonly KubernetesObject[];
  readonly by: readonly string[];
}

/** Fields that are true or not, by the words that people use for them. */
const flags: readonly (readonly [RegExp, string])[] = [
  [/^privileged$/i, "privileged"],
  [/^host-?network$/i, "hostNetwork"],
  [/^host-?pid$/i, "hostPID"],
  [/^host-?ipc$/i, "hostIPC"],
  [/^immutable$/i, "immutable"],
];

/**
 * Narrows a list by what the question compares ("older than 2 days", "more than 5 restarts") and by its words
 * that are a reason, a program or a flag of what is listed ("CrashLoopBackOff", "nginx", "privileged").
 */
export function narrowed(
  objects: readonly KubernetesObject[],
  { query, names }: { readonly query: string; readonly names: readonly string[] },
  view: ClusterView,
): Narrowed {
  const by: string[] = [];
  let left = objects;
  for (const { test, text } of [...comparisonsIn(query), ...presencesIn(query)]) {
    const judged = left.map((object) => ({ object, is: test(object, view) }));
    // A condition that says nothing about any listed object cannot narrow the list.
    if (judged.every(({ is }) => is === undefined)) continue;
    left = judged.flatMap(({ object, is }) => (is === true ? [object] : []));
    by.push(text);
  }
  for (const name of names) {
    const flag = flags.find(([pattern]) => pattern.test(name))?.[1];
    const has = (object: KubernetesObject) =>
      flag === undefined
        ? collectMarks(object).has(name.toLowerCase())
        : keyLines(flag, object).some((line) => line.endsWith(" true"));
    const kept = left.filter(has);
    // "In zone fra-2": the value narrows the list, and its label's key names it.
    if (flag === undefined && kept.length === 0 && left.some((one) => hasLabelKey(one, name)))
      by.push(name);
    if (flag === undefined && kept.length === 0) continue;
    left = kept;
    by.push(name);
  }
  return { objects: left, by };
}

/** True where a label's key ends with a word: `topology.kubernetes.io/zone`. */
function hasLabelKey(object: KubernetesObject, word: string): boolean {
  return Object.keys(object.metadata.labels ?? {}).some(
    (key) => key.split("/").at(-1) === word.toLowerCase(),
  );
}

/** Words that are true of an object: reasons of its state, programs of its images, values of labels and fields. */
function collectMarks(object: KubernetesObject): ReadonlySet<string> {
  const spec = findPodSpec(object);
  const programs = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")].map(
    getProgram,
  );
  const states = object.kind === "Pod" ? readContainers(object) : [];
  const reasons = [
    textAt(object, "status", "reason"),
    ...states.flatMap(({ waiting, terminated, last }) => [
      waiting?.reason,
      terminated?.reason,
      last?.reason,
    ]),
  ];
  return new Set(
    [...programs, ...reasons, ...collectValues(object)].flatMap((mark) =>
      mark === undefined || mark.length < 3 ? [] : [mark.toLowerCase()],
    ),
  );
}
