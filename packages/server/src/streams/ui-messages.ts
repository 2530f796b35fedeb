import type { MeshEvent, Response, Source, User, Waiting } from "@constellation/core";
import { mayAnswer } from "@constellation/core/checks";
import { createAnswerText, type TextChange } from "./answer-text.js";
import { createHopStates, type HopState } from "./hop-states.js";
import type { StreamedRun } from "./streamed-run.js";

/** Metadata of the message of a run. */
export interface RunMetadata {
  readonly runId: string;
  readonly traceId?: string;
  /** The following fields come from the response. */
  readonly confidence?: number;
  readonly partial?: boolean;
  readonly missing?: readonly unknown[];
}

/** A part of a UI message stream of the AI SDK, version 1: the kinds that this package writes. */
export type UIMessagePart =
  | {
      readonly type: "start";
      readonly messageId?: string;
      readonly messageMetadata: RunMetadata;
    }
  | { readonly type: "start-step" | "reset-step" | "finish-step" }
  | { readonly type: "text-start" | "text-end"; readonly id: string }
  | { readonly type: "text-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "data-hop"; readonly id: string; readonly data: HopState }
  | { readonly type: "data-waiting"; readonly id: string; readonly data: ShownWaiting }
  | { readonly type: "data-error"; readonly data: ShownError }
  | {
      readonly type: "source-url";
      readonly sourceId: string;
      readonly url: string;
      readonly title: string;
    }
  | {
      readonly type: "source-document";
      readonly sourceId: string;
      readonly mediaType: string;
      readonly title: string;
    }
  | {
      readonly type: "tool-input-available";
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: ShownWaiting;
      readonly dynamic: true;
    }
  | {
      readonly type: "tool-approval-request";
      readonly approvalId: string;
      readonly toolCallId: string;
      readonly reason?: string;
    }
  | {
      readonly type: "tool-output-available";
      readonly toolCallId: string;
      readonly output: unknown;
      readonly dynamic: true;
    }
  | { readonly type: "tool-output-denied"; readonly toolCallId: string }
  | { readonly type: "error"; readonly errorText: string }
  | {
      readonly type: "finish";
      readonly finishReason: "stop" | "tool-calls" | "error";
      readonly messageMetadata: RunMetadata;
    };

/** A wait, as shown by a front end. */
export type ShownWaiting = Pick<
  Waiting,
  "kind" | "librarian" | "what" | "why" | "data" | "schema" | "expiresAt"
>;

/** The error of a response, as shown by a front end. */
export interface ShownError {
  readonly code: string;
  readonly message: string;
  readonly suggestion?: string;
}

/** An answer that the client has given to something that the run waited for. */
export interface GivenAnswer {
  readonly toolCallId: string;
  /** `undefined`: it was refused. */
  readonly output: unknown;
}

/** Options of {@link uiMessageParts}. */
export interface UIMessageOptions {
  /** Who reads the stream, and may answer what the run waits for. */
  readonly user?: User | undefined;
  /** Id of the message. Default: the client makes one. */
  readonly messageId?: string | undefined;
  /** Answers of the client, where the run continues. */
  readonly answers?: readonly GivenAnswer[] | undefined;
}

/** Id of the tool call for a wait: the run, a slash, and the wait. */
export function formatToolCallId({ runId, id }: Pick<Waiting, "runId" | "id">): string {
  return `${runId}/${id}`;
}

/** Inverse of {@link formatToolCallId}. */
export function readToolCallId(toolCallId: string): { runId: string; waitId: string } | undefined {
  const slash = toolCallId.indexOf("/");
  if (slash < 1) return undefined;
  return { runId: toolCallId.slice(0, slash), waitId: toolCallId.slice(slash + 1) };
}

/** Writes a run as parts of one UI message: text, sources, its hops as data, and what it waits for as tools. */
export async function* uiMessageParts(
  run: StreamedRun,
  { user, messageId, answers = [] }: UIMessageOptions = {},
): AsyncGenerator<UIMessagePart> {
  const { id: runId, traceId } = run;
  const metadata = { runId, ...(traceId !== undefined && { traceId }) };
  yield {
    ...{ type: "start", messageMetadata: metadata },
    ...(messageId !== undefined && { messageId }),
  };
  for (const { toolCallId, output } of answers) {
    yield output === undefined
      ? { type: "tool-output-denied", toolCallId }
      : { type: "tool-output-available", toolCallId, output, dynamic: true };
  }
  const writer = createPartWriter(runId);
  for await (const event of run.events) yield* writer.add(event);
  const response = await run.response;
  yield* writer.end(response);
  yield* (response.sources ?? []).map((source, index) => sourcePart(source, `source-${index + 1}`));
  const waiting = response.metadata?.waiting ?? [];
  for (const wait of waiting) yield* waitParts(wait, user);
  const { answer, confidence, partial, error, metadata: { missing } = {} } = response;
  const shown = error === undefined ? undefined : shownError(error);
  if (shown !== undefined && waiting.length === 0) yield { type: "data-error", data: shown };
  const hasFailed = answer === undefined && waiting.length === 0;
  if (hasFailed) yield { type: "error", errorText: shown?.message ?? "There is no answer." };
  yield {
    type: "finish",
    finishReason: hasFailed ? "error" : waiting.length > 0 ? "tool-calls" : "stop",
    messageMetadata: {
      ...metadata,
      ...(confidence !== undefined && { confidence }),
      ...(partial !== undefined && { partial }),
      ...(missing !== undefined && { missing }),
    },
  };
}

/** Writes hops, and the text of the answer in a separate step, because a step can be withdrawn. */
function createPartWriter(runId: string) {
  const hops = createHopStates();
  const text = createAnswerText();
  /** Data in the step of the text, which is sent again when the step is withdrawn. */
  const inStep = new Map<string, UIMessagePart>();
  let texts = 0;
  let hasStep = false;
  let isOpen = false;
  const textId = () => `${runId}-text-${texts}`;

  function* change(each: TextChange): Generator<UIMessagePart> {
    if ("isWithdrawn" in each) {
      isOpen = false;
      yield { type: "reset-step" };
      yield* inStep.values();
      return;
    }
    if (!hasStep) yield { type: "start-step" };
    hasStep = true;
    if (!isOpen) {
      texts++;
      yield { type: "text-start", id: textId() };
    }
    isOpen = true;
    yield { type: "text-delta", id: textId(), delta: each.text };
  }

  return {
    *add(event: MeshEvent): Generator<UIMessagePart> {
      const hop = hops.add(event);
      if (hop !== undefined) {
        const part: UIMessagePart = { type: "data-hop", id: `${runId}-hop-${hop.id}`, data: hop };
        if (hasStep) inStep.set(part.id, part);
        yield part;
      }
      for (const each of text.add(event)) yield* change(each);
    },
    *end({ answer }: Response): Generator<UIMessagePart> {
      for (const each of text.end(answer)) yield* change(each);
      if (isOpen) yield { type: "text-end", id: textId() };
      if (hasStep) yield { type: "finish-step" };
    },
  };
}

/** A source with a web address as a link; any other source by name. */
function sourcePart({ name, url }: Source, sourceId: string): UIMessagePart {
  return url !== undefined && /^https?:\/\//i.test(url)
    ? { type: "source-url", sourceId, url, title: name }
    : { type: "source-document", sourceId, mediaType: "text/plain", title: name };
}

function* waitParts(wait: Waiting, user: User | undefined): Generator<UIMessagePart> {
  const toolCallId = formatToolCallId(wait);
  const input = shownWaiting(wait);
  const { kind, why } = wait;
  if (kind === "event" || kind === "outcome-unknown" || !mayAnswer(wait, user)) {
    yield { type: "data-waiting", id: toolCallId, data: input };
    return;
  }
  yield { type: "tool-input-available", toolCallId, toolName: kind, input, dynamic: true };
  if (kind === "approval") {
    const reason = why === undefined ? {} : { reason: why };
    yield { type: "tool-approval-request", approvalId: toolCallId, toolCallId, ...reason };
  }
}

/** @returns The wait without the people who may answer it. */
export function shownWaiting(wait: Waiting): ShownWaiting {
  const { kind, librarian, what, why, data, schema, expiresAt } = wait;
  return {
    ...{ kind, librarian, what },
    ...(why !== undefined && { why }),
    ...(data !== undefined && { data }),
    ...(schema !== undefined && { schema }),
    ...(expiresAt !== undefined && { expiresAt }),
  };
}

export function shownError({
  code,
  message,
  suggestion,
}: NonNullable<Response["error"]>): ShownError {
  return { code, message, ...(suggestion !== undefined && { suggestion }) };
}
