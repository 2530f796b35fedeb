import { redactSecrets } from "@constellation/core/authoring";

/** Most characters of one text of others. */
const longest = 400;
/** Maximum number of characters of it that are looked at. */
const maxLooked = 2_000;

/** Makes text of others fit for a line of an answer: no secrets, no control characters, one line, cut. */
export function quote(text: string, most: number = longest): string {
  const line = redactSecrets(text.slice(0, maxLooked), { maxLength: maxLooked })
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
