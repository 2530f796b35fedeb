import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stopwords as danishWords } from "@orama/stopwords/danish";
import { stopwords as dutchWords } from "@orama/stopwords/dutch";
import { stopwords as englishWords } from "@orama/stopwords/english";
import { stopwords as finnishWords } from "@orama/stopwords/finnish";
import { stopwords as frenchWords } from "@orama/stopwords/french";
import { stopwords as germanWords } from "@orama/stopwords/german";
import { stopwords as italianWords } from "@orama/stopwords/italian";
import { stopwords as japaneseWords } from "@orama/stopwords/japanese";
import { stopwords as chineseWords } from "@orama/stopwords/mandarin";
import { stopwords as norwegianWords } from "@orama/stopwords/norwegian";
import { stopwords as portugueseWords } from "@orama/stopwords/portuguese";
import { stopwords as russianWords } from "@orama/stopwords/russian";
import { stopwords as spanishWords } from "@orama/stopwords/spanish";
import { stopwords as swedishWords } from "@orama/stopwords/swedish";
import english from "wink-porter2-stemmer";

/** English words that carry no subject. Words that can be names ("up", "on", "not") are kept. */
const stopWords: ReadonlySet<string> = new Set(
  (
    "a about above after again all also am an and any are as at be because been before being below " +
    "between both but by can cannot could did do does doing down during each either else etc ever few " +
    "for from further get gets getting had has have having he her here hers him his how i if in into " +
    "is it its itself just let lets like me more most my myself need no nor now of off once one only " +
    "or other our ours ourselves out over own please same see she should so some such than that the " +
    "their theirs them themselves then there these they this those through to too under until use " +
    "used uses using very want was we were what when where whether which while who whom why will with " +
    "within would you your yours yourself yourselves dont doesnt cant didnt isnt wont im ive id"
  ).split(" "),
);

/** A language whose words are stemmed, or cut where it has no spaces. ISO 639-1. */
export type Language =
  | "da"
  | "de"
  | "en"
  | "es"
  | "fi"
  | "fr"
  | "it"
  | "ja"
  | "nl"
  | "no"
  | "pt"
  | "ru"
  | "sv"
  | "zh";

/** How the words of a language are read. */
interface LanguageRules {
  readonly stem: (word: string) => string;
  /** Words left out, lower case. */
  readonly stopWords: ReadonlySet<string>;
  /** Words that show that a text is in this language. */
  readonly cues: ReadonlySet<string>;
  /** What joins words that are read one by one, as in "l'accès" and "arrête-t-il". */
  readonly joints?: RegExp;
}

/** @param asking - Words that ask, and verbs that only carry a question: lists of stop words lack them. */
function rules(
  words: readonly string[],
  asking: string,
  stemOf: (word: string) => string = same,
  joints?: RegExp,
): LanguageRules {
  const known = new Set([...words, ...asking.split(" ")].map((word) => word.toLowerCase()));
  const read = { stem: stemOf, stopWords: known, cues: known };
  return joints === undefined ? read : { ...read, joints };
}

/** Porter 2, of which the package above has only the first. Names with digits and marks are no words of English. */
function stemEnglish(word: string): string {
  return word.length > 2 && /^[a-z]+$/.test(word) ? english(word) : word;
}

