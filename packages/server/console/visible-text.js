/** Control and format characters, and all that shows nothing, except the selector that colours an emoji. */
const invisible = /(?!\n|\t|\uFE0F)(?:\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point})/gu;

/**
 * Text without characters that cannot be seen: they hide words, or reverse the order of others.
 *
 * @param {string} text
 */
export function visibleText(text) {
  return text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n").replace(invisible, "");
}
