import { findComparison, type SourceValue, signs } from "./compare-values.js";
import type { Statement } from "./read-statement.js";
import { toUnit } from "./units.js";
import { listValues, toBase, type Value } from "./values.js";

/** Words for a difference or a rest: "40 are missing", "save 8 an hour", "half a point behind". */
const apart =
  /^(?:by|passed|between|added|outnumber\w*|exceed\w*|super[óa]|left|missing|short|spare|remain\w*|difference|gap|lead|save[sd]?|saving|apart|than|als|que|before|after|nach|vor|fehlen|übrig|noch|unterschied|quedan|faltan|diferencia|además)$/;
/** Maximum number of values, each of which is combined with each. */
const maxCombined = 60;

/** Whether a number follows from values of the sources: as a difference, a ratio, a share, a number of things, or the time between two times. */
export function isDerived(
  value: Value,
  said: Statement,
  known: readonly SourceValue[],
  statements: readonly Statement[] = [],
): boolean {
  const { quantity } = value;
  if (quantity === undefined) return false;
  const [unit] = quantity.units;
  const dimension = unit?.dimension;
  const scale = toBase({ value: 1, units: quantity.units });
  const isClose = (size: number) =>
    Math.abs(size - quantity.value) <= 1e-6 * Math.max(1, Math.abs(quantity.value));
  const distinct = (sizes: readonly number[]) => [...new Set(sizes)].slice(0, maxCombined);
  // A number without a unit may have that of its neighbours: "50 minutes, the train 22".
  const sizes = distinct(
    known.flatMap(({ kind, quantity: one, size }) => {
      if (one === undefined) return [];
      if (kind === "number ")
        return dimension === undefined ? one.value : [one.value, size / scale];
      if (dimension === undefined) return one.value;
      return kind === value.kind ? size / scale : [];
    }),
  );
  const clocks = distinct(
    known.flatMap(({ kind, size }) => (kind === "clock" ? size / scale : [])),
  );
  const isOfPair = (all: readonly number[], test: (a: number, b: number) => boolean) =>
    all.some((a, at) => all.slice(at + 1).some((b) => test(a, b)));
  // "Four times as many": a ratio.
  const isRatio =
    /^(?:times|fold|mal|veces)$/.test(said.words[value.at]?.lower ?? "") ||
    (quantity.value === 2 && /\b(?:twice|double|doppelt|doble)\b/i.test(said.text));
  if (isRatio && isOfPair(sizes, (a, b) => isClose(a / b) || isClose(b / a))) return true;
  const day = (toUnit("day")?.factor ?? 1) / scale;
  if (
    dimension === "time" &&
    isOfPair(clocks, (a, b) => isClose(Math.abs(a - b)) || isClose(day - Math.abs(a - b)))
  )
    return true;
  if (isCount(value, said, statements)) return true;
  const isApart = said.words.some(
    ({ lower }, at) =>
      apart.test(lower) ||
      (signs.has(lower) && toUnit(said.words[at - 1]?.lower ?? "") !== undefined) ||
      (lower === "of" && at === value.at),
  );
  if (!isApart && findComparison(said) < 0) return false;
  return isOfPair(
    sizes,
    (a, b) =>
      isClose(Math.abs(a - b)) ||
      (dimension === "share" && (isClose((100 * a) / b) || isClose((100 * b) / a))),
  );
}

/** "The five shares", "of the three regions": as many as a statement has values of one kind, or the sentence names. */
function isCount(
  { quantity, at }: Value,
  said: Statement,
  statements: readonly Statement[],
): boolean {
  const count = quantity?.value ?? 0;
  if (count < 3 || count > maxCounted || quantity?.units.length !== 0) return false;
  const named = new Set(
    listValues(said).flatMap((one) => (one.kind === "name" && one.at >= at ? [one.key] : [])),
  );
  if (named.size === count) return true;
  const stems = new Set(said.words.filter(({ isContent }) => isContent).map(({ stem }) => stem));
  return statements.some((statement) => {
    const groups = new Map<string, number>();
    for (const { kind, group } of listValues(statement))
      if (kind !== "name" && group !== "") groups.set(group, (groups.get(group) ?? 0) + 1);
    return (
      [...groups.values()].includes(count) && statement.words.some(({ stem }) => stems.has(stem))
    );
  });
}

const maxCounted = 20;
