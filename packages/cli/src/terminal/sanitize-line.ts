import { sanitizeText } from "@constellation/authoring";

/** Untrusted text in one line of a terminal, at most `maxLength` characters long. */
export function sanitizeLine(text: string, maxLength = 1_000): string {
  // What is cut off need not be cleaned.
  return sanitizeText(text.slice(0, maxLength * 4), { singleLine: true, maxLength });
}
