import { amountKeys, bareKeys, unitForm } from "./units.js";

/** A number of a text, with its unit. */
export interface Amount {
  /** With its unit, also where that is behind another number. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly value: number;
  /** As written, `5 minutes` as ` minutes`; empty for a bare number. */
  readonly unit: string;
  /** The forms it is compared in; one in common is the same amount. */
  readonly keys: readonly string[];
  /** The forms of the bare numbers it may be written as, where docs give the unit elsewhere. */
  readonly bare: readonly string[];
}

const digits = "(?:\\d{1,3}(?:,\\d{3}){1,5}|\\d{1,18})(?:\\.\\d{1,12})?";

/** The sign of a currency, two ends of a range with one unit, or one number with its unit. */
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

/** The numbers of a text, in no order. Those within a word, such as `S3` and `4xx`, are none. */
export function amountsIn(text: string): readonly Amount[] {
  const found = [...text.matchAll(compound)].map((match) => sumOf(match[0], match.index));
  found.push(...[...text.matchAll(date)].map((match) => dateOf(match[0], match.index)));
  const blank = (whole: string) => " ".repeat(whole.length);
  const rest = text.replace(compound, blank).replace(noAmount, blank);
  for (const match of rest.matchAll(form)) {
    const [, currency = "", first = "", unit = "", dash, second = "", lastUnit = ""] = match;
    // The unit of a range is behind its second number: `15-20%`.
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

/** A date is the same only where it is written the same. */
function dateOf(text: string, start: number): Amount {
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

function sumOf(text: string, start: number): Amount {
  let seconds = 0;
  for (const [, number = "", unit = ""] of text.matchAll(/(\d{1,9})([a-z]{1,2})/g)) {
    const [key = ""] = amountKeys(Number(number), unit);
    seconds += Number(key.split(":")[1]);
  }
  const keys = amountKeys(seconds, "s");
  const bare = bareKeys(seconds, "s").slice(1);
  return { text, start, end: start + text.length, value: seconds, unit: "s", keys, bare };
}
