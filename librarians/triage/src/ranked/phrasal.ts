import { trimTrailing } from "@constellation/core/authoring";

/** What makes one word of two: "roll back" and "rollback", "time out" and "timeout". Lower case. */
const particles: ReadonlySet<string> = new Set(
  "back in off on out over through up down".split(" "),
);

/**
 * One word for a verb and the particle after it, as nouns are made of them in English: `rollback` of "roll
 * back". Undefined where the second is no particle, or the first no plain word.
 *
 * @param first - A word as it is written.
 * @param second - The one after it.
 */
export function joinedOf(first: string, second: string | undefined): string | undefined {
  if (second === undefined || second.length > maxParticle) return undefined;
  const particle = trimTrailing(second, /[,;:.?!]/).toLowerCase();
  return particles.has(particle) && /^\p{L}{2,20}$/u.test(first)
    ? `${first}${particle}`
    : undefined;
}

/** Maximum number of characters of a particle with its punctuation. */
const maxParticle = 10;
