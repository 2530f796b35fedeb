/** A part of a query that may have a subject of its own. */
export interface Clause {
  readonly text: string;
  /** Where it is in the query, in characters. */
  readonly start: number;
  readonly end: number;
  /** Whether the sentence it is in is a question. */
  readonly isQuestion: boolean;
}

/** Maximum number of clauses of a query; what comes after is one more. */
const maxClauses = 16;

/** A longer query is not cut: what is pasted into it has no clauses. */
const maxCutLength = 4_000;

/** Between sentences, at commas, semicolons and colons, and at conjunctions. */
const borders =
  /(?<=[.?!;])\s+|\n\s*(?:(?:[-–—+&]|and also|and then|and|or|but|then|plus|also|while|whereas|as well as|along with|together with)\s+)?|[,;:](?=\s)(?:\s+(?:and|or|but|then|also|plus|so))*\s+|(?<!\s)\s+(?:[-–—+&]|and also|and then|and|or|but|then|plus|also|while|whereas|as well as|along with|together with)\s+/giu;

/** Cuts a query at the borders of sentences and clauses and at conjunctions. At least one clause. */
export function clausesOf(query: string): readonly Clause[] {
  if (query.length > maxCutLength) return [whole(query)];
  const clauses: Clause[] = [];
  let start = 0;
  const take = (from: number, to: number) => {
    const raw = query.slice(from, to);
    const text = raw.trim().replace(/^(?:and|or|but|then|also|plus|so)\s+/i, "");
    if (!/[\p{L}\p{N}]/u.test(text)) return;
    const end = from + raw.trimEnd().length;
    const sentenceEnd = /[.?!\n]/.exec(query.slice(Math.max(from, end - 1)))?.[0];
    clauses.push({ text, start: end - text.length, end, isQuestion: sentenceEnd === "?" });
  };
  for (const border of query.matchAll(borders)) {
    if (clauses.length >= maxClauses - 1) break;
    take(start, border.index);
    start = border.index + border[0].length;
  }
  take(start, query.length);
  return clauses.length > 0 ? clauses : [whole(query)];
}

function whole(query: string): Clause {
  return { text: query.trim(), start: 0, end: query.length, isQuestion: false };
}
