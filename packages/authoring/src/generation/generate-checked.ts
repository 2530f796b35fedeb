import {
  type AIAnalysisRequest,
  type AIClient,
  type AICompletion,
  type AIMessage,
  type AIRequest,
  type AITool,
  type AIToolRequest,
  MeshError,
  remainingMs,
  throwIfAborted,
  withDeadline,
} from "@constellation/core";
import { createDraftReport } from "./draft-report.js";
import type { Generated, GenerateOptions, GenerationFailure } from "./generate-options.js";
import { readJsonReply } from "./read-json-reply.js";
import { neutralizeTemplateTokens, restoreTemplateTokens } from "./template-tokens.js";

/** Maximum length of a reply that is shown to the model again, and of the problems named to it. */
const maxReplyLength = 20_000;
const maxProblems = 20;
const reserveMs = 500;

/**
 * Asks a model, checks the reply, and asks again with all that was wrong, as long as there is time.
 *
 * A request with `schema` uses `ai.analyze`, one with `tools` uses `ai.runTools`, any other
 * `ai.complete`. A reply that the client could not parse is parsed again here: after prose or thoughts, or in a
 * fence.
 *
 * @throws MeshError `TIMEOUT` when the caller has left; exceptions of `check`. A failure of the
 *   model is the outcome `failed`.
 *
 * @beta
 */
export function generateChecked<Draft, Value>(
  ai: AIClient,
  request: AIAnalysisRequest<Draft>,
  options: GenerateOptions<Draft, Value>,
): Promise<Generated<Value>>;
/** @beta */
export function generateChecked<Value>(
  ai: AIClient,
  request: AIRequest | AIToolRequest,
  options: GenerateOptions<string, Value>,
): Promise<Generated<Value>>;
/** @beta */
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
      { role: "assistant", text: neutralizeTemplateTokens(shownAgain(text)) },
      { role: "user", text: neutralizeTemplateTokens(correction(problems)) },
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
          const restored = restoreTemplateTokens(text);
          const read = restored === text ? undefined : await readReply(restored, limited);
          return { draft: analysis.value, text: restored, ...read, completion: analysis };
        }
        const completion =
          "tools" in limited
            ? await ai.runTools({ ...limited, tools: limited.tools.map(withNeutralResult) })
            : await ai.complete(limited);
        const text = restoreTemplateTokens(completion.text);
        // Without a schema a draft is the text itself, as the overloads say.
        return { draft: text as Draft, text, completion };
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
  request: AIAnalysisRequest<Draft>,
): Promise<Reply<Draft> | undefined> {
  if (!(thrown instanceof MeshError) || thrown.code !== "AI_UNAVAILABLE") return undefined;
  const { text, problem, stopReason } = thrown.details ?? {};
  if (typeof text !== "string" || stopReason === "refusal") return undefined;
  const restored = restoreTemplateTokens(text);
  const read = await readReply(restored, request);
  if (read !== undefined) return { ...read, text: restored };
  return {
    text,
    problem: typeof problem === "string" ? problem : "The reply does not fit the schema.",
  };
}

async function readReply<Draft>(
  text: string,
  { schema }: AIAnalysisRequest<Draft>,
): Promise<{ readonly draft: Draft } | undefined> {
  const found = readJsonReply(text);
  const checked = found === undefined ? undefined : await schema.safeParseAsync(found);
  return checked?.success === true ? { draft: checked.data } : undefined;
}

/** Wraps a tool, so that its untrusted result cannot end a turn of the conversation. */
function withNeutralResult(tool: AITool): AITool {
  return {
    ...tool,
    run: async (input, options) => neutralizeTemplateTokens(await tool.run(input, options)),
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

/** A reply as a turn of the conversation: never blank, and bounded. */
function shownAgain(reply: string): string {
  return reply.trim() === "" ? "(nothing)" : reply.slice(0, maxReplyLength);
}

function defaultCorrection(problems: readonly string[]): string {
  const named = problems.slice(0, maxProblems).map((problem) => `- ${problem.slice(0, 1_000)}`);
  return `Your reply is not valid:\n${named.join("\n")}\n\nReply again, whole, with all of this corrected.`;
}
