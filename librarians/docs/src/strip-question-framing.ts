/** Phrases that frame a question and do not describe its subject. */
const frames: readonly (readonly [form: RegExp, kept: string])[] = [
  [/^(\s*(?:so |and )?what (?:does|do|did|is|are)\b.{1,300}?)\bmean(?:t|s|ing)?\b/is, "$1"],
  [/\bhow (?:much|many|long|often|far|come|about)\b/gi, "how"],
  [/\b(?:please|thanks|thank you|tell me|i want to know|i would like to know)\b/gi, ""],
];

/** Removes the framing of a question ("can you tell me ..."). Blank only for a blank query. */
export function stripQuestionFraming(query: string): string {
  let asked = query;
  for (const [form, kept] of frames) asked = asked.replace(form, kept);
  return asked.trim() === "" ? query : asked;
}
