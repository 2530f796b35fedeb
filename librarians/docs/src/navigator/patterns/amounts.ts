import { amountKeys, bareKeys, unitForm } from "./units.js";

/** A number of a text, with its unit. */
export interface Amount {
  /** Text of the number with its unit, even when the unit follows another number. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** As written, `5 minutes` as ` minutes`; empty for a bare number. */
  readonly unit: string;
  /** Forms for comparison; amounts with a form in common are equal. */
  readonly keys: readonly string[];
  /** Forms of the bare numbers that may represent it, when docs give the unit elsewhere. */
  readonly bare: readonly string[];
}

const digits = "(?:\\d{1,3}(?:,\\d{3}){1,5}|\\d{1,18})(?:\\.\\d{1,12})?";

/** A currency sign, a range with one unit, or one number with its unit. */
const form = new RegExp(
  `(?:([$€£])|(?<![\\w.$€£-]|\\d,))(${digits})(?:(${unitForm})|\\+(?=\\s))?(?:(\\s?[-–]\\s?|\\sto\\s)(${digits})(${unitForm})?)?(?![\\w]|\\.\\d)`,
  "g",
);

/** Compound durations, such as `1h30m`. */
const compound = /(?<![\w.-])(?:\d{1,9}(?:ms|[dhmsw])){2,5}(?!\w)/g;

const date = /(?<![\w.-])\d{4}-\d{2}-\d{2}(?![\d-])/g;

/** Dates, addresses and longer versions, and fractions such as `24/7`. */
const noAmount =
  /(?<![\w.-])(?:\d{4}-\d{2}-\d{2}(?:T[\d:.]{1,20}Z?)?|\d{1,4}\/\d{1,4}(?:\/\d{1,4})?|\d{1,5}(?:\.\d{1,5}){2,7})(?![\w/])/g;

/**
 * Finds the numbers of a text, in no particular order. Digits within a word, such as `S3` and
 * `4xx`, do not count.
 */
export function amountsIn(text: string): readonly Amount[] {
  const found = [...text.matchAll(compound)].map((match) => sumDuration(match[0], match.index));
  found.push(...[...text.matchAll(date)].map((match) => parseDate(match[0], match.index)));
  const blank = (whole: string) => " ".repeat(whole.length);
  const rest = text.replace(compound, blank).replace(noAmount, blank);
  for (const match of rest.matchAll(form)) {
    const [, currency = "", first = "", unit = "", dash, second = "", lastUnit = ""] = match;
    // The unit of a range follows its second number: `15-20%`.
    const unitOfFirst = unit === "" ? lastUnit : unit;
    found.push(
      currency === ""
        ? amount(first, unitOfFirst, match.index, first + unitOfFirst)
        : amount(first, currency, match.index, currency + first),
    );
    if (dash === undefined) continue;
    const at = match.index + match[0].length - second.length - lastUnit.length;
    found.push(
      amount(second, lastUnit === "" ? unit || currency : lastUnit, at, second + lastUnit),
    );
  }
  return found;
}

function amount(number: string, unit: string, start: number, text: string): Amount {
  const value = Number(number.replaceAll(",", ""));
  const keys = amountKeys(value, unit);
  const bare = bareKeys(value, unit);
  return { text, start, end: start + text.length, value, unit, keys, bare };
}

/** Dates are equal only when they are written alike. */
function parseDate(text: string, start: number): Amount {
  const value = Number(text.slice(0, 4));
  return {
    text,
    start,
    end: start + text.length,
    value,
    unit: "date",
    keys: [`date:${text}`],
    bare: [],
  };
}

function sumDuration(text: string, start: number): Amount {
  let seconds = 0;
  for (const [, number = "", unit = ""] of text.matchAll(/(\d{1,9})([a-z]{1,2})/g)) {
    const [key = ""] = amountKeys(Number(number), unit);
    seconds += Number(key.split(":")[1]);
  }
  const keys = amountKeys(seconds, "s");
  const bare = bareKeys(seconds, "s").slice(1);
  return { text, start, end: start + text.length, value: seconds, unit: "s", keys, bare };
}
