/** Words by which a question is put, and which say nothing of its subject. */
const frames: readonly (readonly [form: RegExp, kept: string])[] = [
  [/^(\s*(?:so |and )?what (?:does|do|did|is|are)\b.{1,300}?)\bmean(?:t|s|ing)?\b/is, "$1"],
  [/\bhow (?:much|many|long|often|far|come|about)\b/gi, "how"],
  [/\b(?:please|thanks|thank you|tell me|i want to know|i would like to know)\b/gi, ""],
];

/** What a query asks for, without the words by which it asks. Never blank where the query is not. */
export function askedOf(query: string): string {
  let asked = query;
  for (const [form, kept] of frames) asked = asked.replace(form, kept);
  return asked.trim() === "" ? query : asked;
}
