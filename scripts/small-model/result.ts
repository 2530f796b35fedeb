import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const callSchema = z.object({
  promptId: z.string(),
  ms: z.number(),
  read: z.number(),
  written: z.number(),
  /** Why the model gave nothing that can be used. */
  error: z.string().optional(),
});

const resultSchema = z.object({
  id: z.string(),
  /** Librarian or step that the question is for, such as `docs`. */
  kind: z.string(),
  model: z.string(),
  timeoutMs: z.number(),
  ms: z.number(),
  msWithout: z.number(),
  calls: z.array(callSchema),
  /** What each librarian did with its replies, such as `docs: not-used, TIMEOUT`. */
  outcomes: z.array(z.string()),
  /** The librarian's contract wants an error, and no answer, where no reply of the model is valid. */
  refused: z.boolean(),
  /** Whether every expectation is met, with the model and without it. */
  right: z.boolean(),
  rightWithout: z.boolean(),
  /** Answered without the model, and not with it. */
  turnedAway: z.boolean(),
  /** What people must do by the answer without the model, and not by the one with it. */
  gatesLost: z.array(z.string()),
  /** Expectations of the case that are met without the model, and not with it. */
  worse: z.array(z.string()),
  /** Code and numbers of the answer that no file of the example has. */
  stray: z.array(z.string()),
  /** Parts of the answer without the model that are missing although no reply was accepted. */
  lost: z.array(z.string()),
});

/** A call of the model: milliseconds, tokens read and written. */
export type Call = z.infer<typeof callSchema>;

/** What a question came to, with the model and without it. */
export type Result = z.infer<typeof resultSchema>;

/** A model's results in a file, one a line; none where it is not there. The last of a question counts. */
export function readResults(file: string, model: string): ReadonlyMap<string, Result> {
  const lines = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  const results = lines
    .filter((line) => line !== "")
    .map((line) => resultSchema.parse(JSON.parse(line)))
    .filter((result) => result.model === model);
  return new Map(results.map((result) => [result.id, result]));
}

/** Adds a result to a file. */
export function appendResult(file: string, result: Result): void {
  appendFileSync(file, `${JSON.stringify(result)}\n`);
}

/** Faults of an answer: each is a failure of the check. */
export function faultsOf(result: Result): readonly string[] {
  const { refused, worse, stray, lost, turnedAway, gatesLost } = result;
  return [
    ...(refused ? [] : worse).map((each) => `worse: ${each}`),
    ...(turnedAway && !refused ? ["turned away"] : []),
    ...gatesLost.map((each) => `gate lost: ${each}`),
    ...stray.map((each) => `without support: ${each}`),
    ...lost.map((each) => `lost: ${each}`),
  ];
}

/** Tables in Markdown: a row for each kind, for each question, and for each prompt. */
export function tablesOf(results: readonly Result[]): string {
  const questions = results.map((result) => {
    const { id, ms, calls, outcomes, stray, worse, lost, refused } = result;
    const fit = calls.filter(({ error }) => error === undefined).length;
    return [
      id,
      seconds(ms),
      calls.length,
      fit,
      sum(calls, "read"),
      sum(calls, "written"),
      outcomes.join("; ") || "none asked",
      stray.length,
      refused ? "refused" : worse.length + lost.length,
    ];
  });
  const kinds = [...new Set(results.map(({ kind }) => kind))].map((kind) => {
    const own = results.filter((result) => result.kind === kind);
    const count = (isCounted: (result: Result) => boolean) => own.filter(isCounted).length;
    return [
      kind,
      own.length,
      count(({ calls }) => calls.some(({ error }) => error === undefined)),
      count(({ rightWithout }) => rightWithout),
      count(({ right }) => right),
      count(({ gatesLost }) => gatesLost.length > 0),
      count(({ turnedAway }) => turnedAway),
      count(({ refused }) => refused),
    ];
  });
  const calls = results.flatMap((result) => result.calls);
  const prompts = [...new Set(calls.map(({ promptId }) => promptId))].map((promptId) => {
    const own = calls.filter((call) => call.promptId === promptId);
    const fit = own.filter(({ error }) => error === undefined).length;
    const longest = Math.max(...own.map(({ ms }) => ms));
    return [promptId, own.length, fit, seconds(longest), sum(own, "read"), sum(own, "written")];
  });
  return [
    table(
      "Kind | Questions | With a reply that fits | Right without | Right with | Fewer gates | Turned away | Of these by contract",
      kinds,
    ),
    table(
      "Question | Seconds | Calls | Replies that fit | Tokens read | Written | What librarians did | Wrong claims | Worse",
      questions,
    ),
    table("Prompt | Calls | Replies that fit | Longest, seconds | Tokens read | Written", prompts),
  ].join("\n\n");
}

function table(head: string, rows: readonly (readonly (string | number)[])[]): string {
  const line = head.replaceAll(/[^|]+/g, " --- ");
  return [`| ${head} |`, `|${line}|`, ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
}

function seconds(ms: number): number {
  return Math.round(ms / 1_000);
}

function sum(calls: readonly Call[], key: "read" | "written"): number {
  return calls.reduce((total, call) => total + call[key], 0);
}
