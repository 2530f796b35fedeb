/**
 * Removes matching characters from the end of a text. It takes time in proportion to what it leaves
 * out; `text.replace(/[.-]+$/, "")` takes quadratic time, since it tries every place.
 *
 * @param character - Matches one character, such as `/[.\s]/`. Without the flags `g` and `y`.
 */
export function trimTrailing(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0) {
    const start = /[\uD800-\uDBFF]/.test(text.charAt(end - 2)) ? end - 2 : end - 1;
    if (!character.test(text.slice(start, end))) break;
    end = start;
  }
  return text.slice(0, end);
}
