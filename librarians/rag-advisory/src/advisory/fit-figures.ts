import { describeConversion } from "../country/area.js";
import type { AreaUnit, CountryConventions } from "../country/countries.js";
import {
  type Amount,
  currencyNamed,
  inCurrency,
  printMoney,
  printRange,
} from "../country/money.js";
import type { Question } from "../question/question.js";
import { glossNames } from "../question/question-words.js";
import { pickBudget } from "../question/understand.js";
import { budgetPrice, type Comparables } from "./comparables.js";
import { type DataRow, periodsOfYear } from "./data-row.js";
import { printFigure } from "./figures.js";
import { toPlainName } from "./plain-text.js";
import { readColumn } from "./row-columns.js";

/** Data rows of one currency, and a question and conventions that fit them. */
export interface FittedFigures {
  readonly question: Question;
  readonly rows: readonly DataRow[];
  /** With the currency of the rows, and the unit that was asked for. */
  readonly conventions: CountryConventions;
  /** What is not converted, and what is left out for it. */
  readonly notices: readonly string[];
}

/**
 * Keeps the rows of one currency: one that the question names, where some rows are in it, else that of
 * most rows. Money is never converted; areas are, to the unit that was asked for.
 */
export function fitFigures(
  question: Question,
  rows: readonly DataRow[],
  own: CountryConventions,
): FittedFigures {
  const { amounts, areaUnit } = question;
  const counts = new Map<string, number>();
  for (const { currency } of rows) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  const named = currenciesOf(question);
  const [currency = own.currency] = [...counts]
    .sort(([a, count], [b, other]) => Number(named.has(b)) - Number(named.has(a)) || other - count)
    .map(([each]) => each);
  const units = new Map(
    rows.flatMap(({ unit }) => (unit === undefined ? [] : [[unit.name, unit]])),
  );
  // Without a unit that is asked for, that of the columns stays.
  const [unit = own.areaUnit] = units.size === 1 ? units.values() : [];
  const isLocal = units.size === 1 && unit.isLocal === true;
  const asked = areaUnit === undefined ? undefined : (units.get(areaUnit.name) ?? areaUnit);
  const sqft =
    asked !== undefined && (isLocal ? asked.name === unit.name : true) ? asked.sqft : undefined;
  const conventions = {
    ...inCurrency(own, currency),
    areaUnit:
      areaUnit === undefined || sqft === undefined ? unit : { ...unit, name: areaUnit.name, sqft },
  };
  const { budget: _, ...rest } = question;
  const budget = pickBudget(amounts, currency);
  const others = [...counts].filter(([each]) => each !== currency);
  const foreign = [...named].filter((each) => each !== currency && !counts.has(each));
  return {
    question: { ...rest, ...(budget !== undefined && { budget }) },
    rows: rows
      .filter((row) => row.currency === currency)
      .map((row) => (row.unit?.isLocal === true && !isLocal ? withoutArea(row) : row)),
    conventions,
    notices: [
      ...others.map(
        ([each, count]) =>
          `${count} data ${count === 1 ? "row" : "rows"} in ${each} ${count === 1 ? "is" : "are"} left out, as amounts are not converted.`,
      ),
      ...(rows.length > 0 && foreign.length > 0
        ? [
            `Amounts are in ${currency}, as in the data rows; they are not converted to ${foreign.join(" or ")}.`,
          ]
        : []),
      ...(areaUnit !== undefined && sqft === undefined
        ? [
            `The size of a ${isLocal ? unit.name : areaUnit.name} differs by state and is not on record; areas are in ${unit.name}, not converted.`,
          ]
        : []),
    ],
  };
}

/** A row without what it says in a unit that cannot be compared with the other rows'. */
function withoutArea({ area: _, rate: __, rentRate: ___, ...row }: DataRow): DataRow {
  return row;
}

/** The currencies that a question names: of its amounts, and by words such as "in lakhs". */
function currenciesOf({ query, amounts }: Question): ReadonlySet<string> {
  const inWords = [
    ...query.matchAll(/\b(?:in|into|as|to) (?:indian |us )?(\p{L}+|\p{Sc})/giu),
  ].flatMap(({ 1: word = "" }) =>
    /^(?:lakhs?|lacs?|crores?)$/i.test(word)
      ? ["INR"]
      : word.length > 2 || /\p{Sc}/u.test(word)
        ? (currencyNamed(word) ?? [])
        : [],
  );
  return new Set([...amounts.flatMap(({ currency }) => currency ?? []), ...inWords]);
}

