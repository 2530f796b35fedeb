import { RE2JS } from "re2js";

/** Outcome of comparing a value with a pattern. `unusable`: the pattern is not a regular expression, or not a linear one. */
export type PatternMatch = "match" | "mismatch" | "unusable";

/**
 * Compares a value with a regular expression that someone else wrote, in time proportional to the value: RE2 has no
 * backtracking, and no look-around and back-references either.
 */
export function matchPattern(pattern: string, value: string): PatternMatch {
  try {
    const form = RE2JS.compile(RE2JS.translateRegExp(pattern));
    return form.matcher(value).find() ? "match" : "mismatch";
  } catch {
    return "unusable";
  }
}
