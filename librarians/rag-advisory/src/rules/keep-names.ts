import type { Token, TokenSentence } from "./tokens.js";

/** Judging words that names are made of: `Great Western`, `Safe Harbor`, `Ideal Homes`. */
const inNames: ReadonlySet<string> = new Set(
  "great greater good better best ideal perfect safe smart golden fair royal right grand fine happy bright wise sound supreme prime premier classic modern noble clear rare".split(
    " ",
  ),
);
/** What a seller's capitals praise: `a Great Deal`. */
const praised: ReadonlySet<string> = new Set(
  "deal deals bargain bargains buy buys investment investments purchase opportunity choice pick home house place value price prices views returns".split(
    " ",
  ),
);

/** Writes judging words that are part of a name as they were written, so that no class has them. */
export function keepNames(sentence: TokenSentence): TokenSentence {
  const words = sentence.filter(({ isWord }) => isWord);
  const isTitle = words.filter(({ isCapital }) => isCapital).length * 2 > words.length + 1;
  if (isTitle && words.length > 4) return sentence;
  return sentence.map((token, at) => {
    if (!token.isCapital || !inNames.has(token.word)) return token;
    const isName = [sentence[at - 1], sentence[at + 1], sentence[at + 2]].some((near) =>
      isNamePart(near),
    );
    return isName
      ? { ...token, word: token.word.replace(/^./, (first) => first.toUpperCase()) }
      : token;
  });
}

function isNamePart(token: Token | undefined): boolean {
  return token?.isCapital === true && !token.isClauseStart && !praised.has(token.word);
}
