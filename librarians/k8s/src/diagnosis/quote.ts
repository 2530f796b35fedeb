import { redactSecrets } from "@constellation/authoring";

/** Maximum number of characters of one quotation. */
const maxQuoteLength = 400;
/** Maximum number of characters of it that are looked at. */
const maxLooked = 2_000;

/** Quotes untrusted text on one line of limited length, without secrets and control characters. */
export function quote(text: string, most: number = maxQuoteLength): string {
  const line = redactSecrets(text.slice(0, maxLooked), { maxLength: maxLooked })
    .replace(/\s+/g, " ")
    .trim();
  return line.length > most ? `${line.slice(0, most)}…` : line;
}
