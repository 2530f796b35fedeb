import { amountIn, amountTerm, findUnit, parseNumber, type Unit } from "./amounts.js";
import { isIdentifier, joinIdentifierParts, readVersion, splitIdentifier } from "./identifiers.js";
import { cutWords, isUnspaced, type Language, languages } from "./language.js";

/** A term of the index. */
export interface Term {
  readonly text: string;
  /**
   * Whether it shares the position of the preceding term: the whole of an identifier after its
   * words, or a normalised amount.
   */
  readonly isExtra: boolean;
  /** Number of the term in its analyzer, from 0: one number has one text. Absent where the analyzer does not count them. */
  readonly id?: number | undefined;
}

/** Splits text into terms; documents and queries must be read with the same analyzer. */
export interface Analyzer {
  /**
   * Identifies the analysis: changes whenever the terms of a text may change. A stored index is
   * used only with the same id.
   */
  readonly id: string;
  /**
   * The terms of a text in order, stop words left out.
   *
   * @param language - Default: English.
   */
  terms(text: string, language?: Language): readonly Term[];
}

/** The same analyzer for texts of one language. */
export function forLanguage(analyzer: Analyzer, language: Language | undefined): Analyzer {
  if (language === undefined) return analyzer;
  return { id: analyzer.id, terms: (text) => analyzer.terms(text, language) };
}

/** Options for {@link createAnalyzer}. */
export interface AnalyzerOptions {
  /**
   * English words left out, lower case.
   *
   * @default the usual ones
   */
  readonly stopWords?: ReadonlySet<string>;
}

/** Maximum length of a word; longer ones, such as base64 and hashes, are truncated. */
const maxWordLength = 80;
/** Maximum number of words in a generation of the cache of a language. */
const maxRemembered = 50_000;

/**
 * Creates an analyzer for words of the {@link languages}, and for identifiers.
 *
 * Normalises to Unicode NFKC and lower case, removes stop words and reduces words to their stems; a run of
 * letters without spaces, as in Chinese, Japanese and Thai, is cut into words. An
 * identifier yields its words and its normalised whole, so that `ConfigMap`, `config-map` and
 * "config map" match. A version yields itself and its first two numbers. A number with a unit also
 * yields the amount, so that `90s`, "90 seconds" and `1m30s` match, as do `512Mi` and "512 MB".
 */
export function createAnalyzer(options: AnalyzerOptions = {}): Analyzer {
  const { stopWords: stops = languages.en.stopWords } = options;
  const remembered = new Map<Language, WordCache>();
  let count = 0;
  const read = (whole: string, language: Language, cache: WordCache): Chunk => {
    const chunk = whole.length > maxWordLength ? whole.slice(0, maxWordLength) : whole;
    const known = cache.find(chunk);
    if (known !== undefined) return known;
    const rules = languages[language];
    const terms = termsOfChunk(chunk, rules.stem, language === "en" ? stops : rules.stopWords).map(
      ({ text, isExtra }): Term => ({ text, isExtra, id: count++ }),
    );
    const made = { terms, number: parseNumber(chunk), unit: findUnit(chunk) };
    cache.add(chunk, made);
    return made;
  };
  return {
    id: `languages-1-${stops.size}`,
    terms(text, language = "en") {
      const terms: Term[] = [];
      let before: number | undefined;
      const cache = remembered.get(language) ?? createWordCache();
      remembered.set(language, cache);
      for (const chunk of splitChunks(text, languages[language].joints)) {
        const { terms: own, number, unit } = read(chunk, language, cache);
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

/** The words that were read last. */
interface WordCache {
  find(word: string): Chunk | undefined;
  add(word: string, chunk: Chunk): void;
}

/** A cache of two generations: when the younger one is full, the older one is dropped. */
function createWordCache(): WordCache {
  let young = new Map<string, Chunk>();
  let old = young;
  const add = (word: string, chunk: Chunk) => {
    if (young.size >= maxRemembered) {
      old = young;
      young = new Map();
    }
    young.set(word, chunk);
  };
  return {
    find(word) {
      const known = young.get(word);
      if (known !== undefined || old === young) return known;
      const before = old.get(word);
      if (before !== undefined) add(word, before);
      return before;
    },
    add,
  };
}

/** Letters and digits, joined by the punctuation of identifiers and by commas between thousands. */
const chunk =
  /[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*(?:(?:[-.'’]|(?<=\p{N}),(?=\p{N}{3}(?!\p{N})))[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)*(?:(?<=\p{N})%)?/gu;

function splitChunks(text: string, joints: RegExp | undefined): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: plain ASCII needs no normalising.
  const isAscii = /^[\x00-\x7F]*$/.test(text);
  const composed = isAscii ? text : text.normalize("NFKC");
  const normal = joints === undefined ? composed : composed.replaceAll(joints, " ");
  const chunks = normal.match(chunk) ?? [];
  if (isAscii || !isUnspaced(normal)) return chunks;
  return chunks.flatMap((each) => (isUnspaced(each) ? cutWords(each) : [each]));
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
