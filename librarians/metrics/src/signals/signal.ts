import type { Aspect } from "../question/intent.js";

/** Unit of a value: how it is written and which change counts. */
export type Unit = "per-second" | "share" | "seconds" | "cores" | "bytes" | "count";

/** One measurement of a workload. */
export interface Signal {
  readonly aspect: Aspect;
  /** For people: `Error rate`. */
  readonly title: string;
  readonly unit: Unit;
  /** PromQL that gives one series. */
  readonly query: string;
}
