import type { Negation } from "../reading.js";
import type { Token } from "../text/tokens.js";
import {
  courtesies,
  isFunctionWord,
  isNegator,
  isPlea,
  openQuestionWords,
  prepositions,
} from "./function-words.js";

/** "Won't shut", "cannot drain it" and "can't get in": what is said about something that was named before. */
export function lacksSubject(tokens: readonly Token[], at: number): boolean {
  const [verb, next] = [tokens[at]?.lower ?? "", tokens[at + 1]];
  return /^(?:.+n'?t|cannot)$/.test(verb) && (next === undefined || !isFunctionWord(next.lower));
}

/** "Do not restart it". */
export function forbids(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === "do" && tokens[at + 1]?.lower === "not";
}

/** Words of a courtesy behind an order, beside those of grammar. */
const kindWords = new Set("ya u good kind mind like possible love mate dear".split(" "));

/** "If you can", "if you'd be so kind", "would you": a courtesy behind an order, up to the next comma. */
export function findCourtesy(
  tokens: readonly Token[],
  text: string,
  head: number,
): { readonly first: number; readonly last: number } | undefined {
  const first = tokens.findIndex(
    ({ lower }, place) =>
      place > head &&
      (lower === "if" || /^(?:can|could|will|would)$/.test(lower)) &&
      /^(?:you|u|ya|you'd)$/.test(tokens[place + 1]?.lower ?? ""),
  );
  const begin = tokens[first];
  if (begin === undefined || !isOrderLike(tokens, head)) return undefined;
  const own = tokens.slice(first);
  const end = own.findIndex(
    (token, at) => at > 0 && /[,;.]/.test(text.slice(own[at - 1]?.end ?? 0, token.start)),
  );
  const words = end < 0 ? own : own.slice(0, end);
  const isKind = words.every(({ lower }) => isFunctionWord(lower) || kindWords.has(lower));
  return isKind ? { first, last: first + words.length - 1 } : undefined;
}

/** What begins with no question word, auxiliary or subject. */
function isOrderLike(tokens: readonly Token[], head: number): boolean {
  const lower = tokens[head]?.lower ?? "";
  return head < tokens.length - 1 && !isFunctionWord(lower);
}

/** "All Saints" is a name. */
export function isCapital(word = ""): boolean {
  return /^\p{Lu}\p{Ll}/u.test(word);
}

/** "Was", "did", "has been". */
export function tellsPast(tokens: readonly Token[]): boolean {
  return tokens.some(
    ({ lower }, place) =>
      /^(?:was|were|did|had|wasn't|weren't|didn't|hadn't|didnt|wasnt|werent)$/.test(lower) ||
      (/^(?:has|have|hasn't|haven't)$/.test(lower) &&
        tokens.slice(place + 1, place + 5).some((one) => isPastForm(one.lower))),
  );
}

export function isPastForm(lower: string): boolean {
  return lower === "been" || (lower.length > 4 && lower.endsWith("ed") && !lower.endsWith("eed"));
}

/**
 * Where a clause begins behind its courtesies: `please`, `can you`, `I'd like you to`, `go ahead and`.
 */
export function findHead(
  tokens: readonly Token[],
  endsAsQuestion: boolean,
  verbs: ReadonlySet<string> = new Set(),
): {
  readonly at: number;
  readonly isRequest: boolean;
  readonly isWished: boolean;
} {
  let at = 0;
  let isRequest = false;
  let isWished = false;
  const word = (ahead = 0) => tokens[at + ahead]?.lower ?? "";
  for (let before = -1; before !== at && at < tokens.length; ) {
    before = at;
    while (courtesies.has(word()) && at < tokens.length - 1) {
      if (isPlea(word())) isRequest = true;
      at++;
    }
    if (
      /^(?:can|could|will|would)$/.test(word()) &&
      /^(?:you|u|ya|someone|somebody|anyone)$/.test(word(1))
    ) {
      isRequest = true;
      at += 2;
    } else if (/^(?:i|we|i'd|we'd)$/.test(word())) {
      const wish = readWish(tokens, at);
      if (wish > 0) {
        // "I want you to" asks; "I want to" is a wish.
        if (tokens.slice(at, at + wish).some(({ lower }) => lower === "you")) isRequest = true;
        else isWished = true;
        at += wish;
      }
    } else if (word() === "be" && /^(?:so|kind|good|very)$/.test(word(1))) {
      // "Be so kind and", "be so good as to"
      const end = tokens.findIndex(({ lower }, place) => place > at && /^(?:and|to)$/.test(lower));
      if (end > at && end <= at + 5) {
        isRequest = true;
        at = end + 1;
      }
    } else if (word() === "do" && !endsAsQuestion && verbs.has(word(1))) {
      isRequest = true; // "Do offer it to them"
      at++;
    } else if (word() === "go" && word(1) === "ahead") at += word(2) === "and" ? 3 : 2;
    else if (word() === "let's" || word() === "lets") at++;
    else if (word() === "let" && word(1) === "us") at += 2;
    else if (prepositions.has(word()) && openQuestionWords.has(word(1))) at++;
  }
  return { at: Math.min(at, Math.max(0, tokens.length - 1)), isRequest, isWished };
}

/** Number of words of "I want you to", "we need to", "I'd like to". */
function readWish(tokens: readonly Token[], at: number): number {
  const words = tokens.slice(at, at + 6).map(({ lower }) => lower);
  const to = words.indexOf("to");
  const isWish =
    words.slice(1, to).some((word) => /^(?:want|need|like|wish)$/.test(word)) ||
    (words[0]?.endsWith("'d") === true && words.includes("like"));
  return to > 0 && isWish ? to + 1 : 0;
}

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

/** "Not only" denies nothing; "instead of" and "rather than" do. */
function denies(tokens: readonly Token[], at: number): boolean {
  const [lower, next] = [tokens[at]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  if (lower === "not" && /^(?:only|just|sure)$/.test(next)) return false;
  if ((lower === "instead" || lower === "out") && next === "of") return lower === "instead";
  if (lower === "rather" && next === "than") return true;
  if (lower === "other" && next === "than") return true;
  return isNegator(lower) && !(lower === "no" && tokens.length === 1) && !isNumberSign(tokens, at);
}

/** "No. 14". */
export function isNumberSign(tokens: readonly Token[], at: number): boolean {
  const [sign, number] = [tokens[at], tokens[at + 1]];
  if (sign === undefined || number === undefined) return false;
  return (
    /^(?:no|nos|nr)$/.test(sign.lower) && /^\d/.test(number.lower) && number.start > sign.end + 1
  );
}
