import { describeValue } from "@constellation/authoring";
import { type Router, withDeadline } from "@constellation/core";
import { findDestination, isSwitchedOff } from "./destination.js";
import { flushOnExit } from "./exit.js";
import {
  type FlushOptions,
  type MetricsOptions,
  parseFlushOptions,
  parseMetricsOptions,
  parseTelemetryOptions,
  type TelemetryOptions,
  telemetryDefaults,
} from "./options.js";
import { recordRuns } from "./run-metrics.js";
import type { Sdk } from "./sdk.js";
import { guardedWarn, type Warn } from "./warning.js";

/** Traces and metrics that are sent to a collector. */
export interface Telemetry {
  /** False when no endpoint is configured: every method then does nothing. */
  readonly isExporting: boolean;
  /**
   * Records metrics of a router's runs, from its events.
   *
   * @returns A function that stops recording; `shutdown` does the same.
   * @throws TypeError for an argument that is not a router, or a wrong option.
   */
  recordMetrics(router: Pick<Router, "on">, options?: MetricsOptions): () => void;
  /**
   * Sends everything recorded so far. Never rejects.
   *
   * @returns Whether all of it arrived in time.
   * @throws TypeError or RangeError for a wrong option.
   */
  flush(options?: FlushOptions): Promise<boolean>;
  /**
   * Flushes, then releases everything: listeners, timers, connections, and its registration as the
   * application's SDK. Never rejects. A second call returns the promise of the first.
   *
   * @throws TypeError or RangeError for a wrong option.
   */
  shutdown(options?: FlushOptions): Promise<void>;
}

/** Whether telemetry is started and not shut down. */
let isStarted = false;

/**
 * Sends the traces of every router in the process, and metrics of those given to `recordMetrics`, to
 * an OpenTelemetry collector. Await it before the first query.
 *
 * A collector that fails does not affect the application: data that cannot be sent is dropped, with
 * one warning. Where no endpoint is named nothing is exported, and one warning says so.
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
  const checked = parseTelemetryOptions(options);
  if (isStarted) {
    throw new Error("Telemetry has been started already: shut it down before starting it again.");
  }
  isStarted = true;
  return start(checked);
}

async function start(options: TelemetryOptions): Promise<Telemetry> {
  const { endpoint } = options;
  let warnings = 0;
  const report = guardedWarn(options.onWarning);
  const warn: Warn = (message) => {
    warnings++;
    report(message);
  };
  const traces = findDestination("TRACES", endpoint, warn);
  const metrics = findDestination("METRICS", endpoint, warn);
  if (traces === undefined && metrics === undefined) {
    if (warnings === 0 && !isSwitchedOff()) warn(nothingExported);
    return createTelemetry(undefined, options);
  }
  try {
    const { startSdk } = await import("./sdk.js");
    const sdk = startSdk(options, { traces, metrics }, warn);
    if (sdk === undefined) {
      warn("Another tracing SDK is registered. It stays, and nothing is exported here.");
    }
    return createTelemetry(sdk, options);
  } catch (thrown) {
    const kind = thrown instanceof Error ? thrown.name : typeof thrown;
    warn(`The tracing SDK could not be started (${kind}). Nothing is exported.`);
    return createTelemetry(undefined, options);
  }
}

const nothingExported =
  "Nothing is exported: no endpoint is named. Set OTEL_EXPORTER_OTLP_ENDPOINT, for example to http://localhost:4318, or pass `endpoint`. To silence this warning, set OTEL_SDK_DISABLED=true.";

function createTelemetry(sdk: Sdk | undefined, options: TelemetryOptions): Telemetry {
  const { exitTimeoutMs = telemetryDefaults.exitTimeoutMs } = options;
  const recordings = new Set<() => void>();
  let recorded = 0;
  let flushedUpTo = 0;
  let closing: Promise<void> | undefined;

  const activity = () => recorded + (sdk?.ended ?? 0);

  async function flush(timeoutMs: number, isLast = false): Promise<boolean> {
    if (sdk === undefined) return true;
    const lostBefore = sdk.lost;
    // The timer keeps the process alive: a caller of flush wants to wait.
    const sent = await withDeadline({ timeoutMs }, async () => {
      await nextTurn(); // spans of hops that were stopped end just after the response
      flushedUpTo = activity();
      await sdk.flush(isLast);
      return true;
    }).catch(() => false);
    if (!sent && isLast) sdk.warnLate();
    return sent && sdk.lost === lostBefore;
  }

  const removeExitListeners =
    sdk === undefined || options.flushOnExit === false
      ? undefined
      : flushOnExit({
          hasAny: () => activity() > flushedUpTo,
          flush: () => flush(exitTimeoutMs, true),
        });

  async function close(timeoutMs: number): Promise<void> {
    for (const stop of recordings) stop();
    await flush(timeoutMs, true);
    removeExitListeners?.();
    await sdk?.close();
    isStarted = false;
  }

  return {
    isExporting: sdk !== undefined,
    recordMetrics(router, metricsOptions = {}) {
      const workflowName = checkWorkflowName(router, metricsOptions);
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
    flush: (flushOptions) => flush(getTimeoutMs(flushOptions)),
    shutdown(flushOptions) {
      const timeoutMs = getTimeoutMs(flushOptions);
      closing ??= close(timeoutMs);
      return closing;
    },
  };
}

const defaultFlushMs = 5_000;

function getTimeoutMs(options: FlushOptions = {}): number {
  return parseFlushOptions(options).timeoutMs ?? defaultFlushMs;
}

function checkWorkflowName(router: unknown, options: MetricsOptions): string | undefined {
  if (typeof (router as Partial<Router> | null)?.on !== "function") {
    throw new TypeError(`router: expected an object with on, got ${describeValue(router)}.`);
  }
  return parseMetricsOptions(options).workflowName;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
