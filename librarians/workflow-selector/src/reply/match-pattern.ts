import { createContext, Script } from "node:vm";

/** What came of comparing a value with a pattern. `unusable`: the pattern is no regular expression. */
export type PatternMatch = "match" | "mismatch" | "unusable" | "too-slow";

/** Most time for one comparison, in milliseconds: some patterns take for ever on some values. */
const mostMs = 50;

const script = new Script("test()");

/** Compares a value with a regular expression, and gives up after 50 ms. */
export function matchPattern(pattern: string, value: string): PatternMatch {
  let form: RegExp;
  try {
    form = new RegExp(pattern, "u");
  } catch {
    return "unusable";
  }
  try {
    const isMatch: unknown = script.runInContext(createContext({ test: () => form.test(value) }), {
      timeout: mostMs,
    });
    return isMatch === true ? "match" : "mismatch";
  } catch {
    return "too-slow";
  }
}
