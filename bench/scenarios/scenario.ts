import type { Core } from "../core.js";
import type { Effort, Row } from "../measure.js";

/** What a scenario has to work with. */
export interface Setting {
  readonly core: Core;
  /** Root of the checkout whose core is measured; this one where not given. */
  readonly checkout: string | undefined;
  readonly effort: Effort;
}

/** Something that is measured, in a process of its own. */
export interface Scenario {
  readonly name: string;
  /** What is measured, in a few words. */
  readonly title: string;
  /** Left out of the quick mode. */
  readonly isSlow?: boolean | undefined;
  measure(setting: Setting): Promise<readonly Row[]>;
}
