import {
  articles,
  isAuxiliary,
  isFunctionWord,
  openQuestionWords,
  prepositions,
  quantifiers,
} from "../grammar/function-words.js";
import type { Span } from "../spans/span.js";
import { isCommonWord } from "../text/common-words.js";
import { type TextRange, type Token, toParts, toSingulars } from "../text/tokens.js";
import type { EntityCandidate, EntityMention, NamedEntity } from "./entity.js";
import type { EntityIndex } from "./entity-index.js";

/** Maximum number of words of a name that is written apart. */
const maxWords = 5;
/** Score from which a mention is one. */
const minScore = 0.5;
/** An entity of this kind is a word for a kind: `{ kind: "kind", name: "Deployment", aliases: ["deploy"] }`. */
export const kindOfKinds = "kind";

interface Place {
  /** The whole text. */
  readonly source: string;
  readonly tokens: readonly Token[];
  /** Indexes of the first and of the last token. */
  readonly first: number;
  readonly last: number;
}

/**
 * Finds names of what exists in a text: the longest first, exactly or with other joints, then by a part or by spelling.
 * A word that people also use without naming anything needs something that shows that it names.
 *
 * @returns Mentions in order, without overlap.
 */
export function linkEntities<E extends NamedEntity>(
  text: string,
  tokens: readonly Token[],
  spans: readonly Span[],
  index: EntityIndex<E>,
): readonly EntityMention<E>[] {
  if (index.size === 0) return [];
  const found: (EntityMention<E> & Place)[] = [];
  const taken = new Array<boolean>(tokens.length).fill(false);
  const closed = spans.filter(isClosed);
  for (const [at, token] of tokens.entries())
    taken[at] = closed.some((span) => overlaps(span, token));
  const hosts = findHosts(text, spans, index);

  const take = (place: Place, candidates: readonly EntityCandidate<E>[]) => {
    const first = tokens[place.first];
    const last = tokens[place.last];
    if (first === undefined || last === undefined || candidates.length === 0) return;
    for (let at = place.first; at <= place.last; at++) taken[at] = true;
    const isPlural = candidates[0]?.match === "plural";
    const range = { start: first.start, end: last.end };
    found.push({
      ...place,
      ...range,
      text: text.slice(range.start, range.end),
      candidates,
      score: candidates[0]?.score ?? 0,
      isPlural,
    });
  };
  const isFree = (first: number, last: number) => {
    for (let at = first; at <= last; at++) if (taken[at] === true) return false;
    return true;
  };
  const each = (length: number, visit: (place: Place) => void) => {
    for (let first = 0; first + length <= tokens.length; first++) {
      const last = first + length - 1;
      const place = { source: text, tokens, first, last };
      if (isFree(first, last) && (length === 1 || isJoined(place))) visit(place);
    }
  };

  for (let length = Math.min(maxWords, tokens.length); length > 0; length--)
    each(length, (place) => take(place, findNamed(place, index)));
  // Words for kinds first: they show what stands beside them.
  const kindsAt = new Map<number, EntityMention<E>>();
  for (const one of found)
    if (isKindMention(one)) for (let at = one.first; at <= one.last; at++) kindsAt.set(at, one);
  const isKindAt = (at: number) => kindsAt.get(at);
  const settled = found.map((one) => {
    const cue = readCue(one, index, isKindAt);
    const candidates = one.candidates
      .map((candidate) => weigh(candidate, one, cue, index))
      .sort((a, b) => b.score - a.score);
    return { ...one, candidates, score: candidates[0]?.score ?? 0 };
  });
  found.splice(0, found.length, ...settled.filter(({ score }) => score >= minScore));
  for (const one of settled)
    if (one.score < minScore) for (let at = one.first; at <= one.last; at++) taken[at] = false;

  const isOpen = ({ tokens: all, first, last }: Place) => {
    const own = all.slice(first, last + 1);
    return (
      !own.every(({ lower }) => isPlain(lower, index) || /^\d+$/.test(lower)) &&
      !own.some(({ lower }) => isFunctionWord(lower))
    );
  };
  // A part of a name, or another spelling, needs the place of a name.
  const isPlaced = (place: Place) => {
    const [from, to] = [tokens[place.first], tokens[place.last]];
    if (from === undefined || to === undefined) return false;
    const range = { text: getText(place), start: from.start, end: to.end };
    const mention = { ...place, ...range, candidates: [], score: 0, isPlural: false };
    return readCue(mention, index, isKindAt).plain >= minScore;
  };
  const maxParts = index.wholeNamesOnly ? 0 : Math.min(3, tokens.length);
  for (let length = maxParts; length > 0; length--)
    each(length, (place) => {
      if (isOpen(place) && isPlaced(place)) take(place, atLeast(index.findByPart(getText(place))));
    });
  each(1, (place) => {
    if (index.wholeNamesOnly || !isOpen(place)) return;
    const whole = findWhole(getText(place), index);
    take(place, atLeast(whole.length > 0 ? whole : index.findBySpelling(getText(place))));
  });

  return [
    ...hosts,
    ...found.map(({ start, end, text: own, candidates, score, isPlural }) => ({
      text: own,
      start,
      end,
      candidates,
      score,
      isPlural,
    })),
  ].sort((a, b) => a.start - b.start);
}

