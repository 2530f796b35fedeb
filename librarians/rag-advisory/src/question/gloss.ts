import { isCommonWord } from "@constellation/nlu";
import { unitNamed } from "../country/area.js";
import { type KnownNames, maxNameWords } from "../country/gazetteer.js";
import { otherLanguage } from "./language.js";
import { type QuestionWords, questionWords, toEnglish } from "./question-words.js";
import { propertyWeight } from "./subject-words.js";

/** A question with its words of property and grammar in English, and its names as they are. */
export interface Gloss {
  readonly query: string;
  /** The language it was asked in, where that is not English. */
  readonly language?: string | undefined;
}

/** Most words of an expression. */
const maxWords = 4;

/**
 * Reads a question in German, Spanish, Hindi or Hinglish word by word into English, which the readers of places,
 * amounts and subjects read; one in English, or in a language that has no list, is left as it is.
 */
export function gloss(asked: string, names?: KnownNames): Gloss {
  const language = otherLanguage(asked);
  const words = language === undefined ? undefined : questionWords().get(language);
  if (language === undefined || words === undefined) return { query: asked };
  const query = join(read(withEnglishNumbers(asked, language), words, names));
  return { query: query.replaceAll(/[¿¡]/g, "").replaceAll(/\s+/g, " ").trim(), language };
}

/** Whether questions in a language are read. */
export function isGlossed(language: string): boolean {
  return questionWords().has(language);
}

/** A piece of a question: what stands before its words, and these. */
interface Piece {
  readonly before: string;
  readonly text: string;
  /** Whether it is a name, or another word that is not known. */
  readonly isName: boolean;
}

function read(text: string, words: QuestionWords, names: KnownNames | undefined): readonly Piece[] {
  const found = [...text.matchAll(/[\p{L}\p{N}][\p{L}\p{M}\p{N}.,/'’-]*(?<![.,])/gu)];
  const isStored = (written: string) =>
    !/[,;:?!]/.test(written) &&
    (names?.places(written)[0]?.isStored === true ||
      names?.properties.has(written.toLowerCase()) === true);
  const pieces: Piece[] = [];
  let end = 0;
  for (let at = 0; at < found.length; ) {
    const run = (count: number) => {
      const [first, last] = [found[at], found[at + count - 1]];
      if (first === undefined || last === undefined)
        return { count, before: "", written: "", to: 0 };
      const to = last.index + last[0].length;
      return {
        count,
        before: text.slice(end, first.index),
        written: text.slice(first.index, to),
        to,
      };
    };
    const runs = Array.from({ length: Math.min(maxNameWords, found.length - at) }, (_, less) =>
      run(Math.min(maxNameWords, found.length - at) - less),
    );
    // "Puerta de Toledo" is a name as it stands.
    const name = runs.find(({ count, written }) => count > 1 && isStored(written));
    const known = runs.find(
      ({ count, written }) => count <= maxWords && toEnglish(written, words) !== undefined,
    );
    const { count, before, written, to } = name ?? known ?? run(1);
    const english = name === undefined ? toEnglish(written, words) : undefined;
    end = to;
    at += count;
    // A word of English in lower case does not name a place.
    const isWord = /^\p{Ll}/u.test(written) && isCommonWord(written);
    const isName =
      name !== undefined ||
      (!isWord &&
        !/\p{N}/u.test(written) &&
        propertyWeight(written) === 0 &&
        unitNamed(written) === undefined);
    if (english?.startsWith("@")) placeBehind(pieces, english.slice(1), before);
    else pieces.push({ before, text: english ?? written, isName: isName && english === undefined });
  }
  return [...pieces, { before: text.slice(end), text: "", isName: false }];
}

/** Puts a preposition before the names that its postposition stands behind: "Baner mein" is "in Baner". */
function placeBehind(pieces: Piece[], preposition: string, before: string): void {
  let at = pieces.length;
  const isPart = ({ text, isName }: Piece, place: number) =>
    isName || (text === "and" && place < pieces.length - 1) || /^\p{N}{1,3}$/u.test(text);
  const isSize = preposition === "in" && unitNamed(pieces.at(-1)?.text ?? "") !== undefined;
  while (at > 0) {
    const piece = pieces[at - 1];
    if (piece === undefined || !(isPart(piece, at - 1) || (isSize && at === pieces.length))) break;
    at -= 1;
    if (isSize || /[.;:?!]/.test(piece.before)) break;
  }
  while (pieces[at]?.text === "and" || /^\p{N}/u.test(pieces[at]?.text ?? "")) at += 1;
  const first = pieces[at];
  if (first === undefined) return;
  pieces.splice(at, 1, { ...first, before: `${first.before} ${preposition} ` });
  pieces.push({ before, text: "", isName: false });
}

function join(pieces: readonly Piece[]): string {
  return pieces.map(({ before, text }) => before + text).join("");
}

/** `520.000` and `15,8` as English writes them; digits of Devanagari as Latin ones. */
function withEnglishNumbers(text: string, language: string): string {
  if (language === "Hindi")
    return text.replaceAll(/[०-९]/g, (digit) => String(digit.charCodeAt(0) - 0x966));
  return text
    .replaceAll(/(?<![\d.])\d{1,3}(?:\.\d{3}){1,5}(?!\d)/g, (number) => number.replaceAll(".", ","))
    .replaceAll(/(?<![\d,.])\d+,\d{1,2}(?![\d,])/g, (number) => number.replace(",", "."));
}
