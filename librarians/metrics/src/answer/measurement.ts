import type { Aspect, SignalsIntent } from "../question/intent.js";
import type { Subject } from "../question/subject.js";
import type { TimeWindow } from "../question/time-window.js";
import type { Assessment } from "../signals/assess.js";

/** Measurements of a workload, and what was asked of them. */
export interface Measurement extends Pick<SignalsIntent, "asksWhether"> {
  readonly subject: Subject;
  readonly window: TimeWindow;
  /** In the order of the golden signals. */
  readonly assessments: readonly Assessment[];
  /** Aspects that the question asks for. */
  readonly requested: readonly Aspect[];
}
