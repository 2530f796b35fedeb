import type { Negation } from "../reading.js";
import type { Token } from "../text/tokens.js";
import { isNegator } from "./function-words.js";

/** Maximum number of negations of one clause. */
const maxNegations = 8;

/**
 * Finds what is denied in a clause: from behind the denying word to the next contrast or the end of the clause.
 *
 * @param end - Offset where the clause ends.
 */
export function findNegations(tokens: readonly Token[], end: number): readonly Negation[] {
  const found: Negation[] = [];
  for (const [at, { lower, end: from }] of tokens.entries()) {
    const next = tokens[at + 1];
    if (!denies(tokens, at) || found.length >= maxNegations) continue;
    const border = tokens.find(
      ({ lower: one }, place) => place > at && /^(?:but|though|although|instead|rather)$/.test(one),
    );
    found.push({
      cue: lower,
      start: next?.start ?? from,
      end: Math.max(from, border?.start ?? end),
    });
  }
  return found;
}

/** "Not only" and "no matter" deny nothing; "instead of" and "rather than" do. */
function denies(tokens: readonly Token[], at: number): boolean {
  const [lower, next] = [tokens[at]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  if (lower === "not" && /^(?:only|just|sure)$/.test(next)) return false;
  if (lower === "no" && /^(?:matter|rush|hurry|worries|problem)$/.test(next)) return false;
  if ((lower === "instead" || lower === "out") && next === "of") return lower === "instead";
  if (lower === "rather" && next === "than") return true;
  if (lower === "other" && next === "than") return true;
  return isNegator(lower) && !(lower === "no" && tokens.length === 1);
}