const elision = /(?<=\p{L})['’](?=\p{L})/gu;
const frenchJoints =
  /(?<=\p{L})['’](?=\p{L})|-(?:t-)?(?=(?:ils?|elles?|on|je|tu|nous|vous|ce|moi|les?|la|y|en)(?!\p{L}))/gu;

/** The languages by ISO 639-1. Stemmers: M. Porter's Snowball project. */
export const languages: Readonly<Record<Language, LanguageRules>> = {
  da: rules(danishWords, "hvad hvem hvilken hvilke hvor hvordan hvorfor hvornår kan skal", danish),
  de: rules(
    germanWords,
    "wann warum weshalb wieso woher wohin wer wem wen wessen wieviel lange oft darf muss soll tun tue gibt geht",
    german,
  ),
  en: { stem: stemEnglish, stopWords, cues: new Set(englishWords) },
  es: rules(
    spanishWords,
    "qué cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde quién quiénes cómo debo puedo hago hacer",
    spanish,
  ),
  fi: rules(
    finnishWords,
    "miksi milloin miten missä mistä mihin kuka ketkä kuinka voinko pitää",
    finnish,
  ),
  fr: rules(
    frenchWords,
    "quand combien pourquoi comment où qui que quoi quel quelle quels quelles lequel laquelle faire fait faut puis peut dois doit",
    french,
    frenchJoints,
  ),
  it: rules(
    italianWords,
    "quando quanto quanti quanta quante perché come dove chi cosa quale quali devo posso fare",
    italian,
    elision,
  ),
  ja: rules(
    japaneseWords,
    "いつ どこ どれ どの どう どうして どのくらい どのように だれ 誰 何 なぜ よい すれ ば ください さい のです ん には",
  ),
  nl: rules(
    dutchWords,
    "wanneer waarom hoe waar wie wat welke welk hoeveel hoelang moet mag kan",
    dutch,
  ),
  no: rules(norwegianWords, "hva hvem hvilken hvilke hvor hvordan hvorfor når kan skal", norwegian),
  pt: rules(
    portugueseWords,
    "quando quanto quanta quantos quantas onde quem como qual quais porquê devo posso fazer",
    portuguese,
  ),
  ru: rules(
    russianWords,
    "когда почему зачем как где куда откуда кто что какой какая какие сколько нужно",
    russian,
  ),
  sv: rules(swedishWords, "vad vem vilken vilka var hur varför när kan ska", swedish),
  zh: rules(
    chineseWords,
    "什么 时候 什么时候 多久 怎么 怎样 如何 哪里 哪些 哪个 谁 为什么 吗 应该 做 会 可以 能 上一个",
  ),
};

const all = Object.keys(languages) as readonly Language[];

/** The languages that a word is a cue of; they share its weight of 1. */
const cues = new Map<string, Language[]>();
for (const language of all) {
  for (const cue of languages[language].cues) {
    if (cue.length === 1) continue; // variables, items of lists and articles of half of Europe
    const known = cues.get(cue);
    if (known === undefined) cues.set(cue, [language]);
    else known.push(language);
  }
}

/** Maximum number of characters of a text that are read, and of one whose language is expected. */
const maxCharacters = 1_500;
const maxExpectedCharacters = 400;
/** Minimum weight of the cues of a language, and its minimum lead over the next one. */
const minEvidence = 1;
const minLead = 1.2;
/** Weight of the language that is expected, in cues. */
const priorWeight = 3;

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const han = /\p{Script=Han}/u;

/** What is known of a text before it is read. */
export interface DetectLanguageOptions {
  /** The languages to choose from. Default: all. */
  readonly among?: readonly Language[];
  /** The language of what is around the text, from which only clear evidence leads away. */
  readonly prior?: Language | undefined;
}

/**
 * The language of a text by its script and by its most common words.
 *
 * @returns `undefined` when too few words show it, and there is no prior.
 */
export function detectLanguage(
  text: string,
  { among = all, prior }: DetectLanguageOptions = {},
): Language | undefined {
  const read = text.slice(0, prior === undefined ? maxCharacters : maxExpectedCharacters);
  if (kana.test(read) && among.includes("ja")) return "ja";
  if (han.test(read) && prior !== "ja") {
    const east = (["zh", "ja"] as const).find((language) => among.includes(language));
    if (east !== undefined) return east;
  }
  const evidence = new Map<Language, number>();
  if (prior !== undefined) evidence.set(prior, priorWeight);
  const letters = read.toLowerCase();
  for (const word of letters.match(/^[^\x80-\uFFFF]*$/.test(letters) ? /[a-z]+/g : /\p{L}+/gu) ??
    []) {
    const shown = cues.get(word);
    if (shown === undefined) continue;
    for (const language of shown) {
      evidence.set(language, (evidence.get(language) ?? 0) + 1 / shown.length);
    }
  }
  const [best, next] = [...evidence]
    .filter(([language]) => among.includes(language))
    .sort((a, b) => b[1] - a[1]);
  if (best === undefined || best[1] < minEvidence) return prior;
  return best[1] >= minLead * (next?.[1] ?? 0) ? best[0] : prior;
}

/** Letters of scripts that put no spaces between words. */
export const unspacedScripts =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";
const unspaced = new RegExp(`[${unspacedScripts}]`, "u");

/** Whether a text has letters of a script without spaces between words. */
export function isUnspaced(text: string): boolean {
  return unspaced.test(text);
}

let segmenter: Intl.Segmenter | undefined;

/** Cuts a run of letters into its words, by the dictionaries of ICU. */
export function cutWords(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter("und", { granularity: "word" });
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter.segment(text)) {
    if (isWordLike === true) words.push(segment);
  }
  return words;
}

function same(word: string): string {
  return word;
}
