import type { Source } from "../../contract/response.js";

/** What the model reads: answers and sources under ids of ours. */
export interface Material {
  readonly answers: readonly {
    readonly id: string;
    readonly librarian: string;
    readonly answer: string;
    /** Ids of its sources. */
    readonly sources: readonly string[];
  }[];
  readonly sources: readonly {
    readonly id: string;
    readonly name: string;
    readonly source: Source;
  }[];
}

/** What the model writes. */
export interface Draft {
  readonly claims: readonly {
    readonly text: string;
    /** Ids of the answers it is from. */
    readonly from: readonly string[];
    /** Ids of the sources that support it. */
    readonly sources: readonly string[];
  }[];
  readonly contradictions: readonly { readonly text: string; readonly from: readonly string[] }[];
}

/**
 * Checks a draft: each id is one we gave, each claim names an answer, each source is one of those
 * answers' own, each number is in one of them.
 *
 * @returns The first problem; `undefined` when there is none.
 */
export function checkBlend(draft: Draft, material: Material, query: string): string | undefined {
  const answerOf = new Map(material.answers.map((each) => [each.id, each]));
  const asked = numbersIn(query);
  if (draft.claims.length === 0) return "claims: expected one or more";
  for (const [place, { text, from, sources = [] }] of [
    ...draft.claims,
    ...draft.contradictions.map((each) => ({ ...each, sources: [] })),
  ].entries()) {
    const at = `statement ${place + 1}`;
    if (text.trim() === "") return `${at}: is blank`;
    if (from.length === 0) return `${at}: is from no answer`;
    const answers = from.map((id) => answerOf.get(id));
    if (answers.includes(undefined)) return `${at}: names an answer that is not there`;
    const offered = new Set(answers.flatMap((each) => each?.sources ?? []));
    if (sources.some((id) => !offered.has(id))) {
      return `${at}: names a source that its answers do not have`;
    }
    const known = numbersIn(answers.map((each) => each?.answer).join("\n"));
    const stray = [...numbersIn(text)].find((number) => !known.has(number) && !asked.has(number));
    if (stray !== undefined) return `${at}: the number ${stray} is in none of its answers`;
  }
  return undefined;
}

/** Numbers as they are written, with thousands run together: `1,024.5` is `1024.5`. */
function numbersIn(text: string): Set<string> {
  const found = text.match(/\d+(?:[.,]\d+)*/g) ?? [];
  return new Set(found.map((number) => number.replace(/,(?=\d{3}(?:\D|$))/g, "")));
}
