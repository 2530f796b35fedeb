import type { Router, Run, User } from "@constellation/core";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import { type AGUIEvent, type AGUIOptions, aguiEvents } from "./ag-ui.js";
import { heartbeat, serverSentEvent } from "./server-sent-event.js";
import { type StreamedRun, streamedRun, toHttpStatus } from "./streamed-run.js";
import { type UIMessageOptions, type UIMessagePart, uiMessageParts } from "./ui-messages.js";

/** The form of a stream: events of the mesh, UI messages of the AI SDK, or events of AG-UI. */
export type StreamFormat = "events" | "ui-messages" | "ag-ui";

/** Every {@link StreamFormat}. */
export const streamFormats = [
  "events",
  "ui-messages",
  "ag-ui",
] as const satisfies readonly StreamFormat[];

/** Headers of a stream. */
export function streamHeaders(format: StreamFormat): Readonly<Record<string, string>> {
  return {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no", // a proxy must not buffer
    ...(format === "ui-messages" && { "x-vercel-ai-ui-message-stream": "v1" }),
  };
}

/** A run as the text of its server-sent events. */
export async function* streamTexts(
  run: StreamedRun,
  format: StreamFormat,
  options: UIMessageOptions & AGUIOptions = {},
): AsyncGenerator<string> {
  if (format === "ui-messages") {
    for await (const part of uiMessageParts(run, options)) yield serverSentEvent(undefined, part);
    yield "data: [DONE]\n\n";
    return;
  }
  if (format === "ag-ui") {
    for await (const event of aguiEvents(run, options)) yield serverSentEvent(undefined, event);
    return;
  }
  yield serverSentEvent("run", { runId: run.id, traceId: run.traceId });
  for await (const event of run.events) yield serverSentEvent(event.type, event);
  const response = await run.response;
  yield serverSentEvent("response", { status: toHttpStatus(response), response });
}

/** Options of every stream. */
interface OwnStreamOptions {
  /**
   * The run's router: ids of librarians that `user` may not ask are hidden. Not given: nothing is hidden.
   */
  readonly router?: Pick<Router, "list"> | undefined;
  /** Who reads the stream. */
  readonly user?: User | undefined;
}

/** Options of {@link toSSE}. */
export interface SSEOptions extends OwnStreamOptions, AGUIOptions, UIMessageOptions {
  /** @default "events" */
  readonly format?: StreamFormat | undefined;
  /**
   * Time between two comments that keep a connection open while nothing happens, in milliseconds, 1,000 or more.
   *
   * @default 15_000
   */
  readonly heartbeatMs?: number | undefined;
}

/**
 * A run as a response of server-sent events, for a route of your own. A client that disconnects cancels the run.
 *
 * @param run - Of `router.start`.
 */
export function toSSE(run: Run, options: SSEOptions = {}): globalThis.Response {
  const { format = "events", heartbeatMs = 15_000 } = options;
  const texts = streamTexts(shownRun(run, options), format, options);
  const encoder = new TextEncoder();
  const body = toReadable(run, texts, (text) => encoder.encode(text), {
    chunk: encoder.encode(heartbeat),
    everyMs: Math.max(1_000, heartbeatMs),
  });
  return new globalThis.Response(body, { headers: streamHeaders(format) });
}

/**
 * A run as parts of a UI message of the AI SDK: what `writer.merge` of its `createUIMessageStream` takes, and
 * `createUIMessageStreamResponse`. Cancelling the stream cancels the run.
 *
 * @param run - Of `router.start`.
 */
export function toUIMessageStream(
  run: Run,
  options: OwnStreamOptions & UIMessageOptions = {},
): ReadableStream<UIMessagePart> {
  return toReadable(run, uiMessageParts(shownRun(run, options), options), (part) => part);
}

/**
 * A run as events of AG-UI. Cancelling the stream cancels the run.
 *
 * @param run - Of `router.start`.
 */
export function toAGUIStream(
  run: Run,
  options: OwnStreamOptions & AGUIOptions = {},
): ReadableStream<AGUIEvent> {
  return toReadable(run, aguiEvents(shownRun(run, options), options), (event) => event);
}

function shownRun(run: Run, { router, user }: OwnStreamOptions): StreamedRun {
  if (router === undefined) return streamedRun(run);
  const filter = createLibrarianFilter(router, user);
  return streamedRun(run, (data) => filter.apply(data));
}

/** Reads items only as fast as its reader does. Without a reader there is no timer either. */
function toReadable<Item, Chunk>(
  run: Run,
  items: AsyncGenerator<Item>,
  toChunk: (item: Item) => Chunk,
  idle?: { readonly chunk: Chunk; readonly everyMs: number },
): ReadableStream<Chunk> {
  let beat: ReturnType<typeof setInterval> | undefined;
  return new ReadableStream<Chunk>({
    async pull(controller) {
      if (idle !== undefined) {
        const { chunk, everyMs } = idle;
        beat = setInterval(() => {
          if ((controller.desiredSize ?? 0) > 0) controller.enqueue(chunk);
        }, everyMs);
      }
      try {
        const { done = false, value } = await items.next();
        if (done) controller.close();
        else controller.enqueue(toChunk(value));
      } finally {
        clearInterval(beat);
      }
    },
    async cancel() {
      clearInterval(beat);
      run.cancel("The client disconnected.");
      await items.return(undefined);
    },
  });
}
