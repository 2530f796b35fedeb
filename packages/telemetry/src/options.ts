import { optionField, parseOptions } from "@constellation/authoring";
import { maxTimerMs } from "@constellation/core";
import { z } from "zod";

/** Destination and name of traces and metrics. Options override environment variables. */
export interface TelemetryOptions {
  /**
   * Name of the application in the backend.
   *
   * @default OTEL_SERVICE_NAME, else "unknown_service:node"
   */
  readonly serviceName?: string | undefined;
  /**
   * Version of the application.
   *
   * @default `service.version` of OTEL_RESOURCE_ATTRIBUTES, else the version of the package that npm runs
   */
  readonly serviceVersion?: string | undefined;
  /**
   * Further attributes of the application, which override those of OTEL_RESOURCE_ATTRIBUTES. Defaults are
   * `host.name` and a random `service.instance.id`.
   */
  readonly resourceAttributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /**
   * Base URL of an OTLP/HTTP receiver, http or https; `/v1/traces` and `/v1/metrics` are added.
   *
   * @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and OTEL_EXPORTER_OTLP_METRICS_ENDPOINT as they are,
   *   else OTEL_EXPORTER_OTLP_ENDPOINT; without any of them nothing is exported
   */
  readonly endpoint?: string | undefined;
  /** Sent with each request; overrides those of OTEL_EXPORTER_OTLP_HEADERS. Never logged. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Share of runs that are traced, 0 to 1. Runs of a sampled caller are always traced.
   *
   * @default OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, else 1
   */
  readonly sampleRatio?: number | undefined;
  /**
   * Maximum time a finished span waits to be sent, in milliseconds: 1 to 2147483647.
   *
   * @default OTEL_BSP_SCHEDULE_DELAY, else 5_000
   */
  readonly tracesIntervalMs?: number | undefined;
  /**
   * Time between two reports of metrics, in milliseconds: 1 to 2147483647.
   *
   * @default OTEL_METRIC_EXPORT_INTERVAL, else 60_000
   */
  readonly metricsIntervalMs?: number | undefined;
  /**
   * Maximum time one batch may take to send, retries included, in milliseconds: 1 to 2147483647.
   *
   * @default OTEL_EXPORTER_OTLP_TIMEOUT, else 10_000
   */
  readonly sendTimeoutMs?: number | undefined;
  /**
   * Sends unsent data when the process ends, and on SIGTERM and SIGINT.
   *
   * @default true
   */
  readonly flushOnExit?: boolean | undefined;
  /**
   * Maximum time that may delay the end of the process, in milliseconds: 1 to 2147483647.
   *
   * @default 2_000
   */
  readonly exitTimeoutMs?: number | undefined;
  /**
   * Called with each warning for the operator, such as a collector that cannot be reached: one line,
   * without a header or a password.
   *
   * @default a process warning with code `CONSTELLATION_TELEMETRY`
   */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Options of `recordMetrics`. */
export interface MetricsOptions {
  /** Recorded as `gen_ai.workflow.name`: the router's `name`. Absent: left out. */
  readonly workflowName?: string | undefined;
}

/** Options of `flush` and `shutdown`. */
export interface FlushOptions {
  /**
   * Milliseconds: 1 to 2147483647.
   *
   * @default 5_000
   */
  readonly timeoutMs?: number | undefined;
}

/** The defaults named in {@link TelemetryOptions} that no environment variable gives. */
export const telemetryDefaults = {
  flushOnExit: true,
  exitTimeoutMs: 2_000,
} as const satisfies TelemetryOptions;

const milliseconds = z
  .number(`expected milliseconds, 1 to ${maxTimerMs}`)
  .min(1, `expected milliseconds, 1 to ${maxTimerMs}`)
  .max(maxTimerMs, `expected milliseconds, 1 to ${maxTimerMs}`);

const attributeValue = z.union(
  [z.string(), z.number(), z.boolean()],
  "expected text, a number, true or false",
);

const telemetrySchema = z.strictObject({
  serviceName: optionField.text("text").optional(),
  serviceVersion: optionField.text("text").optional(),
  resourceAttributes: z.record(z.string(), attributeValue, "expected an object").optional(),
  endpoint: z
    .string("expected an http or https URL")
    .refine(isHttpUrl, "expected an http or https URL")
    .optional(),
  headers: z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, "expected the name of a header"),
      z
        .string("expected text")
        .regex(/^[\t\x20-\x7e\x80-\xff]*$/, "expected characters that a header may have"),
      "expected an object",
    )
    .optional(),
  sampleRatio: optionField.number(0, 1).optional(),
  tracesIntervalMs: milliseconds.optional(),
  metricsIntervalMs: milliseconds.optional(),
  sendTimeoutMs: milliseconds.optional(),
  flushOnExit: optionField.flag().optional(),
  exitTimeoutMs: milliseconds.optional(),
  onWarning: optionField.callback("a function of a message").optional(),
});

const flushSchema = z.strictObject({ timeoutMs: milliseconds.optional() });
const metricsSchema = z.strictObject({ workflowName: optionField.text("text").optional() });

/** @throws TypeError or RangeError that names the key and the value. */
export function parseTelemetryOptions(options: unknown): TelemetryOptions {
  parseOptions(telemetrySchema, options, { secrets: ["headers"] });
  return options as TelemetryOptions; // every key was checked
}

/** @throws TypeError or RangeError that names the key and the value. */
export function parseFlushOptions(options: unknown): FlushOptions {
  return parseOptions(flushSchema, options);
}

/** @throws TypeError or RangeError that names the key and the value. */
export function parseMetricsOptions(options: unknown): MetricsOptions {
  return parseOptions(metricsSchema, options);
}

/** Whether a request can be sent to it. */
export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}
