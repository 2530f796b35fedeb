import { generateChecked } from "@constellation/authoring";
import type { AIClient, AICompletion, AIMessage, AITool, Context } from "@constellation/core";
import { invalidReply } from "../reply/invalid-reply.js";
import type { ReplyIssue } from "../reply/selection.js";
import { correctionPrompt } from "./selection-prompt.js";

/** Maximum number of calls of a model for one incident: all of its steps and their repairs together. */
export const maxCalls = 3;

/** The model did not reply: it failed, refused, or was too late. The step can be done without it. */
export class ModelFailed extends Error {
  override readonly name = "ModelFailed";
  /** A code of `errorCodes`, `no-time`, `no-calls`, `refusal`, `invalid-reply` or `contradicts-observations`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The model did not reply: ${reason}.`);
    this.reason = reason;
  }
}

/** One step of a conversation with a model. */
export interface Step<Value> {
  /** Names the prompt on spans and in records. */
  readonly promptId: string;
  readonly system: string;
  /** Turns so far, the last one the user's. */
  readonly turns: readonly AIMessage[];
  /** Share of the remaining time that each call may take, 0 to 1. */
  readonly share: number;
  /** Tools that the model may call, in at most `maxTurns` replies. */
  readonly tools?: readonly AITool[];
  readonly maxTurns?: number;
  /** Path of keys to the text that is reported while the model writes it. */
  readonly draftText?: readonly string[];
  /** Maximum number of calls; those that remain where not given. */
  readonly maxCalls?: number;
  readonly read: (
    reply: string,
  ) => { readonly value: Value } | { readonly issues: readonly ReplyIssue[] };
  /** Called for every reply that is not valid. @param attempt - From 1. */
  readonly onInvalid: (issues: readonly ReplyIssue[], attempt: number) => void;
}

/** A value that passed, with the reply it was read from. */
export interface Answered<Value> {
  readonly value: Value;
  readonly reply: string;
  /** Number of replies it took, from 1. */
  readonly attempts: number;
}

/** What bounds the steps of a conversation. */
export interface StepLimits {
  readonly context: Context;
  readonly signal: AbortSignal;
  /** Calls that remain for this incident; counted down by each of them. */
  readonly calls: { left: number };
}

/**
 * Asks until a reply is valid, each time with all that was wrong, as long as there are time and calls left.
 *
 * @throws ModelFailed when the model does not reply, or no call is left (`no-calls`); MeshError `INTERNAL_ERROR`, reason `invalid-response`, when
 *   no reply was valid; MeshError `TIMEOUT` when the caller no longer waits.
 */
export async function askUntilValid<Value>(
  ai: AIClient,
  {
    promptId,
    system,
    turns,
    share,
    tools,
    maxTurns,
    maxCalls: most,
    draftText,
    read,
    onInvalid,
  }: Step<Value>,
  { context, signal, calls }: StepLimits,
): Promise<Answered<Value>> {
  const maxAttempts = Math.min(calls.left, most ?? calls.left);
  if (maxAttempts < 1) throw new ModelFailed("no-calls");
  let issues: readonly ReplyIssue[] = [];
  let isRefused = false;
  const noteRefusal = async (completion: Promise<AICompletion>) => {
    calls.left--;
    const done = await completion;
    isRefused = done.stopReason === "refusal";
    if (isRefused) throw new ModelFailed("refusal");
    return done;
  };
  const listening: AIClient = {
    analyze: (request) => ai.analyze(request),
    complete: (request) => noteRefusal(ai.complete(request)),
    runTools: (request) => noteRefusal(ai.runTools(request)),
  };
  const generated = await generateChecked<Value>(
    listening,
    {
      system,
      promptId,
      prompt: turns,
      signal,
      ...(tools !== undefined && { tools }),
      ...(maxTurns !== undefined && { maxTurns }),
    },
    {
      context,
      maxAttempts,
      timeShare: share,
      draftText,
      check(reply) {
        const checked = read(reply);
        if ("value" in checked) return checked;
        issues = checked.issues;
        return { problems: issues.map(describeIssue) };
      },
      correction: () => correctionPrompt(issues),
      onInvalid: (_, attempt) => onInvalid(issues, attempt),
    },
  );
  if (generated.outcome === "valid") return generated;
  if (isRefused) throw new ModelFailed("refusal");
  const { reason, reply } = generated;
  // Prose without any conclusion is as no reply; code does the step.
  if (reply !== undefined && isProse(issues)) throw new ModelFailed("invalid-reply");
  if (reply !== undefined && (reason === "invalid-reply" || reason === "no-time")) {
    throw invalidReply(reply, issues);
  }
  throw new ModelFailed(reason);
}

/** Whether the reply had no JSON object at all. */
function isProse(issues: readonly ReplyIssue[]): boolean {
  return issues.length > 0 && issues.every(({ path }) => path === "");
}

function describeIssue({ path, message }: ReplyIssue): string {
  return path === "" ? message : `${path}: ${message}`;
}
