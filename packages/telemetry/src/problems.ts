import type { Signal } from "./destination.js";
import type { Warn } from "./warning.js";

/** Consequence of a problem: the batch is lost, or the collector does not accept this signal. */
export type Verdict = "lost" | "unwanted";

/** Warns of collectors that fail, once for each address, however many signals go there. */
export interface Problems {
  /** @returns Called with each problem of a batch. */
  of(signal: Signal, url: string): (problem: string) => Verdict;
}

/** @param warn - Called with one line. */
export function createProblems(warn: Warn): Problems {
  const warned = new Set<string>();

  function warnOnce(key: string, message: string): void {
    if (warned.has(key)) return;
    warned.add(key);
    warn(message);
  }

  return {
    of(signal, url) {
      const { origin, pathname } = new URL(url); // leaves out user, password and query
      return (problem) => {
        // A backend for traces only, such as Jaeger.
        if (signal === "METRICS" && problem === notFound) {
          warnOnce(
            `${origin} metrics`,
            `${origin} takes no metrics (404): only traces are sent. OTEL_METRICS_EXPORTER=none says so beforehand.`,
          );
          return "unwanted";
        }
        warnOnce(
          origin,
          `The collector at ${origin}${pathname} ${problem}: traces and metrics are being lost. Further export failures are not logged.`,
        );
        return "lost";
      };
    },
  };
}

/** The problem, as `createPoster` reports it. */
const notFound = "answered with status 404";
