import type { Response } from "../contract/response.js";
import type { MeshEvent } from "../events/events.js";
import { type RunRecord, recordOf } from "../events/run-record.js";
import type { AskOptions } from "./ask-options.js";
import { createEventBuffer } from "./event-buffer.js";
import { performRun } from "./perform-run.js";
import { cancelled, type Mesh, RunState } from "./run-state.js";

/** One query under way: its response to come, what happens meanwhile, and the way to stop it. */
export interface Run {
  /** Names it: `requestId` of its contexts, `runId` of its events. */
  readonly id: string;
  /** Resolves with a valid response, always. */
  readonly response: Promise<Response>;
  /**
   * What happens, from the first event on, however late the reading begins; ends after `run:end`.
   * Left out are progress beyond 10,000 events and refused hops beyond 1,000, or what goes beyond
   * 4,194,304 characters of both.
   */
  readonly events: AsyncIterable<MeshEvent>;
  /** Stops it: the response comes at once, with what there is, else `TIMEOUT`, reason `cancelled`. */
  cancel(reason?: string): void;
  /** Resolves when the last of its librarians has really stopped. */
  readonly settled: Promise<void>;
  /** What happened so far: every hop, and why the run ended. */
  explain(): RunRecord;
}

/** Starts a run whose events are kept. */
export function startRun(mesh: Mesh, query: unknown, options: AskOptions): Run {
  const buffer = createEventBuffer();
  const state = new RunState(mesh, query, options, buffer);
  const response = performRun(state, options.to);
  return {
    id: state.id,
    response,
    events: { [Symbol.asyncIterator]: () => buffer.read() },
    cancel: (reason) => state.closeAll(cancelled("The caller cancelled.", reason)),
    get settled() {
      return state.settled();
    },
    explain() {
      const { events, omittedRefusals } = buffer;
      const record = recordOf(events);
      return omittedRefusals === 0 ? record : { ...record, omittedRefusals };
    },
  };
}
