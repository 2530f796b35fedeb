import { createHash } from "node:crypto";
import type { Attributes, Span } from "@opentelemetry/api";
import type { DecisionRecord } from "../contract/journal.js";
import type { MeshError } from "../contract/mesh-error.js";
import type { DelegateRequest, Progress } from "../contract/response.js";
import { describeThrown } from "../contract/unknown-value.js";
import type { User } from "../contract/user.js";
import { attributes } from "./attributes.js";
import { idText } from "./spans.js";

/**
 * Names of span events. Each row: what it marks, and what it holds.
 *
 * `exception` and its attributes are OpenTelemetry's.
 */
export const spanEvents = {
  /** A hop was delegated or asked: its time limit, and with `recordContent` the reason. */
  delegation: "librarian.delegation",
  /** The librarian has responded, and its delegates are called: their ids. */
  responded: "librarian.responded",
  /** A librarian reported progress; with `recordContent` its text. The first 100 of a hop. */
  progress: "librarian.progress",
  /** A wait was answered: its kind and outcome, and with `recordContent` by whom. */
  decision: "librarian.decision",
  /** A model's reply was not used: `error.type`, `librarian.error.reason`, `librarian.ai.problem`. */
  modelFailed: "librarian.model.failed",
  /** A librarian threw: `exception.type`, and with `recordContent` the frames of its stack. */
  exception: "exception",
} as const;

const maxTextLength = 1_000;
const maxStackLength = 8_000;
const maxIds = 32;

/** @param timeoutMs - Time limit of the hop, in milliseconds; `Infinity` is left out. */
export function addDelegation(
  span: Span,
  { timeoutMs, reason }: { readonly timeoutMs: number; readonly reason: unknown },
  withContent: boolean,
): void {
  const values: Attributes = {};
  if (Number.isFinite(timeoutMs)) values[attributes.timeoutMs] = Math.round(timeoutMs);
  if (withContent && typeof reason === "string") {
    values[attributes.reason] = reason.slice(0, maxTextLength);
  }
  span.addEvent(spanEvents.delegation, values);
}

export function addResponded(span: Span, delegates: readonly DelegateRequest[]): void {
  const named = delegates.length > maxIds ? delegates.slice(0, maxIds) : delegates;
  span.addEvent(spanEvents.responded, {
    [attributes.delegates]: named.map(({ to }) => idText(to)),
  });
}

/** Pieces of an answer are not noted. */
export function addProgress(span: Span, progress: string | Progress, withContent: boolean): void {
  const message =
    typeof progress === "string" ? progress : "message" in progress ? progress.message : undefined;
  if (message === undefined) return;
  span.addEvent(spanEvents.progress, {
    ...(withContent && { [attributes.message]: message.slice(0, maxTextLength) }),
  });
}

/** @param decision - How a wait of the hop was answered. */
export function addDecision(span: Span, decision: DecisionRecord, withContent: boolean): void {
  const { kind, outcome, by, answeredAt } = decision;
  span.addEvent(spanEvents.decision, {
    [attributes.waitKind]: kind,
    [attributes.decisionOutcome]: outcome,
    [attributes.decidedAt]: new Date(answeredAt).toISOString(),
    ...(by !== undefined && userAttributes({ id: by }, withContent)),
  });
}

/** The problem names a field and what was expected there. */
export function addModelFailure(
  span: Span,
  { code, reason, details }: MeshError,
  promptId: string | undefined,
): void {
  const { status, problem } = details ?? {};
  span.addEvent(spanEvents.modelFailed, {
    [attributes.errorType]: code,
    ...(reason !== undefined && { [attributes.errorReason]: reason }),
    ...(promptId !== undefined && { [attributes.promptId]: promptId }),
    ...(typeof status === "number" && { [attributes.httpStatus]: status }),
    ...(typeof problem === "string" && {
      [attributes.problem]: problem.slice(0, maxTextLength),
    }),
  });
}

/**
 * Records an exception without its message, which may hold a secret.
 *
 * Source: semantic conventions for exceptions on spans.
 */
export function addException(span: Span, thrown: unknown, withContent: boolean): void {
  const frames = withContent ? findFrames(thrown) : "";
  span.addEvent(spanEvents.exception, {
    [attributes.exceptionType]: describeThrown(thrown),
    ...(frames !== "" && { [attributes.exceptionStack]: frames.slice(0, maxStackLength) }),
  });
}

/** The user: a hash that is the same for the same id, and the id itself only with content. */
export function userAttributes(user: User, withContent: boolean): Attributes {
  const id: unknown = user.id;
  if (typeof id !== "string" || id === "") return {};
  const hash = createHash("sha256").update(id).digest("hex").slice(0, 16);
  return {
    [attributes.userHash]: hash,
    ...(withContent && { [attributes.userId]: id.slice(0, maxTextLength) }),
  };
}

/** Lines of a stack that name places in code, after the message. */
function findFrames(thrown: unknown): string {
  try {
    if (!(thrown instanceof Error)) return "";
    const { message, stack = "" } = thrown;
    const end = stack.indexOf(message);
    const below = end === -1 ? stack : stack.slice(end + message.length);
    return below
      .slice(0, 2 * maxStackLength)
      .split("\n")
      .filter((line) => line.startsWith("    at ") && /:\d{1,9}:\d{1,9}\)?$/.test(line))
      .join("\n");
  } catch {
    return ""; // a value that cannot be read
  }
}
