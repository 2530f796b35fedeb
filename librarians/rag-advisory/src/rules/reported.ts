/** Sentences with one of these report what another says. */
export const reported = [
  "according to",
  "in its|their|the|a ..3 report|survey|study|forecast|outlook",
  "@attributed that",
];
