import type { ReadProblem } from "../cluster/cluster-reader.js";

/** What an answer lacks because it could not be read. */
export interface Limits {
  readonly problems: readonly ReadProblem[];
  /** Kinds that bear on the question and that the recording does not hold. */
  readonly unrecorded: readonly string[];
  /** Logs that could not be read. */
  readonly logs: readonly string[];
  /** True when there are no events at all: they may have expired. */
  readonly withoutEvents: boolean;
  /** Why events could not be read, where they could not. */
  readonly eventsProblem?: ReadProblem | undefined;
  readonly source: string;
}

/** Selects problems that leave something unknown. A kind that the cluster does not have is not a gap. */
export function selectGaps(problems: ReadonlyMap<string, ReadProblem>): readonly ReadProblem[] {
  return [...problems.values()].filter(({ code }) => code !== "notFound" && code !== "notRecorded");
}

/** Lists kinds that a recording does not hold; their absence proves nothing. */
export function listUnrecorded(problems: ReadonlyMap<string, ReadProblem>): readonly string[] {
  return [...problems.values()].flatMap(({ code, subject }) =>
    code === "notRecorded" && subject !== "events" ? [subject.split(" in ")[0] ?? subject] : [],
  );
}

/** Prints one sentence for each group of things that could not be read. */
export function limitLines({
  problems,
  unrecorded,
  logs,
  withoutEvents,
  eventsProblem,
}: Limits): readonly string[] {
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
    ...(unrecorded.length === 0
      ? []
      : [
          `Not in the recording: ${unrecorded.slice(0, 8).join(", ")}${unrecorded.length > 8 ? ` and ${unrecorded.length - 8} more kinds` : ""}.`,
        ]),
    ...(withoutEvents && eventsProblem?.code === "notRecorded" ? ["No events were recorded."] : []),
    ...(withoutEvents && eventsProblem === undefined
      ? [
          "There are no events; they expire, by default after an hour, so their absence proves nothing.",
        ]
      : []),
  ];
}

const words: Readonly<Record<string, string>> = {
  forbidden: "access is forbidden",
  notAllowed: "the configuration of this librarian excludes it",
  timeout: "no answer in time",
  malformed: "the answer was malformed",
  gone: "the list expired while it was read",
  throttled: "too many requests",
  tooLarge: "too large, so only a part was read",
  unavailable: "not reachable",
};
