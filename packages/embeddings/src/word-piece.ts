/** Turns text into token numbers for BERT models. */
export interface Tokenizer {
  /** Token numbers, including the start and end tokens.
   *
   * @param maxTokens - Integer, 2 or more; further tokens are left out.
   */
  encode(text: string, maxTokens: number): readonly number[];
}

/** Maximum length of a word that is split, in characters; a longer one is unknown. */
const maxWordLength = 100;

/**
 * Creates the WordPiece tokenizer of uncased BERT models: lower case, without accents, words and
 * punctuation separated, each word split into the longest pieces of the vocabulary.
 *
 * @param vocabulary - One token a line, in the order of their numbers: `vocab.txt`.
 * @throws {RangeError} When a token is missing that the tokenizer needs.
 */
export function createWordPiece(vocabulary: string): Tokenizer {
  const numbers = new Map<string, number>();
  for (const [number, line] of vocabulary.split("\n").entries()) {
    const token = line.trimEnd();
    if (token !== "") numbers.set(token, number);
  }
  const getTokenNumber = (token: string): number => {
    const number = numbers.get(token);
    if (number === undefined) throw new RangeError(`vocabulary: the token ${token} is missing`);
    return number;
  };
  const [begin, end, unknown] = ["[CLS]", "[SEP]", "[UNK]"].map(getTokenNumber) as [
    number,
    number,
    number,
  ];

  function splitPieces(word: string): readonly number[] {
    if (word.length > maxWordLength) return [unknown];
    const pieces: number[] = [];
    let from = 0;
    while (from < word.length) {
      let to = word.length;
      let number: number | undefined;
      for (; to > from; to--) {
        number = numbers.get(`${from > 0 ? "##" : ""}${word.slice(from, to)}`);
        if (number !== undefined) break;
      }
      if (number === undefined) return [unknown];
      pieces.push(number);
      from = to;
    }
    return pieces;
  }

  return {
    encode(text, maxTokens) {
      const tokens = [begin];
      // Each word gives a token at least, so no more text can matter.
      for (const word of splitWords(text.slice(0, maxTokens * maxWordLength))) {
        tokens.push(...splitPieces(word));
        if (tokens.length >= maxTokens - 1) break;
      }
      return [...tokens.slice(0, maxTokens - 1), end];
    },
  };
}

/** Splits a text into words, single punctuation characters and single CJK characters. */
const word = /[\p{Script=Han}]|[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu;

function splitWords(text: string): readonly string[] {
  const normalised = text
    .replace(/[\uFFFD\p{Cf}]|[^\P{Cc}\t\n\r]/gu, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
  return normalised.match(word) ?? [];
}
