import type { Delegate, HopContext } from "@constellation/core";
import { readContentWords } from "@constellation/nlu";
import { z } from "zod";
import { isLikely } from "./certainties.js";
import type { RankedMatch } from "./choose-delegates.js";
import type { FoundIndex } from "./index-cache.js";
import { leaving } from "./mix-weights.js";

/** Maximum number of characters of an earlier question that are repeated. */
const maxEarlierLength = 1_000;
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
 * The librarian that answered before, where a further question stays with it: it only reads, is available, and the question
 * does not say enough that fits another one better.
 *
 * @param match - How the question matches as it was said, alone.
 */
export function stayWith(
  [first, ...others]: readonly string[],
  said: string,
  { choices, candidates, sharpness }: RankedMatch,
  { index, left }: FoundIndex,
): Delegate | undefined {
  if (first === undefined || others.length > 0) return undefined;
  if (choices.some(({ act }) => act !== undefined)) return undefined;
  const place = index.placeOf(first);
  const delegate = place === undefined || left.has(place) ? undefined : index.delegates[place];
  if (delegate === undefined || delegate.effects === "write") return undefined;
  const scoreOf = (isOwn: boolean) =>
    candidates.find(
      (one) => (one.delegate === delegate) === isOwn && one.delegate.effects !== "write",
    )?.score ?? 0;
  const lead = sharpness * (scoreOf(false) - scoreOf(true));
  return isLikely(leaving, readLeaving(said, lead)) ? undefined : delegate;
}

/**
 * What speaks for another librarian than the one that answered before, in the order of its weights.
 *
 * @param lead - Of the best other one, as the logarithm of how much more probable it is.
 */
export function readLeaving(said: string, lead: number): readonly number[] {
  return [lead, Math.log(1 + readContentWords(said).length), continues.test(said) ? 1 : 0];
}

/** "And on Sunday?", "what about the ship?" */
const continues = /^\s{0,9}(?:and|or|but|so|then|also|what about|how about)\b/i;
