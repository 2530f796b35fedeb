import type { EntityMention, NamedEntity } from "./entities/entity.js";
import type { EntityIndex } from "./entities/entity-index.js";
import { kindOfKinds, linkEntities } from "./entities/link-entities.js";
import { readClauses } from "./grammar/clauses.js";
import { backReferences, openQuestionWords } from "./grammar/function-words.js";
import type { IntentReader, QuestionVector } from "./intent/intent-model.js";
import type { Clause, Reading } from "./reading.js";
import { findSpans } from "./spans/find-spans.js";
import type { Span } from "./spans/span.js";
import { rememberRecent } from "./text/remember.js";
import { type TextRange, toTokens } from "./text/tokens.js";

/** Maximum number of characters that are read: the first and the last ones of a longer text, such as a pasted log. */
const maxHead = 3_000;
const maxTail = 1_000;
const maxNamesLength = 8_000;

/** Options for {@link readQuestion}. */
export interface ReadQuestionOptions<E extends NamedEntity = NamedEntity> {
  /** What can be named: see `createEntityIndex`. */
  readonly entities?: EntityIndex<E> | undefined;
  /** Verbs that order something here, in lower case: they begin a clause behind "and". */
  readonly verbs?: ReadonlySet<string> | undefined;
  /** Reads intents: see `createIntentReader`. */
  readonly intents?: IntentReader | undefined;
  /** What the librarian itself sees in the question, beside its words. The same hints as when the intents were fitted. */
  readonly hints?: readonly string[] | undefined;
  /** The question's vector, where an embedder is at hand. */
  readonly vector?: QuestionVector | undefined;
}

/** Reads a question: what it names, its clauses, what they want and what they deny. Takes well below a millisecond. */
export function readQuestion<E extends NamedEntity = NamedEntity>(
  question: string,
  options?: ReadQuestionOptions<E>,
): Reading<E> {
  const text = boundText(question);
  return options === undefined ? readPlain(text) : read(text, options);
}

/** Without names, which are the only part of a reading that a caller has types for. */
const readPlain = rememberRecent((text): Reading<never> => read(text, {}));

function read<E extends NamedEntity>(
  text: string,
  { entities: index, verbs, intents, hints, vector }: ReadQuestionOptions<E>,
): Reading<E> {
  const tokens = toTokens(text);
  const all = findSpans(text);
  const entities = index === undefined ? [] : linkEntities(text, tokens, all, index);
  const spans = all.filter((span) => isOuter(span) || !entities.some((one) => overlaps(one, span)));
  // Words for kinds stay words.
  const named = entities.filter(({ candidates }) => candidates[0]?.entity.kind !== kindOfKinds);
  const clauses = readClauses(text, tokens, spans, { verbs, names: named });
  const masked = maskText(text, [
    ...named.map(({ start, end, candidates: [best] }) => ({
      start,
      end,
      mask: index?.masks[best?.entity.kind ?? ""] ?? best?.entity.kind ?? "",
    })),
    ...spans
      .filter((span) => !isOuter(span))
      .map(({ start, end, kind }) => ({ start, end, mask: kind })),
  ]);
  const asking =
    clauses.find(({ act, isQuoted }) => act !== "report" && !isQuoted) ??
    clauses.find(({ isQuoted }) => !isQuoted);
  return {
    text,
    spans,
    entities,
    clauses,
    act: asking?.act ?? "report",
    isNegated: clauses.some(({ negations }) => negations.length > 0),
    isQuoted:
      clauses.some(({ isQuoted }) => isQuoted) || spans.some(({ kind }) => kind === "quote"),
    refersBack: refersBack(clauses, entities.length + spans.length),
    masked,
    intent: intents?.read(masked, hints, vector),
  };
}

/** The ends of a long text. */
function boundText(text: string): string {
  const isLong = text.length > maxHead + maxTail;
  return isLong ? `${text.slice(0, maxHead)} … ${text.slice(-maxTail)}` : text;
}

/** Spans that may hold names. */
function isOuter({ kind }: Span): boolean {
  return kind === "url" || kind === "quote" || kind === "code";
}

function overlaps(a: TextRange, b: TextRange): boolean {
  return a.start < b.end && b.start < a.end;
}

/** "And for checkout?", "why?", "the other one": not whole without what was said before. */
function refersBack(clauses: readonly Clause[], named: number): boolean {
  const [first] = clauses;
  if (first === undefined) return false;
  const words = first.text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}' ]+/gu, " ")
    .trim()
    .split(/\s+/);
  if (
    clauses.length === 1 &&
    named === 0 &&
    words.length <= 2 &&
    openQuestionWords.has(words[0] ?? "")
  )
    return true;
  if (/^(?:and|same|what about|how about)\b/.test(words.join(" ")) && words.length <= 6)
    return true;
  if (words.includes("other") && words.includes("one")) return true;
  return named === 0 && words.some((word) => backReferences.has(word));
}

/** A text in lower case with `<kind>` in place of some ranges. */
function maskText(text: string, masks: readonly (TextRange & { readonly mask: string })[]): string {
  let masked = "";
  let from = 0;
  for (const { start, end, mask } of masks.toSorted((a, b) => a.start - b.start)) {
    if (start < from) continue;
    masked += `${text.slice(from, start)}<${mask}>`;
    from = end;
  }
  return (masked + text.slice(from)).toLowerCase();
}

/** Finds names in a text, of which the first 8,000 characters are read, and nothing else: see `linkEntities`. */
export function findNames<E extends NamedEntity>(
  text: string,
  index: EntityIndex<E>,
): readonly EntityMention<E>[] {
  const bounded = text.slice(0, maxNamesLength);
  return linkEntities(bounded, toTokens(bounded), [], index);
}
