import { errorCodes, type MeshEvent, type Response, type Run } from "@constellation/core";

/** The run of a stream, without data that its reader may not read. */
export interface StreamedRun {
  readonly id: string;
  readonly traceId?: string | undefined;
  readonly events: AsyncIterable<MeshEvent>;
  readonly response: Promise<Response>;
}

/**
 * Filters a run for its reader.
 *
 * @param run - Of `router.start` or `router.resume`. One that another process continues has no events.
 * @param apply - Removes what the reader may not read.
 */
export function streamedRun(
  run: Pick<Run, "id" | "response"> & Partial<Pick<Run, "events">>,
  apply: <Data>(data: Data) => Data = (data) => data,
  traceId?: string,
): StreamedRun {
  const { events = [] } = run;
  return {
    ...{ id: run.id, traceId, response: run.response.then((response) => apply(response)) },
    events: {
      async *[Symbol.asyncIterator]() {
        for await (const event of events) yield apply(publicEvent(event));
      },
    },
  };
}

/**
 * An event for a stream: without data for authors (causes, responses of single hops, prompts), and without the
 * response of `run:end`, which follows as its own event.
 */
function publicEvent(event: MeshEvent): MeshEvent {
  if (event.type === "hop:end") {
    const { cause: _, response: _response, ...rest } = event;
    return rest;
  }
  if (event.type === "model:end") {
    const { content: _, error, ...rest } = event;
    if (error === undefined) return rest as MeshEvent; // readers of streams do without `content`
    const { code, message, details } = error;
    const shown = { code, message, details: { reason: details?.reason } };
    return { ...rest, error: shown } as MeshEvent;
  }
  if (event.type === "run:end") {
    const { response: _, ...rest } = event;
    return rest as MeshEvent; // it follows as an event of its own
  }
  return event;
}

/** The HTTP status of a response: 200 with an answer, else the status of its error code. */
export function toHttpStatus({ answer, error }: Response): number {
  return answer !== undefined || error === undefined ? 200 : errorCodes[error.code].httpStatus;
}
