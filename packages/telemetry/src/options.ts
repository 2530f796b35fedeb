/** Where traces and metrics go, and under which name. Options win over environment variables. */
export interface TelemetryOptions {
  /**
   * Names the application in the backend.
   *
   * @default OTEL_SERVICE_NAME, else "unknown_service:node"
   */
  readonly serviceName?: string | undefined;
  /** Version of the application. None given: `service.version` of OTEL_RESOURCE_ATTRIBUTES, if any. */
  readonly serviceVersion?: string | undefined;
  /** More about the application, over those of OTEL_RESOURCE_ATTRIBUTES. */
  readonly resourceAttributes?: Readonly<Record<string, string | number | boolean>> | undefined;
  /**
   * Base URL of an OTLP/HTTP receiver, http or https; `/v1/traces` and `/v1/metrics` are added.
   *
   * @default OTEL_EXPORTER_OTLP_TRACES_ENDPOINT and OTEL_EXPORTER_OTLP_METRICS_ENDPOINT as they are,
   *   else OTEL_EXPORTER_OTLP_ENDPOINT; without any of them nothing is exported
   */
  readonly endpoint?: string | undefined;
  /** Sent with each request, over those of OTEL_EXPORTER_OTLP_HEADERS. Never logged. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Share of runs that are traced, 0 to 1. A caller that was sampled is followed, whatever the share.
   *
   * @default OTEL_TRACES_SAMPLER and OTEL_TRACES_SAMPLER_ARG, else 1
   */
  readonly sampleRatio?: number | undefined;
  /**
   * Longest time a finished span waits to be sent, in milliseconds: 1 to 2147483647.
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
   * Longest time one batch may take to send, retries included, in milliseconds: 1 to 2147483647.
   *
   * @default OTEL_EXPORTER_OTLP_TIMEOUT, else 10_000
   */
  readonly sendTimeoutMs?: number | undefined;
  /**
   * Sends what is left when the process ends by itself, and on SIGTERM and SIGINT.
   *
   * @default true
   */
  readonly flushOnExit?: boolean | undefined;
  /**
   * Longest time that may delay the end of the process, in milliseconds: 1 to 2147483647.
   *
   * @default 2_000
   */
  readonly exitTimeoutMs?: number | undefined;
}

/** The defaults named in {@link TelemetryOptions} that no environment variable gives. */
export const telemetryDefaults = {
  flushOnExit: true,
  exitTimeoutMs: 2_000,
} as const satisfies TelemetryOptions;

const optionKeys: ReadonlySet<string> = new Set<keyof TelemetryOptions>([
  "serviceName",
  "serviceVersion",
  "resourceAttributes",
  "endpoint",
  "headers",
  "sampleRatio",
  "tracesIntervalMs",
  "metricsIntervalMs",
  "sendTimeoutMs",
  "flushOnExit",
  "exitTimeoutMs",
]);

/** @throws TypeError or RangeError that names the key and the value. */
export function checkTelemetryOptions(options: unknown): TelemetryOptions {
  const given = requireRecord("options", options);
  refuseUnknownKeys(given, optionKeys);
  requireText("serviceName", given.serviceName);
  requireText("serviceVersion", given.serviceVersion);
  requireAttributes(given.resourceAttributes);
  requireUrl(given.endpoint);
  requireHeaders(given.headers);
  const { sampleRatio, flushOnExit } = given;
  if (sampleRatio !== undefined) {
    const expected = `expected 0 to 1, got ${describe(sampleRatio)}`;
    if (typeof sampleRatio !== "number") throw new TypeError(`sampleRatio: ${expected}.`);
    if (!(sampleRatio >= 0 && sampleRatio <= 1)) throw new RangeError(`sampleRatio: ${expected}.`);
  }
  if (flushOnExit !== undefined && typeof flushOnExit !== "boolean") {
    throw new TypeError(`flushOnExit: expected true or false, got ${describe(flushOnExit)}.`);
  }
  for (const key of [
    "tracesIntervalMs",
    "metricsIntervalMs",
    "sendTimeoutMs",
    "exitTimeoutMs",
  ] as const) {
    requireMilliseconds(key, given[key]);
  }
  return given as TelemetryOptions; // every key was checked above
}

/** @throws TypeError that names the value. */
export function requireRecord(key: string, value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>; // an object can be read by any key
  }
  throw new TypeError(`${key}: expected an object, got ${describe(value)}.`);
}

/** @throws TypeError that names the first key that nobody reads. */
export function refuseUnknownKeys(
  options: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): void {
  for (const key of Object.keys(options)) {
    if (!known.has(key) && options[key] !== undefined) {
      throw new TypeError(
        `options: unknown key ${describe(key)}. Known are ${[...known].join(", ")}.`,
      );
    }
  }
}

/** @throws TypeError that names the key and the value. */
export function requireText(key: string, value: unknown): void {
  if (value === undefined || (typeof value === "string" && value.trim() !== "")) return;
  throw new TypeError(`${key}: expected text, got ${describe(value)}.`);
}

/** @throws TypeError or RangeError that names the key and the value. */
export function requireMilliseconds(key: string, value: unknown): void {
  if (value === undefined) return;
  const expected = `expected milliseconds, 1 to ${longestTimerMs}, got ${describe(value)}`;
  if (typeof value !== "number") throw new TypeError(`${key}: ${expected}.`);
  if (!(value >= 1 && value <= longestTimerMs)) throw new RangeError(`${key}: ${expected}.`);
}

/** Longest timer that Node.js can hold, in milliseconds. */
const longestTimerMs = 2_147_483_647;

function requireAttributes(attributes: unknown): void {
  if (attributes === undefined) return;
  const entries = Object.entries(requireRecord("resourceAttributes", attributes));
  for (const [key, value] of entries) {
    if (!["string", "number", "boolean"].includes(typeof value)) {
      throw new TypeError(
        `resourceAttributes[${describe(key)}]: expected text, a number, true or false, got ${describe(value)}.`,
      );
    }
  }
}

function requireUrl(endpoint: unknown): void {
  if (endpoint === undefined) return;
  const expected = `endpoint: expected an http or https URL, got ${describe(endpoint)}.`;
  if (typeof endpoint !== "string") throw new TypeError(expected);
  if (!isHttpUrl(endpoint)) throw new RangeError(expected);
}

/** Whether something can be sent there. */
export function isHttpUrl(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);
}

function requireHeaders(headers: unknown): void {
  if (headers === undefined) return;
  for (const [name, value] of Object.entries(requireRecord("headers", headers))) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new RangeError(`headers: ${describe(name)} is no name of a header.`);
    }
    // What a header says is a secret: only its kind is told.
    if (typeof value !== "string") {
      throw new TypeError(`headers[${describe(name)}]: expected text, got ${typeof value}.`);
    }
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
      throw new RangeError(`headers[${describe(name)}]: has a character no header may have.`);
    }
  }
}

/** A value as an error may show it: texts that could hold a secret only by their length. */
function describe(value: unknown): string {
  if (value === null) return "null";
  if (typeof value === "string") {
    return /^[\w.:/-]{0,60}$/.test(value) ? `"${value}"` : `text of ${value.length} characters`;
  }
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : typeof value;
}
