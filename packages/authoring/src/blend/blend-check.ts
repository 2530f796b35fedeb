import type { Source } from "@constellation/core";
import { followsEnough, type GroundedText, type GroundText } from "./ground-text.js";

/** Input of the model: answers and sources under ids that the blend assigns. */
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

/** Output of the model. */
export interface Draft {
  readonly claims: readonly {
    readonly text: string;
    /** Ids of the answers it is based on. */
    readonly from: readonly string[];
    /** Ids of the sources that support it. */
    readonly sources: readonly string[];
  }[];
  readonly contradictions: readonly { readonly text: string; readonly from: readonly string[] }[];
}

/** A draft of which each sentence follows from the answers it is from. */
export interface CheckedDraft extends Draft {
  readonly ungrounded: GroundedText["ungrounded"];
}

/**
 * Keeps the statements of a draft that follow from the answers they name. Each id must have been assigned, each
 * source must belong to those answers, each answer must be in the text, and most of the text must be kept; otherwise
 * the plain answers are better.
 *
 * @returns The draft, or the first problem.
 */
export function checkBlend(
  draft: Draft,
  material: Material,
  ground: GroundText,
): { readonly draft: CheckedDraft } | { readonly problem: string } {
  if (draft.claims.length === 0) return { problem: "claims: expected one or more" };
  const problem = findWrongName(draft, material);
  if (problem !== undefined) return { problem };
  const ungrounded: GroundedText["ungrounded"][number][] = [];
  let kept = 0;
  const keep = <Statement extends { readonly text: string; readonly from: readonly string[] }>(
    all: readonly Statement[],
  ) =>
    all.flatMap((each) => {
      const grounded = ground(each.text, answersOf(each, material));
      ungrounded.push(...grounded.ungrounded);
      kept += grounded.kept;
      return grounded.text === "" ? [] : [{ ...each, text: grounded.text }];
    });
  const claims = keep(draft.claims);
  const [one] = ungrounded;
  const why = one === undefined ? "" : `; this does not follow: ${one.sentence}`;
  // A text with many errors is not worth a repair, because the plain answers are available.
  if (!followsEnough({ kept, ungrounded }))
    return { problem: `claims: too many follow from no answer${why}` };
  const left = material.answers.find(({ id }) => !claims.some(({ from }) => from.includes(id)));
  if (left !== undefined) return { problem: `claims: none has what answer ${left.id} says${why}` };
  return { draft: { claims, contradictions: keep(draft.contradictions), ungrounded } };
}

/** The answers that a statement is based on. */
export function answersOf(
  { from }: { readonly from: readonly string[] },
  { answers }: Material,
): readonly { readonly id: string; readonly text: string }[] {
  return answers
    .filter(({ id }) => from.includes(id))
    .map(({ id, answer }) => ({ id, text: answer }));
}

function findWrongName({ claims, contradictions }: Draft, material: Material): string | undefined {
  const answerOf = new Map(material.answers.map((each) => [each.id, each]));
  for (const [place, { text, from, sources }] of [
    ...claims,
    ...contradictions.map((each) => ({ ...each, sources: [] })),
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
  }
  return undefined;
}
