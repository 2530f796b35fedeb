/** A way of asking, as a word that the index can hold; no analyzer gives a word with a colon. */
export type QuestionForm = `form:${string}`;

const forms: readonly (readonly [QuestionForm, RegExp])[] = [
  ["form:how", /\bhow (?:do|can|should|could|would|to|does|is|are)\b|\bsteps?\b/i],
  ["form:why", /\bwhy\b|\bwhat (?:caused|is the (?:cause|reason))/i],
  ["form:which", /\bwhich\b/i],
  ["form:where", /\bwhere\b/i],
  ["form:what-is", /\bwhat(?:['’]s| is| are)\b/i],
  ["form:whether", /^\W*(?:is|are|does|do|did|has|have|can)\b/i],
  ["form:explain", /\b(?:explain|describe|what does)\b/i],
  ["form:show", /^\W*(?:show|list|give me)\b/i],
  ["form:recommend", /\b(?:recommend|select|pick|choose|suggest|propose)\b/i],
];

/** How a text asks: "how do I" is asked of others than "why is". */
export function formsOf(text: string): readonly QuestionForm[] {
  return forms.flatMap(([name, form]) => (form.test(text) ? name : []));
}
