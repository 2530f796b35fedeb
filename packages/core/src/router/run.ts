import type { Response } from "../contract/response.js";
import type { MeshEvent } from "../events/events.js";
import type { RecordOptions } from "../events/record-content.js";
import { type RunRecord, recordOf } from "../events/run-record.js";
import type { AskOptions } from "./ask-options.js";
import { createEventBuffer } from "./observation/event-buffer.js";
import { createRunObserver } from "./observation/run-observer.js";
import { type Continued, performRun } from "./perform-run.js";
import { callerCancelled } from "./run/errors.js";
import type { Mesh } from "./run/model.js";

/** One query under way: its response to come, its events, and the way to stop it. */
export interface Run {
  /** Names it: `requestId` of its contexts, `runId` of its events. */
  readonly id: string;
  /** Resolves with a valid response. Never rejects. */
  readonly response: Promise<Response>;
  /**
   * Its events, from the first one on, also for a reader that begins late; ends after `run:end`.
   * Left out are progress beyond 10,000 events and refused hops beyond 1,000, or what goes beyond
   * 4,194,304 characters of both.
   */
  readonly events: AsyncIterable<MeshEvent>;
  /** Stops it: the response comes at once, with what there is, else `TIMEOUT`, reason `cancelled`. */
  cancel(reason?: string): void;
  /** Resolves when the last of its librarians has really stopped. */
  readonly settled: Promise<void>;
  /** Cancels it and waits for `settled`: what `await using run = router.start(...)` does at the end of its block. */
  [Symbol.asyncDispose](): Promise<void>;
  /** Its record so far: every hop, and why the run ended; with `content` also what was said. */
  explain(options?: RecordOptions): RunRecord;
}

/** Starts a run whose events are kept. */
export function startRun(
  mesh: Mesh,
  query: unknown,
  options: AskOptions,
  continued?: Continued,
): Run {
  const buffer = createEventBuffer();
  const observer = createRunObserver(mesh, buffer);
  const { run, response } = performRun(mesh, query, options, observer, continued);
  return {
    id: run.id,
    response,
    events: { [Symbol.asyncIterator]: () => buffer.read() },
    cancel: (reason) => run.calls.close(callerCancelled(reason)),
    get settled() {
      return run.calls.settled();
    },
    [Symbol.asyncDispose]() {
      run.calls.close(callerCancelled("disposed"));
      return run.calls.settled();
    },
    explain(options) {
      const { events, omittedRefusals } = buffer;
      const record = recordOf(events, Date.now(), options);
      return omittedRefusals === 0 ? record : { ...record, omittedRefusals };
    },
  };
}
