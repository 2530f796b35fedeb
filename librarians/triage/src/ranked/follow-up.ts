import type { Delegate, HopContext } from "@constellation/core";
import { z } from "zod";
import type { RankedMatch } from "./choose-delegates.js";
import type { FoundIndex } from "./index-cache.js";

/** Maximum number of characters of an earlier question that are repeated. */
const maxEarlierLength = 1_000;
/**
 * How much better than the librarian that answered before another one must fit a follow-up to get it: the sum of how it fits
 * alone and together with the question before.
 */
const minLead = 0.15;

const turnSchema = z.object({
  query: z.string(),
  librarians: z.array(z.string()).max(16).optional(),
});

/** The last question of a conversation, as a sentence, and the librarians that answered it. */
export interface LastTurn {
  readonly query: string;
  readonly librarians: readonly string[];
}

/** Reads the last turn of the thread, or of the conversation that a caller keeps itself: `{ query, answer, librarians? }`, oldest first. */
export function lastTurn({ thread, metadata }: HopContext): LastTurn | undefined {
  const conversation =
    thread?.turns.map((turn) => ({ ...turn, query: turn.asked ?? turn.query })) ??
    metadata.conversation;
  if (!Array.isArray(conversation)) return undefined;
  const turn = turnSchema.safeParse(conversation.at(-1));
  const text = turn.success ? turn.data.query.trim().slice(0, maxEarlierLength) : "";
  if (text === "") return undefined;
  const query = /[.?!]$/.test(text) ? text : `${text}.`;
  return { query, librarians: turn.data?.librarians ?? [] };
}

/** Whether a query is an example of a librarian, as its author wrote it: such a question is whole. */
export function isExample(query: string, delegates: readonly Delegate[]): boolean {
  const asked = comparable(query);
  return delegates.some(({ examples = [] }) => examples.some((one) => comparable(one) === asked));
}

function comparable(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/**
 * The librarian that answered before, where a follow-up stays with it: it only reads, is available, and no other fits the
 * follow-up much better, alone and together with the question before it.
 */
export function stayWith(
  [first, ...others]: readonly string[],
  alone: RankedMatch,
  joined: RankedMatch,
  { index, left }: FoundIndex,
): Delegate | undefined {
  if (first === undefined || others.length > 0) return undefined;
  if (alone.choices.some(({ act }) => act !== undefined)) return undefined;
  const place = index.placeOf(first);
  const delegate = place === undefined || left.has(place) ? undefined : index.delegates[place];
  if (delegate === undefined || delegate.effects === "write") return undefined;
  const sums = new Map<Delegate, number>();
  for (const { candidates } of [alone, joined])
    for (const { delegate: one, score } of candidates)
      if (one.effects !== "write") sums.set(one, (sums.get(one) ?? 0) + score);
  const own = sums.get(delegate) ?? 0;
  sums.delete(delegate);
  return Math.max(0, ...sums.values()) - own < minLead ? delegate : undefined;
}