function atLeast<E extends NamedEntity>(candidates: readonly EntityCandidate<E>[]) {
  return candidates.filter(({ score }) => score >= minScore);
}

function getText({ source, tokens, first, last }: Place): string {
  return source.slice(tokens[first]?.start ?? 0, tokens[last]?.end ?? 0);
}

/** Addresses and files: their words name nothing. */
function isClosed(span: Span): boolean {
  return span.kind === "url" || (span.kind === "path" && /^[/.~]|\.\w+$/.test(span.text));
}

function overlaps(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && b.start < a.end;
}

/** Hosts of addresses that are entities. */
function findHosts<E extends NamedEntity>(
  text: string,
  spans: readonly Span[],
  index: EntityIndex<E>,
) {
  return spans.flatMap((span): readonly EntityMention<E>[] => {
    if (span.kind !== "url") return [];
    const candidates = index.findByName(span.host).filter(({ match }) => match !== "plural");
    const at = text.toLowerCase().indexOf(span.host, span.start);
    if (candidates.length === 0 || at < 0) return [];
    const end = at + span.host.length;
    return [{ text: text.slice(at, end), start: at, end, candidates, score: 1, isPlural: false }];
  });
}

/** Words of one name, written apart: only white space or one joint is between them. */
function isJoined({ source, tokens, first, last }: Place): boolean {
  for (let at = first; at < last; at++) {
    const between = source.slice(tokens[at]?.end ?? 0, tokens[at + 1]?.start ?? 0);
    if (!/^(?:\s|[-_./:])$/.test(between)) return false;
  }
  return true;
}

function findNamed<E extends NamedEntity>(
  place: Place,
  index: EntityIndex<E>,
): readonly EntityCandidate<E>[] {
  const own = place.tokens.slice(place.first, place.last + 1);
  const candidates = index.findByName(getText(place));
  if (own.length === 1 || candidates.length === 0) return candidates;
  // "A part" is not "apart": with a word of grammar in it, a name must have the same parts.
  if (!own.some(({ lower }) => isFunctionWord(lower))) return candidates;
  const parts = own.flatMap(({ text }) => toParts(text)).join(" ");
  return candidates.filter(({ entity }) =>
    [entity.name, ...(entity.aliases ?? [])].some((name) => toParts(name).join(" ") === parts),
  );
}

/** What a longer name was made from: `cart` for the pod `cart-7d4f9c-xk2p`, which is gone. */
function findWhole<E extends NamedEntity>(
  word: string,
  index: EntityIndex<E>,
): readonly EntityCandidate<E>[] {
  let rest = word;
  for (;;) {
    const at = rest.lastIndexOf("-");
    if (at <= 0 || !/\d/.test(word.slice(at))) return [];
    rest = rest.slice(0, at);
    const found = index.findByName(rest).filter(({ match }) => match !== "plural");
    if (found.length > 0)
      return found.map((one) => ({ ...one, match: "part", score: one.score * 0.7 }));
  }
}

/** Whether people use a word without naming anything. */
function isPlain(lower: string, index: EntityIndex): boolean {
  const forms = [lower, ...toSingulars(lower)];
  return forms.some(
    (form) => isFunctionWord(form) || isCommonWord(form) || index.plainWords.has(form),
  );
}

function isKindMention({ candidates }: EntityMention): boolean {
  return candidates.some(({ entity }) => entity.kind === kindOfKinds);
}

/** What shows, or does not, that a word names something. */
interface Cue {
  /** Factor for a name that is also a plain word. */
  readonly plain: number;
  /** The kind that stands beside it. */
  readonly kind: string | undefined;
  /** The kind that the preposition before it leads to. */
  readonly place: string | undefined;
}

