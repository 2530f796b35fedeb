import { pointsBack } from "./refine-query.js";

/** What only a follow-up says: "why?", "what about that?". */
const followsUp = /^\W*(?:and |but |so )?why\W*$|\bthat\W*$/i;

/** Maximum number of characters of an earlier question that are repeated. */
const maxEarlierLength = 1_000;

/**
 * The last question of a conversation, where a query points back to it: "which workflow fixes it?".
 *
 * @param metadata - Of the context; `conversation` holds `{ query, answer }`, oldest first.
 */
export function earlierQuestion(
  query: string,
  metadata: Readonly<Record<string, unknown>> = {},
): string | undefined {
  const { conversation } = metadata;
  if (!Array.isArray(conversation) || !(pointsBack.test(query) || followsUp.test(query)))
    return undefined;
  const last: unknown = conversation.at(-1);
  const earlier = typeof last === "object" && last !== null && "query" in last ? last.query : "";
  if (typeof earlier !== "string" || earlier.trim() === "") return undefined;
  const text = earlier.trim().slice(0, maxEarlierLength);
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
