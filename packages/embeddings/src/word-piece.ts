/** Turns text into numbers of tokens, as BERT models read them. */
export interface Tokenizer {
  /**
   * Numbers of the tokens, the marks of beginning and end included.
   *
   * @param maxTokens - Integer, 2 or more; what goes beyond is left out.
   */
  encode(text: string, maxTokens: number): readonly number[];
}

/** Longest word that is cut into pieces, in characters; a longer one is unknown. */
const maxWordLength = 100;

/**
 * Creates the WordPiece tokenizer of uncased BERT models: lower case, without accents, words and
 * punctuation apart, each word cut into the longest pieces of the vocabulary.
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
  const numberOf = (token: string): number => {
    const number = numbers.get(token);
    if (number === undefined) throw new RangeError(`vocabulary: the token ${token} is missing`);
    return number;
  };
  const [begin, end, unknown] = ["[CLS]", "[SEP]", "[UNK]"].map(numberOf) as [
    number,
    number,
    number,
  ];

  function piecesOf(word: string): readonly number[] {
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
      for (const word of wordsOf(text.slice(0, maxTokens * maxWordLength))) {
        tokens.push(...piecesOf(word));
        if (tokens.length >= maxTokens - 1) break;
      }
      return [...tokens.slice(0, maxTokens - 1), end];
    },
  };
}

/** Words, signs of punctuation one by one, and each CJK character by itself. */
const word = /[\p{Script=Han}]|[\p{P}$+<=>^`|~]|[^\s\p{P}$+<=>^`|~\p{Script=Han}]+/gu;

function wordsOf(text: string): readonly string[] {
  const plain = text
    .replace(/[\uFFFD\p{Cf}]|[^\P{Cc}\t\n\r]/gu, "")
    .toLowerCase()
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "");
  return plain.match(word) ?? [];
}
