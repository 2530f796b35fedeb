import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { readContainers } from "../diagnosis/container-state.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { findFirstSign } from "../diagnosis/reach.js";
import { describeSignal, hasTrait } from "../diagnosis/signal-type.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { describeEssence } from "./board.js";

/** Maximum length of a quotation in the headline, and of the headline in words. */
const maxMessage = 110;
const defaultMaxWords = 25;
/** Minimum number of words of a quotation that is cut. */
const minQuoted = 5;
/**
 * One finding in a sentence: `shop/Deployment/checkout runs out of memory (OOMKilled) on 3 of 3 pods since 09:36, memory
 * limit 512Mi, 16 restarts`.
 *
 * @param subject - What the question is about.
 */
export function composeHeadline(
  one: Finding,
  subject: string,
  view: ClusterView,
  maxWords = defaultMaxWords,
): string {
  const top = findTopOwner(one.object, view);
  const id = toObjectId(top);
  const subjects = subject.split(", ");
  const isOwn = subjects.includes(id) || subjects.includes(toObjectId(one.object));
  // The namespace is in the name of what is in it.
  const isPlace = subjects.every((one) => /^(?:namespace |Namespace\/|the cluster$)/.test(one));
  const where = isOwn || isPlace ? "" : `${subjects[0] ?? subject}: `;
  const parts = [countAffectedPods(one, top, view), printSince(one, top, view)].filter(
    (part) => part !== "",
  );
  const said = `${where}${id} ${describeSignal(one.signal)} (${one.signal})${parts.map((part) => ` ${part}`).join("")}`;
  const { message, numbers } = listDetails(one);
  const room = maxWords - said.split(" ").length;
  const cause = message === undefined || room < minQuoted ? "" : keepEnd(message, room);
  return numbers.reduce(
    // A number of which a part is missing is left out.
    (text, part) => (`${text} ${part}`.split(" ").length > maxWords ? text : `${text}, ${part}`),
    cause === "" ? said : `${said}: ${cause}`,
  );
}

/** The end of a chain of errors, which names its cause last: as many of them as there is room for, in words. */
function keepEnd(text: string, room: number): string {
  const isLong = (part: string) => part.split(" ").length > room || part.length > maxMessage;
  const parts = text.split(": ");
  while (parts.length > 1 && isLong(parts.join(": "))) parts.shift();
  const end = parts.join(": ");
  if (!isLong(end)) return end;
  const cut = text.slice(0, maxMessage).split(" ");
  return `${cut.slice(0, Math.min(room, Math.max(1, cut.length - 1))).join(" ")}…`;
}

/** `on 3 of 5 pods`, for a failure of pods that have siblings. */
function countAffectedPods(one: Finding, top: KubernetesObject, view: ClusterView): string {
  if (one.object.kind !== "Pod" || top === one.object) return "";
  const affected = [one.object, ...one.others].filter(({ kind }) => kind === "Pod").length;
  const all = view
    .owned(top)
    .flatMap((child) => (child.kind === "Pod" ? [child] : view.owned(child)))
    .filter(({ kind }) => kind === "Pod");
  const total = Math.max(affected, new Set(all.map(toObjectId)).size);
  return total > 1 ? `on ${affected} of ${total} pods` : "";
}

/** `since 09:36`: the first sign of it in conditions and warnings. */
function printSince(one: Finding, top: KubernetesObject, view: ClusterView): string {
  const first = findFirstSign([one.object, ...one.others.slice(0, 20), top], view);
  return first === undefined || !one.current ? "" : `since ${printMoment(first, view.now)}`;
}

/** The message of a finding, and numbers that add detail, such as limits, exit codes and restarts. */
function listDetails(one: Finding): {
  readonly message: string | undefined;
  readonly numbers: readonly string[];
} {
  const { memory_limit: limit, exit_code: exit } = one.values;
  const restarts = [one.object, ...one.others]
    .filter(({ kind }) => kind === "Pod")
    .flatMap(readContainers)
    .reduce((sum, container) => sum + container.restarts, 0);
  const isMemory = one.signal === "OOMKilled";
  // A summary stands in the next line.
  const text = one.message === undefined || isMemory ? "" : quote(describeEssence(one));
  const isCrash = isMemory || hasTrait(one.signal, "endOfRun");
  return {
    message: text === "" ? undefined : text.replace(/[.\s]{1,3}$/, ""),
    numbers: isCrash
      ? [
          ...(isMemory && typeof limit === "string" ? [`memory limit ${limit}`] : []),
          ...(typeof exit === "number" && !isMemory ? [`exit code ${exit}`] : []),
          ...(restarts > 0 ? [`${restarts} ${restarts === 1 ? "restart" : "restarts"}`] : []),
        ]
      : [],
  };
}
