import { isHttpUrl } from "./options.js";
import type { Warn } from "./warning.js";

/** A signal to export, spelled as in the names of environment variables. */
export type Signal = "TRACES" | "METRICS";

const paths = { TRACES: "v1/traces", METRICS: "v1/metrics" } as const;

/**
 * Returns the URL that a signal is sent to.
 *
 * @param endpoint - The option.
 * @returns `undefined`: it is not exported. A variable that is not a URL causes a warning.
 *
 * Source: OpenTelemetry protocol exporter, "Endpoint URLs for OTLP/HTTP".
 */
export function findDestination(
  signal: Signal,
  endpoint: string | undefined,
  warn: Warn,
): string | undefined {
  if (variable("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return undefined;
  if (variable(`OTEL_${signal}_EXPORTER`)?.toLowerCase() === "none") return undefined;
  if (endpoint !== undefined) return joinPath(endpoint, paths[signal]);
  const own = fromVariable(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`, warn);
  if (own !== undefined) return own;
  const base = fromVariable("OTEL_EXPORTER_OTLP_ENDPOINT", warn);
  return base === undefined ? undefined : joinPath(base, paths[signal]);
}

/** Whether a variable disables the export. */
export function isSwitchedOff(): boolean {
  if (variable("OTEL_SDK_DISABLED")?.toLowerCase() === "true") return true;
  return ["TRACES", "METRICS"].every(
    (signal) => variable(`OTEL_${signal}_EXPORTER`)?.toLowerCase() === "none",
  );
}

/** Milliseconds in a variable; `undefined` where it holds no such number. */
export function readMilliseconds(name: string): number | undefined {
  const value = Number(variable(name));
  return Number.isFinite(value) && value >= 1 ? value : undefined;
}

function joinPath(base: string, path: string): string {
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/?$/, `/${path}`);
  return url.href;
}

function fromVariable(name: string, warn: Warn): string | undefined {
  const url = variable(name);
  if (url === undefined || isHttpUrl(url)) return url;
  warn(`${name} is not an http or https URL. It is ignored.`);
  return undefined;
}

/** An empty variable counts as not set. */
function variable(name: string): string | undefined {
  const value = process.env[name]?.trim();
  return value === "" ? undefined : value;
}
