import type { UsageRecord } from "../../events/usage.js";
import type { ActiveSpan } from "../../tracing/spans.js";

/** What an observer keeps of a hop. */
export interface HopObservation {
  /** Number of the hop in its run, from 1. */
  readonly id: number;
  span: ActiveSpan | undefined;
  /** What its calls of models used so far, those of its merge included. */
  usage: UsageRecord | undefined;
  /** Number of its reports of progress. */
  progress: number;
}
