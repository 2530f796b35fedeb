import { isCommonWord } from "@constellation/nlu";
import { questionWords, toEnglish } from "./question-words.js";
import { propertyWeight } from "./subject-words.js";

/** Scripts of languages that questions come in, by the language that is named for them. */
const scripts: readonly (readonly [language: string, form: RegExp])[] = [
  ["Hindi", /\p{Script=Devanagari}/gu],
  ["Telugu", /\p{Script=Telugu}/gu],
  ["Tamil", /\p{Script=Tamil}/gu],
  ["Kannada", /\p{Script=Kannada}/gu],
  ["Malayalam", /\p{Script=Malayalam}/gu],
  ["Bengali", /\p{Script=Bengali}/gu],
  ["Gujarati", /\p{Script=Gujarati}/gu],
  ["Punjabi", /\p{Script=Gurmukhi}/gu],
  ["Arabic or Urdu", /\p{Script=Arabic}/gu],
  ["Chinese or Japanese", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Korean", /\p{Script=Hangul}/gu],
  ["Russian", /\p{Script=Cyrillic}/gu],
  ["Greek", /\p{Script=Greek}/gu],
];

/** Words of grammar and property by language, in Latin letters; none of them is an English word. */
const words: readonly (readonly [language: string, words: ReadonlySet<string>])[] = [
  [
    "Spanish",
    toSet(
      "el la los las un una unos unas del al qué que cuánto cuanto cuántos cuál cual cuáles cómo como dónde donde es está están son por para con sin y o pero precio precios piso pisos casa casas vivienda viviendas alquiler alquileres comprar vender vale cuesta cuestan barrio ciudad hay tiene mercado inmobiliario en de se ha subido",
    ),
  ],
  [
    "German",
    toSet(
      "der das den dem ein eine einen einem einer wie viel was welche welcher wo ist sind kostet kosten für und oder mit ohne im am von zu zum zur haus häuser wohnung wohnungen miete mieten mietpreise preise preis kaufen verkaufen immobilien immobilienpreise hauspreise markt teuer lohnt sich hoch steigen gestiegen liegen",
    ),
  ],
  [
    "French",
    toSet(
      "le les une des du au aux quel quelle quels quelles est sont combien coûte coute pour avec sans et ou où prix maison maisons appartement appartements loyer loyers acheter vendre immobilier marché ville dans sur il elle ce cette logement logements",
    ),
  ],
  [
    "Portuguese",
    toSet(
      "o os uma uns umas do da dos das no na qual quais quanto custa custam é são para com sem e ou preço preços apartamento apartamentos aluguel arrendamento comprar vender imóveis mercado cidade em",
    ),
  ],
  [
    "Italian",
    toSet(
      "il lo gli una uno del della dei delle quale quali quanto costa costano è sono per con senza e o prezzo prezzi casa case appartamento appartamenti affitto affitti comprare vendere mercato immobiliare città",
    ),
  ],
  [
    "Hindi",
    toSet(
      "mein mei hai hain kya kaise kitna kitne kitni ka ki ke ko se aur ya nahi chahiye makaan makan ghar zameen kiraya kimat keemat daam bhaav bhav bechna kharidna lena kahan kab yahan wahan",
    ),
  ],
  [
    "Telugu",
    toSet(
      "lo entha enta ela undi unnayi ekkada emiti enti illu inti bhoomi addhe addi dhara dharalu kosam kavali cheppu cheppandi",
    ),
  ],
];
const english = toSet(
  "the a an is are was were what which how much many of for to and or with in on at does do did my i should would can price prices rent rents house houses home homes flat flats apartment apartments property market",
);

/** Words of another language that make a question one in it. */
const minWords = 2;
/** Words of a question that one word of German is enough for, where it is the first. */
const shortLength = 4;
/** Share of letters of another script that makes a question one in it. */
const minShare = 0.3;

/**
 * The language that a question is in, where it is not English: read from its script or, in Latin letters,
 * from words of grammar that outnumber the English ones.
 *
 * @returns Its English name; `undefined` for English, and where nothing can be read.
 */
export function otherLanguage(query: string): string | undefined {
  const text = query.slice(0, 2_000).normalize("NFC");
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  for (const [language, form] of scripts) {
    const count = text.match(form)?.length ?? 0;
    if (count > 0 && count >= minShare * letters) return language;
  }
  const queryWords = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const isOwn = (word: string, language: string) => {
    const listed = questionWords().get(language);
    return (
      listed !== undefined &&
      !isCommonWord(word) &&
      propertyWeight(word) === 0 &&
      toEnglish(word, listed) !== undefined
    );
  };
  const countKnown = (known: ReadonlySet<string>) =>
    queryWords.filter((word) => known.has(word)).length;
  const [best] = words
    .map(([language, known]) => ({
      language,
      count: queryWords.filter((word) => known.has(word) || isOwn(word, language)).length,
    }))
    .sort((a, b) => b.count - a.count);
  // "Preise in Passau" has one word that tells, and one that English has, too.
  const [first] = queryWords;
  const isShort = queryWords.length <= shortLength && first !== undefined && isOwn(first, "German");
  if (isShort && countKnown(english) <= 1) return "German";
  if (best === undefined || best.count < minWords) return undefined;
  return best.count > countKnown(english) || /[¿¡]/.test(text) ? best.language : undefined;
}

function toSet(listed: string): ReadonlySet<string> {
  return new Set(listed.split(" "));
}
