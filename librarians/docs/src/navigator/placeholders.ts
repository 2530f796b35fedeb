import type { CitedSections } from "./cited-sections.js";
import { finding, type NavigatorFinding } from "./finding.js";

/** What a text has where its author meant to write something else. */
const form =
  /\/path\/to\/[\w.-]{0,60}|\[(?:insert|your|add)\b[^[\]]{0,60}\]|\b(?:TODO|TBD|FIXME)\b|\$\{YOUR_[A-Z0-9_]{1,40}\}|<(?:insert|your)[ _-][^<>]{0,60}>|\blorem ipsum\b/gi;

/** Maximum number of placeholders that are named. */
const maxNamed = 10;

/** Finds placeholders that no cited section has, and an answer that says nothing. */
export function placeholdersIn(
  answer: string,
  { sections }: CitedSections,
): readonly NavigatorFinding[] {
  if (answer.trim() === "") {
    return [finding("error", "schema", "answer", "", "The answer is empty.")];
  }
  const found = new Set([...answer.matchAll(form)].map(([text]) => text));
  return [...found]
    .filter((text) => !sections.some(({ raw }) => raw.includes(text)))
    .slice(0, maxNamed)
    .map((text) => {
      const message = `"${text}" is a placeholder that no cited section has. Write what the sections say.`;
      return finding("error", "hallucination", "answer", text, message);
    });
}
