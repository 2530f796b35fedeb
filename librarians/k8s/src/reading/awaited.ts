import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { getCausalDepth } from "../diagnosis/signal-type.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { findCauses, underCause } from "./causes.js";

/** What a container may wait for by its name. */
const awaited = ["Job", "Service", "StatefulSet", "Deployment", "Pod"] as const;
/** Maximum number of names that are looked up. */
const maxNames = 60;

/**
 * Puts an init container that does not end under what is wrong with what it waits for: the Job, Service or workload
 * that its arguments, its variables or its log name.
 *
 * @param known - What was found before, with its logs.
 */
export function withAwaited(
  one: Finding,
  view: ClusterView,
  interest: Interest,
  known: readonly Finding[],
): Finding {
  const { object: pod, signal } = one;
  if (signal !== "InitContainerFailed" || pod.kind !== "Pod") return one;
  const own = toObjectId(findTopOwner(pod, view));
  const objects = namesIn(one)
    .flatMap((name) =>
      awaited.flatMap((kind) => view.get(kind, pod.metadata.namespace, name) ?? []),
    )
    .filter((object) => toObjectId(findTopOwner(object, view)) !== own);
  const causes = objects
    .flatMap((object) => findCauses([object], view, interest))
    .filter((cause) => toObjectId(cause.object) !== toObjectId(pod));
  const [deepest] = causes.sort((a, b) => getCausalDepth(a.signal) - getCausalDepth(b.signal));
  if (deepest === undefined) return one;
  const cause =
    known.find(
      (each) =>
        each.signal === deepest.signal && toObjectId(each.object) === toObjectId(deepest.object),
    ) ?? deepest;
  const waits = `; init container ${String(one.values.container ?? "")} of pod ${pod.metadata.name} waits for it`;
  return underCause(one, cause, waits);
}

/** Words of a container's arguments and variables, and of what it logs, that may be names. */
function namesIn(one: Finding): readonly string[] {
  const container = listAt(one.object, "spec", "initContainers").find(
    (each) => textAt(each, "name") === one.values.container,
  );
  const texts = [
    ...listAt(container, "command"),
    ...listAt(container, "args"),
    ...listAt(container, "env").map((variable) => textAt(variable, "value") ?? ""),
    ...one.evidence.filter(({ kind }) => kind === "log").map(({ text }) => text),
  ];
  const words = texts.flatMap((text) =>
    String(text)
      .split(/[^a-z0-9.-]/)
      .flatMap((word) => {
        const whole = word.replace(/^[.-]{1,5}/, "").split("...")[0] ?? "";
        return [whole, whole.split(".")[0] ?? ""];
      }),
  );
  return [...new Set(words.filter((word) => word.length > 1))].slice(0, maxNames);
}
