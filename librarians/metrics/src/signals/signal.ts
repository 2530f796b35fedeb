import type { Aspect } from "../question/intent.js";

/** Unit of a value, which decides its format and the minimum change. */
export type Unit = "per-second" | "share" | "seconds" | "cores" | "bytes" | "count";

/** One measurement of a workload. */
export interface Signal {
  readonly aspect: Aspect;
  /** Title for people: `Error rate`. */
  readonly title: string;
  readonly unit: Unit;
  /** PromQL that returns one series. */
  readonly query: string;
}
