import type { Router } from "@constellation/core";
import { destinationOf } from "./destination.js";
import { flushOnExit } from "./exit.js";
import {
  checkTelemetryOptions,
  refuseUnknownKeys,
  requireMilliseconds,
  requireRecord,
  requireText,
  type TelemetryOptions,
  telemetryDefaults,
} from "./options.js";
import { recordRuns } from "./run-metrics.js";
import type { Sdk } from "./sdk.js";
import { warn } from "./warning.js";

/** Traces and metrics under way to a collector. */
export interface Telemetry {
  /** False when there is nowhere to send to: then everything here does nothing. */
  readonly isExporting: boolean;
  /**
   * Records metrics of a router's runs, from its events.
   *
   * @returns A function that stops recording; `shutdown` does the same.
   * @throws TypeError for a router or an option that is none.
   */
  recordMetrics(router: Pick<Router, "on">, options?: MetricsOptions): () => void;
  /**
   * Sends what has been recorded up to now. Never rejects.
   *
   * @returns Whether all of it has arrived within the time given.
   * @throws TypeError or RangeError for a wrong option.
   */
  flush(options?: FlushOptions): Promise<boolean>;
  /**
   * Flushes, then gives everything back: listeners, timers, connections, and its place as the
   * application's SDK. Never rejects. A second call gives the first one's promise.
   *
   * @throws TypeError or RangeError for a wrong option.
   */
  shutdown(options?: FlushOptions): Promise<void>;
}

/** How `recordMetrics` names a router. */
export interface MetricsOptions {
  /** Told as `gen_ai.workflow.name`: the router's `name`. None given: left out. */
  readonly workflowName?: string | undefined;
}

/** How long `flush` and `shutdown` may take. */
export interface FlushOptions {
  /**
   * Milliseconds: 1 to 2147483647.
   *
   * @default 5_000
   */
  readonly timeoutMs?: number | undefined;
}

/** Whether one has been started and not shut down. */
let isStarted = false;

/**
 * Sends the traces of every router in the process, and metrics of those given to `recordMetrics`, to
 * an OpenTelemetry collector. Await it before the first query.
 *
 * Nothing that a collector does or fails to do reaches the application: what cannot be sent is
 * dropped, with one process warning for traces and one for metrics.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value, at once. Error when it
 *   has been started already: one process has one; call `shutdown` first.
 *
 * @example
 * ```ts
 * const telemetry = await startTelemetry({ serviceName: "help-desk" });
 * ```
 */
export function startTelemetry(options: TelemetryOptions = {}): Promise<Telemetry> {
  const checked = checkTelemetryOptions(options);
  if (isStarted) {
    throw new Error("Telemetry has been started already: shut it down before starting it again.");
  }
  isStarted = true;
  return start(checked);
}

async function start(options: TelemetryOptions): Promise<Telemetry> {
  const { endpoint } = options;
  const traces = destinationOf("TRACES", endpoint);
  const metrics = destinationOf("METRICS", endpoint);
  if (traces === undefined && metrics === undefined) return telemetryOf(undefined, options);
  try {
    const { startSdk } = await import("./sdk.js");
    const sdk = startSdk(options, { traces, metrics });
    if (sdk === undefined) {
      warn("Another tracing SDK is registered. It is left in place, and nothing is exported here.");
    }
    return telemetryOf(sdk, options);
  } catch (thrown) {
    const kind = thrown instanceof Error ? thrown.name : typeof thrown;
    warn(`The tracing SDK could not be started (${kind}). Nothing is exported.`);
    return telemetryOf(undefined, options);
  }
}

function telemetryOf(sdk: Sdk | undefined, options: TelemetryOptions): Telemetry {
  const { exitTimeoutMs = telemetryDefaults.exitTimeoutMs } = options;
  const recordings = new Set<() => void>();
  let recorded = 0;
  let flushedUpTo = 0;
  let closing: Promise<void> | undefined;

  const activity = () => recorded + (sdk?.ended ?? 0);

  async function flush(timeoutMs: number, isLast = false): Promise<boolean> {
    if (sdk === undefined) return true;
    const lostBefore = sdk.lost;
    const sent = await within(timeoutMs, async () => {
      await nextTurn(); // spans of hops that were stopped end just after the response
      flushedUpTo = activity();
      await sdk.flush(isLast);
    });
    if (!sent && isLast) sdk.tellLate();
    return sent && sdk.lost === lostBefore;
  }

  const takeOff =
    sdk === undefined || options.flushOnExit === false
      ? undefined
      : flushOnExit({
          hasAny: () => activity() > flushedUpTo,
          flush: () => flush(exitTimeoutMs, true),
        });

  async function close(timeoutMs: number): Promise<void> {
    for (const stop of recordings) stop();
    await flush(timeoutMs, true);
    takeOff?.();
    await sdk?.close();
    isStarted = false;
  }

  return {
    isExporting: sdk !== undefined,
    recordMetrics(router, metricsOptions = {}) {
      const workflowName = workflowNameOf(router, metricsOptions);
      const meter = closing === undefined ? sdk?.meter : undefined;
      if (meter === undefined) return () => {};
      const unsubscribe = recordRuns(router, meter, workflowName, () => {
        recorded++;
      });
      const stop = () => {
        recordings.delete(stop);
        unsubscribe();
      };
      recordings.add(stop);
      return stop;
    },
    flush: (flushOptions) => flush(timeoutOf(flushOptions)),
    shutdown(flushOptions) {
      const timeoutMs = timeoutOf(flushOptions);
      closing ??= close(timeoutMs);
      return closing;
    },
  };
}

const defaultFlushMs = 5_000;
const flushKeys: ReadonlySet<string> = new Set<keyof FlushOptions>(["timeoutMs"]);
const metricsKeys: ReadonlySet<string> = new Set<keyof MetricsOptions>(["workflowName"]);

function timeoutOf(options: FlushOptions = {}): number {
  const given = requireRecord("options", options);
  refuseUnknownKeys(given, flushKeys);
  requireMilliseconds("timeoutMs", given.timeoutMs);
  return options.timeoutMs ?? defaultFlushMs;
}

function workflowNameOf(router: unknown, options: MetricsOptions): string | undefined {
  if (typeof requireRecord("router", router).on !== "function") {
    throw new TypeError("router: expected an object with `on`, got one without.");
  }
  const given = requireRecord("options", options);
  refuseUnknownKeys(given, metricsKeys);
  requireText("workflowName", given.workflowName);
  return options.workflowName;
}

/** Whether the work was done in time. The timer holds the process: whoever flushes wants to wait. */
async function within(ms: number, work: () => Promise<void>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work().then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
