import { redactSecrets } from "@constellation/authoring";

/** Maximum number of characters of one quotation. */
const maxQuoteLength = 400;
/** Maximum number of characters of it that are looked at. */
const maxLooked = 2_000;

/** Share of a quotation that is too long which is kept of its end: errors name their cause last. A short one is a beginning. */
const endShare = 0.4;
const minWithEnd = 300;

/** Quotes untrusted text on one line of limited length, without secrets and control characters; what is too long loses its middle. */
export function quote(text: string, most: number = maxQuoteLength): string {
  const line = redactSecrets(text.slice(0, maxLooked), { maxLength: maxLooked })
    .replace(/\s+/g, " ")
    .trim();
  if (line.length <= most) return line;
  if (most < minWithEnd) return `${line.slice(0, most)}…`;
  const end = Math.floor(most * endShare);
  return `${line.slice(0, most - end)}…${line.slice(-end)}`;
}
