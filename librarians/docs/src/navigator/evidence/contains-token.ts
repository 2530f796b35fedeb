/**
 * Characters that must not be next to a token: letters, digits and `_`; for flags and files also
 * `-`.
 */
export type Boundary = "word" | "name";

/**
 * Whether a text contains a token as a whole, not as a part of a longer one: `--repo-server` does
 * not contain `--repo`. Both in the same case.
 */
export function containsToken(text: string, token: string, boundary: Boundary = "word"): boolean {
  if (token === "") return false;
  for (let at = text.indexOf(token); at !== -1; at = text.indexOf(token, at + 1)) {
    const end = at + token.length;
    // A token that begins or ends with punctuation needs no boundary there.
    const opens = !isPart(token, 0, "word") || !isPart(text, at - 1, boundary);
    const closes = !isPart(token, token.length - 1, "word") || !isPart(text, end, boundary);
    if (opens && closes) return true;
  }
  return false;
}

function isPart(text: string, at: number, boundary: Boundary): boolean {
  const code = text.charCodeAt(at); // NaN outside of the text
  if (code === hyphen) return boundary === "name";
  if (code < 128) {
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === underscore
    );
  }
  return code >= 128 && letter.test(text.charAt(at));
}

const hyphen = 45;
const underscore = 95;
const letter = /[\p{L}\p{N}]/u;
