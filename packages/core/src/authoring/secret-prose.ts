import { redacted } from "./secret-names.js";

/** A word for a password, what links it to its value, the quote before the value, and the value. */
const password =
  /(?<![\w.-])((?:with|using)\s{1,3})?(pass(?:word|phrase|code)|passwd|pwd)\s{1,3}((?:is|was|of|set to|changed to|now)\s{1,3}){0,2}(["'`]?)([^\s"'`]{3,256})/gi;
/** The same of a key or token; these words have other meanings, so that a sentence must say "is". */
const token =
  /(?<![\w.-])(secret|token|credential|(?:api|access|private)[ _-]?key)\s{1,3}(?:is|was|set to)\s{1,3}(["'`]?)([^\s"'`]{6,256})/gi;

/** Words after a word for a password that are not a password. */
const ordinary = new Set(
  `about above accepted access added after against again algorithm all already also and any are as asked at auth authentication
authenticator authorization based been before below blank but by can cannot change changed changes check checked checking
complexity configured contains correct could created credential credentials database denied did digest does doesn't email
empty encrypted encryption entered entry env error errors exists expiration expired expires expiry expiring failed fails failure field file
files for format forgotten from generated generation generator good grant guess had has hash hashed hashes hashing have hidden
hint history ignored in incorrect input insecure instead invalid isn't it its key known leaked left length less long login lost managed
manager match matches may mismatch missing must name necessary needed needs never new none nor not null obsolete off often okay old
only option or out outdated over parameter password passwords path policies policy present prompt protected protection provided
provider public recovery refused reject rejected removed repeated required requirement requirements requires reset resets
resetting reused right rotated rotation rule rules safe same secret secrets secure security sent set setting settings should
shown since so specified still storage store stored strength strong supplied than that the their then there they this through to
token tokens too try undefined under unchanged unknown unset until unused update updated updates use used user username
users utility valid validation value variable variables vault verification verified verify via was wasn't weak when where which while will
with without won't wrong you your`.split(/\s+/),
);

/**
 * Hides passwords that a sentence names: "password hunter2 rejected", "my passwd is swordfish", "pwd x9".
 * What only speaks of a password stays: "password rejected", "password is wrong".
 */
export function redactProse(text: string): string {
  return text
    .replace(
      password,
      (
        all: string,
        before: string | undefined,
        word: string,
        link: string | undefined,
        quote: string,
        value: string,
      ) => {
        const isShort = /^(?:passwd|pwd)$/i.test(word);
        const isNamed = before !== undefined || link !== undefined || quote !== "" || isShort;
        return hide(all, value, isNamed || looksLikePassword(trimmed(value)));
      },
    )
    .replace(token, (all: string, _word: string, _quote: string, value: string) =>
      hide(all, value, /\d/.test(value) && /[a-z]/i.test(value) && !value.includes("/")),
    );
}

/** Puts the mark in the place of a value at the end of a match. */
function hide(match: string, value: string, isSecret: boolean): string {
  const shown = trimmed(value);
  if (!isSecret || !isValue(shown)) return match;
  return match.slice(0, match.length - value.length) + redacted + value.slice(shown.length);
}

function isValue(value: string): boolean {
  if (value.length < 3 || value.startsWith(redacted.slice(0, -1))) return false;
  if (/^[./~$<{([=:|&-]/.test(value)) return false; // a path, a placeholder, an operator
  return !ordinary.has(value.toLowerCase());
}

/** Letters with digits or signs in them, and neither a number with its unit nor a plain word. */
function looksLikePassword(value: string): boolean {
  if (/^\d+(?:[-.]\w+|ms|s|m|h|d|st|nd|rd|th)?$/i.test(value)) return false;
  return /\d/.test(value) ? /[a-z]/i.test(value) : /[!@#$%^&*+~?]/.test(value);
}

/** Without the punctuation that ends a sentence or a bracket. */
function trimmed(value: string): string {
  let end = value.length;
  while (end > 0 && ").,;:!?]}>".includes(value[end - 1] ?? "")) end--;
  return value.slice(0, end);
}
