import type { MeshEvent, Response, User, Waiting } from "@constellation/core";
import { mayAnswer } from "@constellation/core/checks";
import { createAnswerText, type TextChange } from "./answer-text.js";
import { createHopStates, type HopState } from "./hop-states.js";
import type { StreamedRun } from "./streamed-run.js";
import { formatToolCallId, type ShownWaiting, shownWaiting } from "./ui-messages.js";

/** A wait of a run, in the form of AG-UI. */
export interface AGUIInterrupt {
  readonly id: string;
  readonly reason: string;
  readonly message: string;
  /** JSON Schema of the `payload` that answers it. */
  readonly responseSchema: Readonly<Record<string, unknown>>;
  /** ISO 8601. */
  readonly expiresAt?: string;
  readonly metadata: { readonly waiting: ShownWaiting };
}

/** An event of AG-UI, version 1: the part that this package writes. */
export type AGUIEvent =
  | { readonly type: "RUN_STARTED"; readonly threadId: string; readonly runId: string }
  | { readonly type: "STATE_SNAPSHOT"; readonly snapshot: Readonly<Record<string, unknown>> }
  | {
      readonly type: "STATE_DELTA";
      readonly delta: readonly {
        readonly op: "add" | "replace";
        readonly path: string;
        readonly value: unknown;
      }[];
    }
  | { readonly type: "STEP_STARTED" | "STEP_FINISHED"; readonly stepName: string }
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly unknown[] }
  | {
      readonly type: "TEXT_MESSAGE_START";
      readonly messageId: string;
      readonly role: "assistant";
    }
  | {
      readonly type: "TEXT_MESSAGE_CONTENT";
      readonly messageId: string;
      readonly delta: string;
    }
  | { readonly type: "TEXT_MESSAGE_END"; readonly messageId: string }
  | {
      readonly type: "RUN_FINISHED";
      readonly threadId: string;
      readonly runId: string;
      readonly result?: unknown;
      readonly outcome:
        | { readonly type: "success" }
        | { readonly type: "interrupt"; readonly interrupts: readonly AGUIInterrupt[] };
    }
  | { readonly type: "RUN_ERROR"; readonly message: string; readonly code: string };

/** Options of {@link aguiEvents}. */
export interface AGUIOptions {
  /** Who reads the stream, and may answer what the run waits for. */
  readonly user?: User | undefined;
  /** Id of the conversation. Default: that of the run. */
  readonly threadId?: string | undefined;
  /** The client's id of the run. Default: the run's own, which is in the state too. */
  readonly runId?: string | undefined;
  /** The client's state, which is kept beside `mesh`. Default: empty. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
  /** The conversation so far, which is restored when text is withdrawn. Default: empty. */
  readonly messages?: readonly unknown[] | undefined;
}

/** Writes a run as events: text, hops as steps and as `mesh` of the state, and what it waits for as interrupts. */
export async function* aguiEvents(
  run: StreamedRun,
  { user, threadId = run.id, runId = run.id, state = {}, messages = [] }: AGUIOptions = {},
): AsyncGenerator<AGUIEvent> {
  yield { type: "RUN_STARTED", threadId, runId };
  const mesh = { runId: run.id, traceId: run.traceId, hops: [], sources: [] };
  yield { type: "STATE_SNAPSHOT", snapshot: { ...state, mesh } };
  const writer = createEventWriter(run.id, messages);
  for await (const event of run.events) yield* writer.add(event);
  const response = await run.response;
  yield* writer.end(response);
  const { answer, error, confidence, partial, sources = [], metadata = {} } = response;
  const delta = { op: "replace" as const, path: "/mesh/sources", value: sources };
  if (sources.length > 0) yield { type: "STATE_DELTA", delta: [delta] };
  const waiting = metadata.waiting ?? [];
  const interrupts = waiting.filter((wait) => canAnswer(wait, user)).map(toInterrupt);
  if (answer === undefined && waiting.length === 0) {
    const { code = "INTERNAL_ERROR", message = "There is no answer." } = error ?? {};
    yield { type: "RUN_ERROR", code, message };
    return;
  }
  const others = waiting.filter((wait) => !canAnswer(wait, user)).map(shownWaiting);
  yield {
    ...{ type: "RUN_FINISHED", threadId, runId },
    result: {
      ...{ runId: run.id, confidence, partial, missing: metadata.missing },
      ...(others.length > 0 && { waiting: others }),
      ...(error !== undefined && { error: { code: error.code, message: error.message } }),
    },
    outcome: interrupts.length > 0 ? { type: "interrupt", interrupts } : { type: "success" },
  };
}

function createEventWriter(id: string, messages: readonly unknown[]) {
  const hops = createHopStates();
  const text = createAnswerText();
  /** Places in the state, by number of the hop. */
  const places = new Map<number, number>();
  const running = new Map<number, string>();
  let count = 0;
  let isOpen = false;
  const messageId = () => `${id}-${count}`;

  function* change(each: TextChange): Generator<AGUIEvent> {
    if ("isWithdrawn" in each) {
      if (isOpen) yield { type: "TEXT_MESSAGE_END", messageId: messageId() };
      isOpen = false;
      yield { type: "MESSAGES_SNAPSHOT", messages };
      return;
    }
    if (!isOpen) {
      count++;
      yield { type: "TEXT_MESSAGE_START", messageId: messageId(), role: "assistant" };
    }
    isOpen = true;
    yield { type: "TEXT_MESSAGE_CONTENT", messageId: messageId(), delta: each.text };
  }

  function* show(hop: HopState): Generator<AGUIEvent> {
    const place = places.get(hop.id);
    const path = place === undefined ? "/mesh/hops/-" : `/mesh/hops/${place}`;
    if (place === undefined) places.set(hop.id, places.size);
    const stepName = `${hop.to} #${hop.id}`;
    if (hop.state === "running" && !running.has(hop.id)) {
      running.set(hop.id, stepName);
      yield { type: "STEP_STARTED", stepName };
    }
    const op = place === undefined ? "add" : "replace";
    yield { type: "STATE_DELTA", delta: [{ op, path, value: hop }] };
    if (hop.state !== "running" && running.delete(hop.id)) {
      yield { type: "STEP_FINISHED", stepName };
    }
  }

  return {
    *add(event: MeshEvent): Generator<AGUIEvent> {
      const hop = hops.add(event);
      if (hop !== undefined) yield* show(hop);
      for (const each of text.add(event)) yield* change(each);
    },
    *end({ answer }: Response): Generator<AGUIEvent> {
      for (const each of text.end(answer)) yield* change(each);
      if (isOpen) yield { type: "TEXT_MESSAGE_END", messageId: messageId() };
      // Does not wait for librarians that have not stopped.
      for (const stepName of running.values()) yield { type: "STEP_FINISHED", stepName };
    },
  };
}

function canAnswer(wait: Waiting, user: User | undefined): boolean {
  return (wait.kind === "approval" || wait.kind === "question") && mayAnswer(wait, user);
}

const approvalSchema = {
  type: "object",
  properties: { approved: { type: "boolean" }, comment: { type: "string" } },
  required: ["approved"],
};

function toInterrupt(wait: Waiting): AGUIInterrupt {
  const { kind, what, schema, expiresAt } = wait;
  return {
    ...{ id: formatToolCallId(wait), reason: kind, message: what },
    responseSchema: kind === "approval" ? approvalSchema : { ...schema },
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    metadata: { waiting: shownWaiting(wait) },
  };
}
