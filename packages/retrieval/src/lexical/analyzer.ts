import { amountIn, amountTerm, findUnit, parseNumber, type Unit } from "./amounts.js";
import { isIdentifier, joinIdentifierParts, readVersion, splitIdentifier } from "./identifiers.js";
import { stem } from "./stem.js";
import { stopWords } from "./stop-words.js";

/** A term of the index. */
export interface Term {
  readonly text: string;
  /**
   * Whether it shares the position of the preceding term: the whole of an identifier after its
   * words, or a normalised amount.
   */
  readonly isExtra: boolean;
}

/** Splits text into terms; documents and queries must be read with the same analyzer. */
export interface Analyzer {
  /**
   * Identifies the analysis: changes whenever the terms of a text may change. A stored index is
   * used only with the same id.
   */
  readonly id: string;
  /** The terms of a text in order, stop words left out. */
  terms(text: string): readonly Term[];
}

/** Options for {@link createAnalyzer}. */
export interface AnalyzerOptions {
  /** Whether to reduce words to their stems.
   *
   * @default true
   */
  readonly isStemmed?: boolean;
  /**
   * Words left out, lower case.
   *
   * @default the usual English ones
   */
  readonly stopWords?: ReadonlySet<string>;
}

/** Maximum length of a word; longer ones, such as base64 and hashes, are truncated. */
const maxWordLength = 80;
/** Maximum number of words in the cache, which is cleared when full. */
const maxRemembered = 50_000;

/**
 * Creates an analyzer for English and for identifiers.
 *
 * Normalises to Unicode NFKC and lower case, removes stop words and applies Porter2 stemming. An
 * identifier yields its words and its normalised whole, so that `ConfigMap`, `config-map` and
 * "config map" match. A version yields itself and its first two numbers. A number with a unit also
 * yields the amount, so that `90s`, "90 seconds" and `1m30s` match, as do `512Mi` and "512 MB".
 */
export function createAnalyzer(options: AnalyzerOptions = {}): Analyzer {
  const { isStemmed = true, stopWords: stops = stopWords } = options;
  let remembered = new Map<string, Chunk>();
  const read = (whole: string): Chunk => {
    const chunk = whole.length > maxWordLength ? whole.slice(0, maxWordLength) : whole;
    const known = remembered.get(chunk);
    if (known !== undefined) return known;
    const terms = termsOfChunk(chunk, isStemmed ? stem : same, stops);
    const made = { terms, number: parseNumber(chunk), unit: findUnit(chunk) };
    if (remembered.size >= maxRemembered) remembered = new Map();
    remembered.set(chunk, made);
    return made;
  };
  return {
    id: `english-2${isStemmed ? "" : "-unstemmed"}-${stops.size}`,
    terms(text) {
      const terms: Term[] = [];
      let before: number | undefined;
      for (const chunk of splitChunks(text)) {
        const { terms: own, number, unit } = read(chunk);
        for (const term of own) terms.push(term);
        if (before !== undefined && unit !== undefined) {
          terms.push({ text: amountTerm(before, unit), isExtra: true });
        }
        before = number;
      }
      return terms;
    },
  };
}

/** Analysis of one word of a text. */
interface Chunk {
  readonly terms: readonly Term[];
  /** The number that it is, if any. */
  readonly number: number | undefined;
  /** The unit that it names, if any. */
  readonly unit: Unit | undefined;
}

function same(word: string): string {
  return word;
}

/** Letters and digits, joined by the punctuation of identifiers and by commas between thousands. */
const chunk =
  /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:(?:[-.'’]|(?<=\p{N}),(?=\p{N}{3}(?!\p{N})))[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*(?:(?<=\p{N})%)?/gu;

function splitChunks(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no normalising.
  const normal = /^[\x00-\x7F]*$/.test(text) ? text : text.normalize("NFKC");
  return normal.match(chunk) ?? [];
}

function termsOfChunk(
  raw: string,
  stemOf: (word: string) => string,
  stops: ReadonlySet<string>,
): readonly Term[] {
  const amount = amountIn(raw);
  if (amount !== undefined) {
    const words = amount.words.filter((word) => !stops.has(word.toLowerCase()));
    const own = words.map((word) => ({
      text: stemOf(word.toLowerCase().replaceAll(",", "")),
      isExtra: false,
    }));
    return [...own, { text: amount.term, isExtra: own.length > 0 }];
  }
  const written = raw.replace(/['’](?:s|t|re|ve|ll|d|m)?$/i, "").replace(/['’%]/g, "");
  const version = readVersion(written);
  if (version !== undefined) {
    const short = /^\d+\.\d+/.exec(version)?.[0] ?? version;
    const first = { text: short, isExtra: false };
    return short === version ? [first] : [first, { text: version, isExtra: true }];
  }
  const lower = written.toLowerCase();
  if (!isIdentifier(written) || findUnit(written) !== undefined) {
    const word = lower.replace(/_/g, "");
    return word === "" || stops.has(word) || stops.has(raw.toLowerCase().replace(/['’]/g, ""))
      ? []
      : [{ text: stemOf(word), isExtra: false }];
  }
  const words = splitIdentifier(written);
  const terms: Term[] = words
    .filter((word) => word.length > 1 && !stops.has(word))
    .map((word) => ({ text: stemOf(word), isExtra: false }));
  const whole = joinIdentifierParts(written);
  const plain = words.length > 1 ? whole : stemOf(whole);
  if (plain === "") return terms;
  if (terms.length === 0) return [{ text: plain, isExtra: false }];
  if (terms.length === 1 && terms[0]?.text === plain) return terms;
  return [...terms, { text: plain, isExtra: true }];
}
