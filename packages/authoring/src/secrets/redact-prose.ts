import { redacted } from "./secret-names.js";
import { isPlaceholder, looksMade } from "./value-shape.js";

/** A word for a password, what may link it to its value, the quote before the value, and the value. */
const password =
  /(?<![\w.-])(?:pass(?:word|phrase|code)|passwd|pwd)\s{1,3}(?:(?:is|was|of|set to|changed to|now)\s{1,3}){0,2}(["'`]?)([^\s"'`]{3,256})/gi;
/** The same of a key or token; these words have other meanings, so that a sentence must say "is". */
const token =
  /(?<![\w.-])(?:secret|token|credential|(?:api|access|private)[ _-]?key)\s{1,3}(?:is|was|set to)\s{1,3}(["'`]?)([^\s"'`]{6,256})/gi;

/**
 * Hides passwords that a sentence names: "password hunter2 rejected", `the password "swordfish"`. The shape of the value
 * decides, and quotes around it: a plain word without quotes stays, as in "password rejected".
 */
export function redactProse(text: string): string {
  return text
    .replace(password, (all: string, quote: string, value: string) =>
      hide(all, value, quote !== "" || looksMade(trimmed(value))),
    )
    .replace(token, (all: string, _quote: string, value: string) =>
      hide(all, value, !value.includes("/") && looksMade(trimmed(value))),
    );
}

/** Puts the mark in the place of a value at the end of a match. */
function hide(match: string, value: string, isSecret: boolean): string {
  const shown = trimmed(value);
  if (!isSecret || shown.length < 3 || isPlaceholder(shown)) return match;
  if (shown.startsWith(redacted.slice(0, -1)) || /^[./~$<{([=:|&-]/.test(shown)) return match;
  return match.slice(0, match.length - value.length) + redacted + value.slice(shown.length);
}

/** Without the punctuation that ends a sentence or a bracket. */
function trimmed(value: string): string {
  let end = value.length;
  while (end > 0 && ").,;:!?]}>".includes(value[end - 1] ?? "")) end--;
  return value.slice(0, end);
}
