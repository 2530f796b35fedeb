/** Longest timer that Node.js can hold, in milliseconds: about 24.8 days. */
export { maxTimerMs } from "../contract/option-checks.js";
