import type {
  AIAnalysisRequest,
  AIClient,
  AICompletion,
  AIMessage,
  AIRequest,
  AIToolRequest,
} from "../contract/ai-client.js";
import type { Context } from "../contract/context.js";
import { MeshError } from "../contract/mesh-error.js";
import { throwIfAborted } from "./abort-error.js";
import { createDraftReport } from "./draft-report.js";
import { readJsonReply } from "./read-json-reply.js";
import { redactSecrets } from "./redact-secrets.js";
import { remainingMs } from "./remaining-ms.js";
import { withDeadline } from "./with-deadline.js";

/** The verdict on a reply: the value it gives, or all that is wrong with it, one sentence each. */
export type CheckedReply<Value> =
  | { readonly value: Value }
  | { readonly problems: readonly string[] };

/** How {@link generateChecked} asks and checks. */
export interface GenerateOptions<Draft, Value> {
  /** Of the hop: its signal and its time bound every call. */
  readonly context: Pick<Context, "signal" | "deadline" | "remainingMs" | "report">;
  /** @param reply - The text the draft was read from. */
  readonly check: (
    draft: Draft,
    reply: string,
  ) => CheckedReply<Value> | Promise<CheckedReply<Value>>;
  /**
   * Maximum number of replies. Integer, 1 or more.
   *
   * @default 2
   */
  readonly maxAttempts?: number | undefined;
  /**
   * Share of the time that remains for each call, above 0 and at most 1. A tenth of the time, at most
   * 500 ms, is kept for what comes after. `request.timeoutMs` is a further bound of each call.
   *
   * @default 2/3, and 1 for the last attempt
   */
  readonly timeShare?: number | undefined;
  /**
   * Shortest time that is worth a call, in milliseconds.
   *
   * @default 250
   */
  readonly minTimeoutMs?: number | undefined;
  /** Words the turn that asks for a correction. The default lists the problems. */
  readonly correction?: ((problems: readonly string[]) => string) | undefined;
  /**
   * Path of keys to the text of the reply that `context.report` gets while it is written, such as `["answer"]`;
   * empty where the reply is the text. It is withdrawn when the reply turns out not to be valid.
   *
   * @default no report of text
   */
  readonly draftText?: readonly string[] | undefined;
  /**
   * Reports every text at `draftText`, where it leads through a list, with this between two of them.
   *
   * @default the first text alone
   */
  readonly draftSeparator?: string | undefined;
  /**
   * Text that follows each text at `draftText`, such as its citation, made of the object which holds the text, as
   * the model wrote it and not checked yet; `undefined` where that is not JSON.
   *
   * @default nothing follows
   */
  readonly afterDraftItem?: ((item: unknown) => string) | undefined;
  /** Called for each reply that is not valid. @param attempt - From 1. */
  readonly onInvalid?: ((problems: readonly string[], attempt: number) => void) | undefined;
}

/** A value that passed, or why there is none. */
export type Generated<Value> =
  | {
      readonly outcome: "valid";
      readonly value: Value;
      /** The text it was read from. */
      readonly reply: string;
      /** Replies it took, from 1. */
      readonly attempts: number;
      /** The completion; absent where the reply was read from the text of an error. */
      readonly completion?: AICompletion | undefined;
    }
  | GenerationFailure;

/** Why {@link generateChecked} has no value. */
export interface GenerationFailure {
  readonly outcome: "failed";
  /** A code of `errorCodes` where the model failed, `no-time`, or `invalid-reply`. */
  readonly reason: string;
  /** What was wrong with the last reply, if there was one. */
  readonly problems: readonly string[];
  /** The last reply that was not valid. */
  readonly reply?: string | undefined;
  /** What the client rejected with, where the model failed. */
  readonly error?: MeshError | undefined;
}

/** Maximum length of a reply that is shown to the model again, and of the problems named to it. */
const maxReplyLength = 20_000;
const maxProblems = 20;
const reserveMs = 500;

/**
 * Asks a model, checks the reply, and asks again with all that was wrong, as long as there is time.
 *
 * A request with `schema` uses `ai.analyze`, one with `tools` uses `ai.runTools`, any other
 * `ai.complete`. A reply that the client could not read is read here once more: after prose or
 * thoughts, or in a fence.
 *
 * @throws MeshError `TIMEOUT` when the caller no longer waits; what `check` throws. A failure of the
 *   model is the outcome `failed`.
 */
