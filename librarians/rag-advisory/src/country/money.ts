import { numberWords } from "@constellation/nlu";
import { currencyWords, periods, scales, unitNamed, unitPattern } from "./area.js";
import { type CountryConventions, countries, servedCountries } from "./countries.js";

/** An amount of money, or a range of it, that is in a text. */
export interface Amount {
  readonly low: number;
  /** `low` again where it is not a range. */
  readonly high: number;
  /** What it is for, when it is a rate: the name of a unit of area, `week`, `month`, `year`. */
  readonly per?: string | undefined;
  /** ISO 4217, where a symbol or a word says which: lakhs are of rupees. */
  readonly currency?: string | undefined;
}

const spelled: Readonly<Record<string, number>> = { ...numberWords, half: 0.5, a: 1, an: 1 };
const tens = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety";
const symbol = "₹|us\\$|\\$|£|€|(?<![a-z])(?:rs\\.?|inr|usd|gbp|eur|aed)(?=\\s?\\d)";
/** What multiplies a number, as a part of an expression. */
export const scalePattern: string = [...scales.keys()]
  .sort((a, b) => b.length - a.length)
  .join("|");
const number = `\\d{1,3}(?:,\\d{2,3}){1,6}(?:\\.\\d{1,6})?|\\d{1,15}(?:\\.\\d{1,6})?|half an?|(?:${tens})[- ](?:one|two|three|four|five|six|seven|eight|nine)|${Object.keys(spelled).join("|")}`;
const rate = `\\s?(?:/|per|a|an)?\\s?(?:(?:${unitPattern})\\b\\.?|pcm|p\\.?w\\.?(?![a-z])|week|wk|p\\.?m\\.?(?![a-z])|mo(?:nth)?|p\\.?a\\.?(?![a-z])|annum|year|yr)(?![a-z])`;
const amount = new RegExp(
  `(?<![\\w.,])(?<symbol>${symbol})?\\s?(?<first>${number})(?:\\s?(?<scale>${scalePattern})(?![a-z]))?` +
    `(?:\\s?(?<joint>-|–|—|to|and|or)\\s?(?<secondSymbol>${symbol})?\\s?(?<second>${number})(?:\\s?(?<secondScale>${scalePattern})(?![a-z]))?)?` +
    `(?:\\s?(?<word>rupees?|dollars?|pounds?|quid|euros?|dirhams?|inr|usd|gbp|eur|aed)(?![a-z]))?(?<rate>${rate})?`,
  "giu",
);

/**
 * Reads the amounts of money in a text: `48 lakhs`, `₹45-50 lakhs`, `$1.2m`, `£300-400k`,
 * `Rs. 48,00,000`, `forty-eight lakhs`, `₹4,500/sqft`. A number without a currency, a
 * number word and a rate (`12,000 a month`) is not an amount. Of the text the first 20,000 characters are read.
 */
export function readAmounts(text: string): readonly Amount[] {
  const found: Amount[] = [];
  for (const match of text.slice(0, 20_000).matchAll(amount)) {
    const {
      symbol: sign,
      first = "",
      scale: own,
      secondScale,
      word,
      rate: unit,
    } = match.groups ?? {};
    const second = isRange(match.groups ?? {}) ? match.groups?.second : undefined;
    const isMoney =
      sign !== undefined ||
      word !== undefined ||
      own !== undefined ||
      secondScale !== undefined ||
      isRate(first, unit);
    const isSpelled = !/\d/.test(first);
    if (!isMoney || (isSpelled && own === undefined)) continue;
    // "100 m" and "12 l" are a distance and a volume: one letter counts where it is glued on or has a currency.
    if (
      /^[ml]$/i.test(own ?? "") &&
      sign === undefined &&
      / [ml]$/i.test(`${first} ${own}`) &&
      /\s[ml]\b/i.test(match[0])
    )
      continue;
    const currency =
      currencyWords.get((sign ?? word ?? "").toLowerCase()) ??
      (/^(?:l|cr)/i.test(own ?? secondScale ?? "") ? "INR" : undefined);
    const low =
      parseNumber(first) * toFactor(own ?? (second === undefined ? undefined : secondScale));
    const high = second === undefined ? low : parseNumber(second) * toFactor(secondScale ?? own);
    if (!Number.isFinite(low) || !Number.isFinite(high)) continue;
    found.push({
      low: Math.min(low, high),
      high: Math.max(low, high),
      ...(unit !== undefined && { per: parseUnit(unit) }),
      ...(currency !== undefined && { currency }),
    });
  }
  return found;
}

