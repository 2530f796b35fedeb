import { type AIMessage, type Context, MeshError } from "@constellation/core";
import { invalidReply } from "../reply/invalid-reply.js";
import { redact } from "../reply/redact.js";
import type { ReplyIssue } from "../reply/selection.js";
import { reasonOf, untilOver } from "../until-over.js";
import { correctionPrompt } from "./selection-prompt.js";

/** Most replies of a model for one step. */
const mostAttempts = 3;
/** Least time that is worth a call, in milliseconds. */
const leastMs = 250;
/** Kept for what comes after the calls: a tenth of what remains, at most this, in milliseconds. */
const reserveMs = 500;
/** Most characters of a reply that is shown to the model again. */
const longestReply = 20_000;

/** The model did not reply: failed, refused, too late. What it was to do can be done without it. */
export class ModelFailed extends Error {
  override readonly name = "ModelFailed";
  /** A code of `errorCodes`, or `no-time`. */
  readonly reason: string;

  constructor(reason: string) {
    super(`The model did not reply: ${reason}.`);
    this.reason = reason;
  }
}

/** One step of talking with a model. */
export interface Step<Value> {
  /** Turns so far, the last one the user's. */
  readonly turns: readonly AIMessage[];
  /** Share of what remains of the time that each call may take, 0 to 1. */
  readonly share: number;
  /** Asks the model. */
  readonly ask: (turns: readonly AIMessage[], limits: CallLimits) => Promise<string>;
  readonly read: (
    reply: string,
  ) => { readonly value: Value } | { readonly issues: readonly ReplyIssue[] };
  /** Told of every reply that is not valid. */
  readonly onInvalid: (issues: readonly ReplyIssue[], attempt: number) => void;
}

/** What a call of a model is given. */
export interface CallLimits {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** A value that passed, with the reply it was read from. */
export interface Answered<Value> {
  readonly value: Value;
  readonly reply: string;
  /** How many replies it took, from 1. */
  readonly attempts: number;
}

/**
 * Asks until a reply is valid: three times at most, each time with all that was wrong, as long as there is time.
 *
 * @throws ModelFailed when the model does not reply; MeshError `INTERNAL_ERROR`, reason `invalid-response`, when
 *   no reply was valid; MeshError `TIMEOUT` when the caller no longer waits.
 */
export async function askUntilValid<Value>(
  { turns, share, ask, read, onInvalid }: Step<Value>,
  context: Context,
): Promise<Answered<Value>> {
  let said = turns;
  let last: MeshError | undefined;
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const timeoutMs = timeFor(context, share);
    if (timeoutMs < leastMs) throw last ?? new ModelFailed("no-time");
    const reply = await replyOf(ask, said, timeoutMs, context);
    const checked = read(reply);
    if ("value" in checked) return { value: checked.value, reply, attempts: attempt };
    onInvalid(checked.issues, attempt);
    last = invalidReply(reply, checked.issues);
    said = [
      ...turns,
      { role: "assistant", text: shown(reply) },
      { role: "user", text: correctionPrompt(checked.issues) },
    ];
  }
  throw last ?? new ModelFailed("no-time");
}

/** A reply as a turn of the conversation: never blank, bounded. */
export function shown(reply: string): string {
  return reply.trim() === "" ? "(nothing)" : redact(reply, longestReply);
}

async function replyOf(
  ask: Step<unknown>["ask"],
  turns: readonly AIMessage[],
  timeoutMs: number,
  context: Context,
): Promise<string> {
  const { signal } = context;
  const limits: CallLimits = {
    ...(signal !== undefined && { signal }),
    ...(Number.isFinite(timeoutMs) && { timeoutMs: Math.floor(timeoutMs) }),
  };
  try {
    return await untilOver(() => ask(turns, limits), { signal, deadline: Date.now() + timeoutMs });
  } catch (thrown) {
    if (signal?.aborted === true) throw reasonOf(signal);
    if (thrown instanceof ModelFailed) throw thrown;
    throw new ModelFailed(thrown instanceof MeshError ? thrown.code : "AI_UNAVAILABLE");
  }
}

function timeFor(
  { remainingMs, deadline = Number.POSITIVE_INFINITY }: Context,
  share: number,
): number {
  const remains = remainingMs?.() ?? deadline - Date.now();
  if (remains === Number.POSITIVE_INFINITY) return remains;
  return (remains - Math.min(reserveMs, remains / 10)) * share;
}
