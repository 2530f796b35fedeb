import { currencyWords } from "./area.js";
import { type CountryConventions, countries, servedCountries } from "./countries.js";

const codes: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));
/** Codes that are words, too. */
const words: ReadonlySet<string> = new Set(["ALL", "TOP", "TRY"]);

/** The currency that a word, a sign or a code of ISO 4217 names. */
export function currencyNamed(word: string): string | undefined {
  const code = word.toUpperCase();
  return (
    currencyWords.get(word.toLowerCase()) ??
    (codes.has(code) && !words.has(code) ? code : undefined)
  );
}

/** Conventions with money in another currency: as the country of it writes it, in thousands and millions else. */
export function inCurrency(conventions: CountryConventions, currency: string): CountryConventions {
  if (currency === conventions.currency) return conventions;
  const own = servedCountries
    .map((country) => countries[country])
    .find((each) => each.currency === currency);
  const { symbol, numberWords, locale } = own ?? { ...countries.US, symbol: symbolOf(currency) };
  return { ...conventions, currency, symbol, numberWords, locale };
}

function symbolOf(currency: string): string {
  const parts = new Intl.NumberFormat("en-US", { style: "currency", currency }).formatToParts(0);
  const symbol = parts.find(({ type }) => type === "currency")?.value ?? currency;
  return /\p{L}$/u.test(symbol) ? `${symbol} ` : symbol;
}