/** "12000 a month" and "3,000 per sqm" are money; "90 sqm" and "2 months" are not. */
function isRate(number: string, unit: string | undefined): boolean {
  return (
    unit !== undefined &&
    /\d{3}/.test(number.replaceAll(",", "")) &&
    /^\s?(?:\/|per |an? |p\.?c?m|p\.?w|psf)/i.test(unit)
  );
}

/** "45-50 lakhs" is a range; "48 lakhs and 2 balconies" is not. */
function isRange(groups: Readonly<Record<string, string | undefined>>): boolean {
  const { scale: own, joint = "", secondScale, secondSymbol } = groups;
  if (secondScale !== undefined || secondSymbol !== undefined) return true;
  return own === undefined && /^(?:-|–|—|to)$/i.test(joint);
}

/**
 * Prints money as the country does, to three significant digits where it uses a number word:
 * `₹48 lakhs`, `$1.2m`, `£950`.
 */
export function printMoney(value: number, conventions: CountryConventions): string {
  const { digits, word } = scaled(value, conventions);
  return `${conventions.symbol}${digits}${wordAfter(digits, word)}`;
}

/** Prints a range: `₹45-50 lakhs`, `$300-400k`, `₹80 lakhs-₹1.2 crore`; one amount where both print alike. */
export function printRange(low: number, high: number, conventions: CountryConventions): string {
  const from = scaled(low, conventions);
  const to = scaled(high, conventions);
  if (from.digits === to.digits && from.word === to.word) return printMoney(low, conventions);
  if (from.word !== to.word)
    return `${printMoney(low, conventions)}-${printMoney(high, conventions)}`;
  return `${conventions.symbol}${from.digits}-${to.digits}${wordAfter(to.digits, to.word)}`;
}

function scaled(value: number, { numberWords, locale }: CountryConventions) {
  const rounded = value === 0 ? 0 : Number(value.toPrecision(3));
  const word = numberWords.find(({ factor }) => Math.abs(rounded) >= factor && rounded >= 10_000);
  const isSmall = Math.abs(value) < 100;
  const shown =
    word !== undefined
      ? rounded / word.factor
      : isSmall
        ? Number(value.toFixed(2))
        : Math.round(value);
  const digits = new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(shown);
  return { digits, word };
}

function wordAfter(
  digits: string,
  word: CountryConventions["numberWords"][number] | undefined,
): string {
  if (word === undefined) return "";
  const text = digits === "1" ? word.one : word.many;
  return text.length === 1 ? text : ` ${text}`;
}

function parseNumber(text: string): number {
  const lower = text.toLowerCase();
  if (/\d/.test(lower)) return Number(lower.replaceAll(",", ""));
  const [first = "", second = ""] = lower.split(/[- ]/);
  return (spelled[first] ?? Number.NaN) + (first === "half" ? 0 : (spelled[second] ?? 0));
}

function toFactor(word: string | undefined): number {
  return Number(scales.get(word?.toLowerCase() ?? "") ?? 1);
}

function parseUnit(text: string): Amount["per"] {
  const word = text.trim().replace(/^(?:\/|per\s?|an?\s)\s?/i, "");
  return unitNamed(word)?.name ?? periods.get(word.toLowerCase().replaceAll(/[\s.]/g, ""));
}

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