export function generateChecked<Draft, Value>(
  ai: AIClient,
  request: AIAnalysisRequest<Draft>,
  options: GenerateOptions<Draft, Value>,
): Promise<Generated<Value>>;
export function generateChecked<Value>(
  ai: AIClient,
  request: AIRequest | AIToolRequest,
  options: GenerateOptions<string, Value>,
): Promise<Generated<Value>>;
export async function generateChecked<Draft, Value>(
  ai: AIClient,
  request: AIRequest | AIToolRequest | AIAnalysisRequest<Draft>,
  options: GenerateOptions<Draft, Value>,
): Promise<Generated<Value>> {
  const { check, maxAttempts = 2, minTimeoutMs = 250, onInvalid } = options;
  const { correction = defaultCorrection } = options;
  const first: readonly AIMessage[] =
    typeof request.prompt === "string" ? [{ role: "user", text: request.prompt }] : request.prompt;
  let prompt = request.prompt;
  let problems: readonly string[] = [];
  let lastReply: string | undefined;
  const failed = (reason: string, error?: MeshError): GenerationFailure => ({
    outcome: "failed",
    reason,
    problems,
    ...(lastReply !== undefined && { reply: lastReply }),
    ...(error !== undefined && { error }),
  });

  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const timeoutMs = timeFor(request, options, attempt === maxAttempts);
    if (timeoutMs < minTimeoutMs) return failed("no-time");
    let answered: Reply<Draft>;
    const draft = openDraft(options);
    const onText = draft?.write ?? request.onText;
    try {
      const again = attempt === 1 ? request.again : { attempt, why: problems.join(" ") };
      answered = await ask(ai, { ...request, prompt, onText, again }, options.context, timeoutMs);
      draft?.end();
    } catch (thrown) {
      draft?.withdraw("The draft is withdrawn: the model did not finish it.");
      throwIfAborted(request.signal ?? options.context.signal);
      return thrown instanceof MeshError ? failed(thrown.code, thrown) : failed("AI_UNAVAILABLE");
    }
    const { text, completion } = answered;
    const checked =
      "problem" in answered ? { problems: [answered.problem] } : await check(answered.draft, text);
    if ("value" in checked) {
      return { outcome: "valid", value: checked.value, reply: text, attempts: attempt, completion };
    }
    problems = checked.problems;
    lastReply = text;
    draft?.withdraw("The draft is withdrawn: it did not pass the checks.");
    onInvalid?.(problems, attempt);
    prompt = [
      ...first,
      { role: "assistant", text: shownAgain(text) },
      { role: "user", text: correction(problems) },
    ];
  }
  return failed("invalid-reply");
}

function openDraft<Draft, Value>(options: GenerateOptions<Draft, Value>) {
  const { context, draftText, draftSeparator: separator, afterDraftItem: afterItem } = options;
  const { report } = context;
  if (draftText === undefined || report === undefined) return undefined;
  return createDraftReport(report, draftText, { separator, afterItem });
}

/** A reply, read as far as it could be. */
type Reply<Draft> = { readonly text: string; readonly completion?: AICompletion } & (
  | { readonly draft: Draft }
  | { readonly problem: string }
);

async function ask<Draft>(
  ai: AIClient,
  request: AIRequest | AIToolRequest | AIAnalysisRequest<Draft>,
  context: GenerateOptions<Draft, unknown>["context"],
  timeoutMs: number,
): Promise<Reply<Draft>> {
  const signal = request.signal ?? context.signal;
  try {
    return await withDeadline(
      { signal, timeoutMs, message: "The model did not answer in time." },
      async (ends) => {
        const limited = {
          ...request,
          signal: ends,
          ...(Number.isFinite(timeoutMs) && { timeoutMs }),
        };
        if ("schema" in limited) {
          const analysis = await ai.analyze(limited);
          const text = analysis.text.trim() === "" ? JSON.stringify(analysis.value) : analysis.text;
          return { draft: analysis.value, text, completion: analysis };
        }
        const completion =
          "tools" in limited ? await ai.runTools(limited) : await ai.complete(limited);
        // Without a schema a draft is the text itself, as the overloads say.
        return { draft: completion.text as Draft, text: completion.text, completion };
      },
    );
  } catch (thrown) {
    const reread = "schema" in request ? await readAgain(thrown, request) : undefined;
    if (reread !== undefined) return reread;
    throw thrown;
  }
}

/** Reads the reply in an error of `analyze`; `undefined` when the error holds none. */
async function readAgain<Draft>(
  thrown: unknown,
  { schema }: AIAnalysisRequest<Draft>,
): Promise<Reply<Draft> | undefined> {
  if (!(thrown instanceof MeshError) || thrown.code !== "AI_UNAVAILABLE") return undefined;
  const { text, problem, stopReason } = thrown.details ?? {};
  if (typeof text !== "string" || stopReason === "refusal") return undefined;
  const found = readJsonReply(text);
  const checked = found === undefined ? undefined : await schema.safeParseAsync(found);
  if (checked?.success === true) return { draft: checked.data, text };
  return {
    text,
    problem: typeof problem === "string" ? problem : "The reply does not fit the schema.",
  };
}

function timeFor<Draft>(
  { timeoutMs = Number.POSITIVE_INFINITY }: AIRequest,
  { context, timeShare }: GenerateOptions<Draft, unknown>,
  isLast: boolean,
): number {
  const share = timeShare ?? (isLast ? 1 : 2 / 3);
  return Math.min(timeoutMs, remainingMs(context, { share, reserveMs }));
}

/** A reply as a turn of the conversation: never blank, bounded, without secrets. */
function shownAgain(reply: string): string {
  return reply.trim() === "" ? "(nothing)" : redactSecrets(reply, { maxLength: maxReplyLength });
}

function defaultCorrection(problems: readonly string[]): string {
  const named = problems.slice(0, maxProblems).map((problem) => `- ${problem.slice(0, 1_000)}`);
  return `Your reply is not valid:\n${named.join("\n")}\n\nReply again, whole, with all of this corrected.`;
}
