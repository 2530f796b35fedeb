import type { CitedSections } from "./cited-sections.js";
import { finding, type NavigatorFinding } from "./finding.js";
import type { NavigatorResponse } from "./navigator-response.js";

/** Placeholders that an author left in a text. */
const form =
  /\/path\/to\/[\w.-]{0,60}|\[(?:insert|your|add)\b[^[\]]{0,60}\]|\b(?:TODO|TBD|FIXME)\b|\$\{YOUR_[A-Z0-9_]{1,40}\}|<(?:insert|your)[ _-][^<>]{0,60}>|\blorem ipsum\b/gi;

/** Maximum number of placeholders that are reported. */
const maxNamed = 10;

/** Reports placeholders that no cited section has, in any text of the response, and an empty answer. */
export function findPlaceholders(
  { answer, sources, confidenceReason, relatedTopics = [] }: NavigatorResponse,
  { sections }: CitedSections,
): readonly NavigatorFinding[] {
  if (answer.trim() === "") {
    return [finding("error", "schema", "answer", "", "The answer is empty.")];
  }
  const texts: readonly (readonly [field: string, text: string])[] = [
    ["answer", answer],
    ["confidenceReason", confidenceReason],
    ...sources.flatMap(({ section, relevance }, at) => [
      [`sources[${at}].section`, section] as const,
      [`sources[${at}].relevance`, relevance] as const,
    ]),
    ...relatedTopics.map((topic, at) => [`relatedTopics[${at}]`, topic] as const),
  ];
  return texts
    .flatMap(([field, text]) =>
      [...new Set([...text.matchAll(form)].map(([found]) => found))].map(
        (found) => [field, found] as const,
      ),
    )
    .filter(([, found]) => !sections.some(({ raw }) => raw.includes(found)))
    .slice(0, maxNamed)
    .map(([field, found]) => {
      const message = `"${found}" is a placeholder that no cited section has. Replace it with the text of the sections.`;
      return finding("error", "hallucination", field, found, message);
    });
}
