import { createPhrases } from "@constellation/nlu";
import { type Measure, phrases, questionWords } from "./question-words.js";
import { toWords } from "./words.js";

const table = questionWords.measures.map(
  ([words, measure]) => [createPhrases(words), measure] as const,
);

/** Beginnings of words for what is used up, and for using it: with both, and none for what is set, a question is about usage. */
const resources =
  "cpu memory ram cores millicores processor mb gb mib gib megabytes gigabytes".split(" ");
const using = "use using usage burn eat take taking consum actual live now moment currently".split(
  " ",
);
/** Use beside what is set. */
const compared = phrases("measures.compared");
const allowing = phrases("query.allowing");
const persons: ReadonlySet<string> = new Set(["you", "i", "we", "anyone", "someone"]);

/** True for use that is allowed, which is set: "how much memory may web use?" */
function asksAllowed(words: readonly string[]): boolean {
  return words.some(
    (word, at) =>
      allowing.test(word) &&
      !persons.has(words[at + 1] ?? "") &&
      words.slice(at + 1, at + 5).includes("use"),
  );
}
const set = "limit request quota oom out allow allocat capacity pressure killed".split(" ");
const disks =
  "disk disks volume volumes claim claims pvc pvcs storage filesystem filesystems".split(" ");
const filled = "full fuller fullest filled free left percent percentage".split(" ");
const fullness: Measure = {
  name: "the use of volumes",
  metric: "kubelet_volume_stats_used_bytes",
  isUsage: false,
};
const usageMeasure: Measure = {
  name: "the use of CPU and memory",
  metric: "metrics.k8s.io, as kubectl top shows it",
  isUsage: true,
};

/** What a question asks about that only measuring shows: empty for one about the state of things. */
export function measuresIn(query: string): readonly Measure[] {
  const words = toWords(query.toLowerCase());
  if (asksAllowed(words)) return [];
  const hasAny = (stems: readonly string[]) =>
    words.some((word) => stems.some((stem) => word.startsWith(stem)));
  const isSet = hasAny(set) && !compared.test(query);
  const measures = table.flatMap(([pattern, measure]) =>
    pattern.test(query) && !(measure.isUsage && isSet && !hasAny(using)) ? [measure] : [],
  );
  const isUsage =
    (words.some((word) => resources.includes(word)) && hasAny(using) && !isSet) ||
    (words.includes("usage") && compared.test(query));
  const isTop = /\btop (?:pods?|nodes?)\b/i.test(query);
  const isFullness =
    words.some((word) => disks.includes(word)) && words.some((word) => filled.includes(word));
  if (measures.length > 0) return measures;
  return [...(isFullness ? [fullness] : []), ...(isUsage || isTop ? [usageMeasure] : [])];
}

/** Logs, and what stands only in them. */
const inLogs = phrases("measures.inLogs");

/** True for a question that logs answer, and no object's state. */
export function asksLogs(query: string): boolean {
  return inLogs.test(query);
}
