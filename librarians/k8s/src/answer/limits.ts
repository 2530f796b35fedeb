import type { ReadProblem } from "../cluster/cluster-reader.js";

/** What an answer rests on less than it could. */
export interface Limits {
  readonly problems: readonly ReadProblem[];
  /** Logs that could not be read. */
  readonly logs: readonly string[];
  /** True when there are no events at all: they may have expired. */
  readonly withoutEvents: boolean;
  readonly source: string;
}

/** Problems that leave something unknown: a kind that the cluster has not is no gap. */
export function gapsOf(problems: ReadonlyMap<string, ReadProblem>): readonly ReadProblem[] {
  return [...problems.values()].filter(({ code }) => code !== "notFound" && code !== "notRecorded");
}

/** What could not be read, in a sentence each. */
export function limitLines({ problems, logs, withoutEvents }: Limits): readonly string[] {
  const byCode = new Map<string, string[]>();
  for (const { code, subject } of problems)
    byCode.set(code, [...(byCode.get(code) ?? []), subject]);
  const lines = [...byCode].map(
    ([code, subjects]) =>
      `Not read (${words[code] ?? code}): ${[...new Set(subjects)].join(", ")}.`,
  );
  return [
    ...lines,
    ...(logs.length === 0 ? [] : [`Not read: ${[...new Set(logs)].slice(0, 3).join(", ")}.`]),
    ...(withoutEvents
      ? [
          "There are no events; they expire, by default after an hour, so their absence proves nothing.",
        ]
      : []),
  ];
}

const words: Readonly<Record<string, string>> = {
  forbidden: "access is forbidden",
  notAllowed: "this librarian is not allowed to",
  timeout: "no answer in time",
  malformed: "the answer was malformed",
  gone: "the list expired while it was read",
  throttled: "too many requests",
  tooLarge: "too large, only a part was read",
  unavailable: "not reachable",
};
