import { type ContentSpan, findForbidden } from "./content-rules.js";
import { removablePraise } from "./forbidden-language.js";

/** A sentence that keeps the content rules, and what was wrong with it before. */
export interface CleanedSentence {
  /** Absent: it could not be said otherwise, and is dropped. */
  readonly text?: string;
  /** What broke a rule; empty where nothing did. */
  readonly violations: readonly ContentSpan[];
}

/** Rewrites a sentence that breaks a content rule once, by taking praise out of it, or drops it. */
export function cleanSentence(sentence: string): CleanedSentence {
  const violations = findForbidden(sentence);
  if (violations.length === 0) return { text: sentence, violations };
  const rewritten = sentence
    .replace(removablePraise, (_praise, article?: string, next?: string) =>
      article === undefined ? "" : /[aeiou]/i.test(next ?? "") ? "an " : "a ",
    )
    .trim();
  const text = rewritten.charAt(0).toUpperCase() + rewritten.slice(1);
  const isClean = text !== sentence && findForbidden(text).length === 0;
  return { ...(isClean && { text }), violations };
}