/** What of a question and of the rows was converted, and which amounts of the question were not used. */
export function describeUse(
  { amounts, budget, ...question }: Question,
  comparables: Comparables | undefined,
  conventions: CountryConventions,
): readonly string[] {
  const isUsed =
    comparables !== undefined &&
    budgetPrice({ ...question, amounts, budget }, comparables.measure) !== undefined;
  const unused = amounts.filter((amount) => !isUsed || amount !== budget);
  const { areaUnit } = conventions;
  const isByArea =
    comparables !== undefined &&
    (comparables.areas !== undefined || ["rate", "rentRate", "area"].includes(comparables.measure));
  const converted = (isByArea ? comparables.rows : []).filter(
    ({ unit }) => unit !== undefined && unit.name !== areaUnit.name,
  );
  const units = new Map(
    converted.flatMap(({ unit }) => (unit ? [[unit.name, unit] as const] : [])),
  );
  const shown = comparables?.areas === undefined ? comparables?.measure : "area";
  /** As the rows have them, where these are few. */
  const onRecord = (unit: AreaUnit) => {
    const figures = converted.flatMap((row) => {
      const value = row.unit?.name === unit.name && shown ? row[shown] : undefined;
      return value && shown ? [printFigure(value, shown, { ...conventions, areaUnit: unit })] : [];
    });
    return figures.length > maxCells ? "" : `; on record: ${[...new Set(figures)].join(", ")}`;
  };
  const noun = comparables?.rows.every(({ isFee }) => isFee) === true ? "Fees" : "Rents";
  const given = new Map<string, Set<string>>();
  for (const { givenRent } of comparables?.measure === "rent" ? comparables.rows : []) {
    if (givenRent === undefined) continue;
    const { amount, period } = givenRent;
    given.set(period, (given.get(period) ?? new Set()).add(printMoney(amount, conventions)));
  }
  return [
    ...[...given].map(
      ([period, rents]) =>
        `${noun} are given for a ${period}${period === "year" ? "" : ` (${periodsOfYear[period]} a year)`}: ${[...rents].slice(0, maxCells).join(", ")} a ${period}.`,
    ),
    ...namedColumns(question.query, comparables?.rows ?? []),
    ...unused.map(
      (amount) => `${printAmount(amount, conventions)} is not compared with any data row.`,
    ),
    ...[...units.values()].map(
      (unit) => `Areas are converted at ${describeConversion(unit, areaUnit)}${onRecord(unit)}.`,
    ),
  ];
}

/** What columns say that a question names and nothing is computed of: `hoa_fee_usd` for "the HOA fee". */
function namedColumns(query: string, rows: readonly DataRow[]): readonly string[] {
  const asked = new Set(query.toLowerCase().match(/[\p{L}\p{M}]+/gu));
  const found = new Map<string, string[]>();
  for (const { chunk, isFee } of rows)
    for (const [column, cell] of Object.entries(chunk.metadata.row ?? {})) {
      const read = readColumn(column);
      const isComputed = read !== undefined && (read.isFee !== true || isFee === true);
      if (typeof cell !== "number" || isComputed) continue;
      // A note in brackets says more of a column than its name.
      const [name = column] = column.toLowerCase().split(/[([]/);
      const words = glossNames(name.match(/[\p{L}\p{M}]+/gu) ?? []);
      const telling = words.filter(
        (word) => !periods.has(word) && currencyNamed(word) === undefined,
      );
      if (telling.length === 0 || !telling.every((word) => asked.has(word))) continue;
      found.set(column, [...(found.get(column) ?? []), String(cell)]);
    }
  return [...found].map(
    ([column, cells]) =>
      `${toPlainName(column.replaceAll("_", " "))}: ${cells.slice(0, maxCells).join(", ")}.`,
  );
}

/** Most cells of a column that are listed. */
const maxCells = 5;
/** Words of columns that say for how long a figure is. */
const periods: ReadonlySet<string> = new Set(
  "monthly month yearly annual year per pm pa".split(" "),
);

function printAmount(
  { low, high, currency, per }: Amount,
  conventions: CountryConventions,
): string {
  const printed = printRange(low, high, inCurrency(conventions, currency ?? conventions.currency));
  return per === undefined ? printed : `${printed}/${per}`;
}