function readCue<E extends NamedEntity>(
  one: EntityMention<E> & Place,
  index: EntityIndex<E>,
  isKindAt: (at: number) => EntityMention<E> | undefined,
): Cue {
  const { source, tokens, first, last } = one;
  const before = tokens[first - 1];
  const after = tokens[last + 1];
  const isBeside = (at: number) => {
    const token = tokens[at];
    if (token === undefined) return undefined;
    const between =
      at < first ? source.slice(token.end, one.start) : source.slice(one.end, token.start);
    const kind = /^[\s"'`/=:]{1,3}$/.test(between) ? isKindAt(at) : undefined;
    return kind?.candidates.find(({ entity }) => entity.kind === kindOfKinds)?.entity.name;
  };
  const kind = isBeside(first - 1) ?? isBeside(last + 1);
  const lead = before?.lower;
  const place = lead === undefined ? undefined : index.prepositions[lead];
  return { plain: ratePlain(), kind, place };

  function ratePlain(): number {
    const [left, right] = [source.charAt(one.start - 1), source.charAt(one.end)];
    if (/["'`“‘]/.test(left) && /["'`”’]/.test(right)) return 1;
    if (/[/=]/.test(left) || right === "/") return 1;
    if (/(?:^|\s)--?[a-z-]{1,30} $/i.test(source.slice(Math.max(0, one.start - 34), one.start)))
      return 1;
    // A word of grammar is a name only behind its kind: "node a", not "waits for a node".
    if (first === last && isFunctionWord(tokens[first]?.lower ?? ""))
      return isBeside(first - 1) === undefined ? 0.1 : 1;
    if (kind !== undefined) return 1;
    if (
      /[A-Z]/.test(one.text) &&
      one.candidates.some(({ match }) => match === "exact") &&
      first > 0
    )
      return 0.9;
    const isLast = after === undefined || /[?!.,;:\n)`"]/.test(source.slice(one.end, after.start));
    const isBeforeGrammar = isLast || isFunctionWord(after.lower) || /^\d/.test(after.lower);
    // "In shop" is a place, whatever follows, where a place has this name.
    if (place !== undefined && one.candidates.some(({ entity }) => entity.kind === place))
      return 0.9;
    // "Events of the pod": a noun with what it belongs to.
    const isOwner = /^(?:of|for|from|on|about|between|that)$/.test(after?.lower ?? "") && !isLast;
    if (isOwner && (lead === undefined || !prepositions.has(lead))) return 0.4;
    // What a text begins with is mostly what it is about.
    if (lead === undefined) return isPluralKindNext() ? 0.4 : 0.8;
    if (quantifiers.has(lead)) return 0.2;
    if (articles.has(lead)) return isBeforeGrammar && after?.lower !== "of" ? 0.55 : 0.4;
    if (/^(?:and|or|vs|versus|than)$/.test(lead)) return isBeforeGrammar ? 0.6 : 0.4;
    if (prepositions.has(lead)) return isBeforeGrammar ? 0.9 : 0.4;
    if (isAuxiliary(lead) || /^(?:why|how|what|where)(?:'?s)$/.test(lead))
      return isLast ? 0.7 : 0.8;
    if (openQuestionWords.has(lead)) return isAuxiliary(after?.lower ?? "") ? 0.5 : 0.3;
    if (isFunctionWord(lead)) return isBeforeGrammar ? 0.55 : 0.4;
    return isBeforeGrammar ? 0.55 : 0.35;
  }

  function isPluralKindNext(): boolean {
    return isKindAt(last + 1)?.isPlural === true;
  }
}
function weigh<E extends NamedEntity>(
  candidate: EntityCandidate<E>,
  one: EntityMention<E> & Place,
  { plain, kind, place }: Cue,
  index: EntityIndex<E>,
): EntityCandidate<E> {
  const { entity, match, score } = candidate;
  if (entity.kind === kindOfKinds) return candidate;
  const words = one.tokens.slice(one.first, one.last + 1);
  const isMarked = /[-_.\d]/.test(one.text) || words.length > 1;
  let rated = score;
  if (!isMarked && words.every(({ lower }) => isPlain(lower, index)))
    rated *= match === "plural" ? plain * 0.5 : plain;
  const places = Object.values(index.prepositions);
  if (place !== undefined) rated *= entity.kind === place ? 1 : 0.85;
  else if (places.includes(entity.kind)) rated *= 0.9;
  if (kind !== undefined) rated *= entity.kind.toLowerCase() === kind.toLowerCase() ? 1 : 0.8;
  return { entity, match, score: rated };
}
