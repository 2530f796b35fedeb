import type { Statement, Word } from "./read-statement.js";
import { type Context, readContext, type Value } from "./values.js";

/** A value of a source, with what stands around it there. */
export interface SourceValue extends Value {
  readonly context: Context;
}

/** What a comparison or a difference comes to when it is computed from the values of the sources. */
export type Computed = "confirmed" | "denied" | "unknown";

const more =
  "more above over higher greater larger bigger longer thicker wider taller deeper heavier dearer costlier pricier warmer hotter later slower older stronger exceed exceeds exceeded exceeding rise rises rose risen rising up grew grow grows grown increase increased increases climbed mehr höher größer länger dicker schwerer teurer wärmer später stieg gestiegen über más mayor superior subió aumentó caro encima ahead";
const less =
  "less fewer below under lower smaller shorter thinner narrower shallower lighter cheaper cooler colder earlier sooner faster quicker younger weaker fall falls fell fallen falling down decrease decreased decreases dropped drop drops sank shrank weniger niedriger kleiner kürzer dünner leichter billiger günstiger kälter früher schneller sank gesunken unter menos menor inferior bajó disminuyó barato debajo behind";
const moving =
  "rise rises rose risen rising up grew grow grows grown increase increased increases climbed fall falls fell fallen falling down decrease decreased decreases dropped drop drops sank shrank stieg gestiegen gesunken subió aumentó bajó disminuyó";
const signs = new Map<string, 1 | -1>([
  ...more.split(" ").map((word) => [word, 1] as const),
  ...less.split(" ").map((word) => [word, -1] as const),
]);
const moves = new Set(moving.split(" "));
const timely = /^(?:later|earlier|sooner|slower|faster|quicker|später|früher|schneller)$/;
const than = /^(?:than|als|que)$/;

/** Whether a sentence compares: then a number that no source has may be a difference. */
export function findComparison({ words, times, quantities }: Statement): number {
  // "More than 30 Elm Court", "than one month's rent": such a number does not limit anything.
  const isBound = (place: number) =>
    quantities.some(
      ({ bound, at, value }) =>
        bound !== 0 &&
        value !== 1 &&
        at > place &&
        at <= place + 2 &&
        !/^\p{Lu}/u.test(words[at]?.text ?? ""),
    );
  const at = words.findIndex(
    ({ lower }, place) =>
      signs.has(lower) &&
      !isBound(place) &&
      !/^(?:no|not)$/.test(words[place - 1]?.lower ?? "") &&
      !/^(?:up to|over the|under the)$/.test(`${lower} ${words[place + 1]?.lower ?? ""}`),
  );
  if (at >= 0) return at;
  return times.length === 0 ? words.findIndex(({ lower }) => /^(?:before|after)$/.test(lower)) : -1;
}

/** Computes a comparison of two things, or of one thing at two times, from the values that the sources give for them. */
export function computeComparison(
  said: Statement,
  values: readonly Value[],
  known: readonly SourceValue[],
  statements: readonly Statement[],
): Computed {
  const at = findComparison(said);
  const word = said.words[at];
  if (word === undefined) return "unknown";
  const isOrder = /^(?:before|after)$/.test(word.lower);
  const sign = signs.get(word.lower) ?? (word.lower === "after" ? 1 : -1);
  const isMove = moves.has(word.lower) || isAcrossTime(said, at);
  const moved = isMove ? findMove(said, statements) : 0;
  if (moved !== 0) return moved === (isBefore(said, at) ? -sign : sign) ? "confirmed" : "denied";
  // Two values of one unit in the sentence itself.
  // "170 seconds longer": a difference, and no value of either.
  const told = values.filter(
    ({ quantity }) => quantity !== undefined && quantity.at !== at && quantity.at + 1 !== at,
  );
  const border = said.words.findIndex(({ lower }, place) => place > at && than.test(lower));
  const split = border < 0 ? at : border;
  const behind = told.find((one) => one.at > split);
  const before = told.findLast((one) => one.at <= split && one.kind === behind?.kind);
  const next = told.find((one) => behind !== undefined && one.at > behind.at);
  if (border >= 0 && !before && behind && next?.kind === behind.kind && next.part === behind.part)
    return Math.sign(behind.size - next.size) === sign ? "confirmed" : "denied";
  const isFrom = said.words[at + 1]?.lower === "from";
  if (
    before !== undefined &&
    behind !== undefined &&
    before.kind === behind.kind &&
    !isOrder &&
    (before.quantity?.units.length !== 0 || border < 0)
  ) {
    const isRight = Math.sign(before.size - behind.size) === (isMove && !isFrom ? -sign : sign);
    return before.size === behind.size ? "unknown" : isRight ? "confirmed" : "denied";
  }
  const tokens = tokensOf(said, values, known);
  const sides = isMove ? splitMove(said, values, tokens, at) : splitSides(said, tokens, at);
  if (sides === undefined) return "unknown";
  const attribute = tokens.filter((one) => one.at > at && one.at <= split);
  const given = isOrder
    ? undefined
    : told.find(({ quantity }) => quantity !== undefined && quantity.units.length > 0);
  const found =
    (given === undefined ? undefined : findBeside(given, sides, split, known)) ??
    findPair(sides, known, values, attribute, timely.test(word.lower) || isOrder);
  if (found === undefined) return "unknown";
  const difference = Math.sign(found.left.size - found.right.size);
  return difference === sign ? "confirmed" : "denied";
}

/** "Higher after it than before": one thing at two times. */
function isAcrossTime({ words }: Statement, at: number): boolean {
  const border = words.findIndex(({ lower }, place) => place > at && than.test(lower));
  return (
    border > 0 &&
    /^(?:before|after|vorher|nachher|antes|después)$/.test(words[border + 1]?.lower ?? "")
  );
}

function isBefore({ words }: Statement, at: number): boolean {
  const border = words.findIndex(({ lower }, place) => place > at && than.test(lower));
  return border > 0 && /^(?:after|nachher|después)$/.test(words[border + 1]?.lower ?? "");
}

/** The direction in which the sources say that what a sentence speaks of moved: 0 where none says it. */
function findMove({ words }: Statement, statements: readonly Statement[]): -1 | 0 | 1 {
  const stems = new Set(words.filter(({ isContent }) => isContent).map(({ stem }) => stem));
  let best: { readonly sign: -1 | 1; readonly score: number } | undefined;
  for (const source of statements)
    for (const { lower, part } of source.words) {
      const sign = moves.has(lower) ? signs.get(lower) : undefined;
      if (sign === undefined) continue;
      const shared = (isNear: (one: Word) => boolean) =>
        new Set(
          source.words.filter((one) => stems.has(one.stem) && isNear(one)).map(({ stem }) => stem),
        ).size;
      const score = shared((one) => one.part === part) + 0.3 * shared((one) => one.part !== part);
      if (score >= 1 && score > (best?.score ?? 0)) best = { sign, score };
    }
  return best?.sign ?? 0;
}

interface Token {
  readonly key: string;
  readonly at: number;
  readonly weight: number;
}

/** Words, names and numbers of a sentence that the sources have too. */
function tokensOf(
  { words }: Statement,
  values: readonly Value[],
  known: readonly SourceValue[],
): readonly Token[] {
  const has = new Set(known.flatMap(({ context }) => [...context.keys()]));
  return [
    ...words.flatMap((word, at) =>
      word.isContent && has.has(word.stem) ? [{ key: word.stem, at, weight: weigh(word) }] : [],
    ),
    ...values.flatMap(({ key, kind, at }) =>
      kind !== "name" && has.has(key) ? [{ key, at, weight: 2 }] : [],
    ),
  ];
}

function weigh({ isId, text }: Word): number {
  return isId || /^\p{Lu}/u.test(text) ? 2 : 1;
}

interface Sides {
  readonly left: readonly Token[];
  readonly right: readonly Token[];
}

/** "More A than B", "A is above B": what stands on each side. */
function splitSides({ words }: Statement, tokens: readonly Token[], at: number): Sides | undefined {
  const border = words.findIndex(({ lower }, place) => place > at && than.test(lower));
  const split = border < 0 ? at : border;
  const left = tokens.filter((one) => one.at <= split);
  const right = tokens.filter((one) => one.at > split);
  return left.length === 0 || right.length === 0 ? undefined : { left, right };
}

/** "Rose from X to Y", "fell between X and Y": the same thing at two times. */
function splitMove(
  { words }: Statement,
  values: readonly Value[],
  tokens: readonly Token[],
  at: number,
): Sides | undefined {
  for (const [place, one] of values.entries()) {
    const next = values[place + 1];
    if (next === undefined || next.kind !== one.kind || one.kind === "name") continue;
    const opens = words
      .slice(Math.max(0, one.at - 3), one.at + 1)
      .some(({ lower }) => /^(?:from|between|zwischen|von|entre|de)$/.test(lower));
    if (!opens || next.at - one.at > 4) continue;
    const rest = tokens.filter(({ key }) => key !== one.key && key !== next.key);
    const of = (value: Value) => [...rest, { key: value.key, at, weight: 3 }];
    return { left: of(next), right: of(one) };
  }
  return undefined;
}

/** The value of the side that names none, where the other names one: "with 9.6 °C it is below its limit". */
function findBeside(
  given: Value,
  { left, right }: Sides,
  split: number,
  known: readonly SourceValue[],
): { readonly left: Value; readonly right: Value } | undefined {
  const isLeft = given.at <= split;
  const other = isLeft ? right : left;
  const found = rank(
    known.filter((one) => fits(one, given.kind) && one.key !== given.key),
    (one) => scoreSide(other, new Set(), one),
  );
  if (found === undefined || found.score <= 0.2) return undefined;
  return isLeft ? { left: given, right: found.value } : { left: found.value, right: given };
}

/** A number without a unit may have that of its neighbours: "6.8 bar (limit 6.5)". */
function fits({ kind }: Value, wanted: string): boolean {
  return kind === wanted || (kind === "number " && wanted.startsWith("number"));
}

function scoreSide(side: readonly Token[], other: ReadonlySet<string>, value: SourceValue): number {
  return side.reduce(
    (sum, { key, weight }) =>
      sum + (value.context.get(key) ?? 0) * weight * (other.has(key) ? 0.3 : 1),
    0,
  );
}

/** The two values of one kind that belong to the sides best; none where two others say the contrary as well. */
function findPair(
  { left, right }: Sides,
  known: readonly SourceValue[],
  told: readonly Value[],
  attribute: readonly Token[],
  isTime: boolean,
): { readonly left: Value; readonly right: Value } | undefined {
  const toldKeys = new Set(told.map(({ key }) => key));
  const shared = new Set(left.map(({ key }) => key));
  const own = new Set(right.map(({ key }) => key));
  const rated = known
    .filter(
      ({ kind, key }) =>
        !/^(?:name|month|weekday)$/.test(kind) &&
        (isTime ? /^(?:clock|number time)$/.test(kind) : kind !== "clock") &&
        !toldKeys.has(key),
    )
    .map((value) => {
      const named = attributeWeight * scoreSide(attribute, new Set(), value);
      const [l, r] = [scoreSide(left, own, value), scoreSide(right, shared, value)];
      return { value, left: l - crossed * r + named, right: r - crossed * l + named };
    });
  for (const isExact of [true, false]) {
    const best = new Map<number, { readonly left: Value; readonly right: Value; sum: number }>();
    for (const l of rated)
      for (const r of rated) {
        if (l.value.size === r.value.size || l.left < minSide || r.right < minSide) continue;
        const isOne = l.value.kind === r.value.kind;
        if (
          isExact ? !isOne : isOne || !(fits(l.value, r.value.kind) || fits(r.value, l.value.kind))
        )
          continue;
        const isGroup = l.value.group !== "" && l.value.group === r.value.group;
        const sum = l.left + r.right + (isGroup ? sameGroup : 0);
        const sign = Math.sign(l.value.size - r.value.size);
        if (sum > (best.get(sign)?.sum ?? 0))
          best.set(sign, { left: l.value, right: r.value, sum });
      }
    const [first, second] = [...best.values()].sort((a, b) => b.sum - a.sum);
    if (first !== undefined) return first.sum - (second?.sum ?? 0) < minLead ? undefined : first;
  }
  return undefined;
}

/** Weight of what is compared, as "cars" in "more cars than"; of what fits the other side; of a common group. */
const [attributeWeight, crossed, sameGroup] = [1, 0.25, 0.5];
/** Least score of a side, and lead of a pair over one that says the contrary. */
const [minSide, minLead] = [0.05, 0.02];

/** The value with the highest score, where no other of another size has as much. */
function rank(
  values: readonly SourceValue[],
  score: (value: SourceValue) => number,
): { readonly value: SourceValue; readonly score: number } | undefined {
  const ranked = values
    .map((value) => ({ value, score: score(value) }))
    .sort((a, b) => b.score - a.score);
  const [first] = ranked;
  const second = ranked.find(({ value }) => value.size !== first?.value.size);
  if (first === undefined || (second !== undefined && first.score - second.score < 0.05))
    return undefined;
  return first;
}

/** Whether a number is the difference or the share of two values of the sources, or a time between two times. */
export function isComputed(value: Value, said: Statement, known: readonly SourceValue[]): boolean {
  const { quantity, size } = value;
  if (quantity === undefined) return false;
  // "Seven of the nine", "40 are missing": a number that is said to be the rest.
  const isRest = said.words.some(
    ({ lower }, at) =>
      /^(?:left|missing|remain|remains|remaining|fehlen|übrig|quedan|faltan)$/.test(lower) ||
      (lower === "of" && at === value.at),
  );
  const isClose = (a: number) => Math.abs(a - size) <= 1e-6 * Math.max(1, Math.abs(size));
  const dimension = quantity.units[0]?.dimension;
  const numbers = known.filter(({ quantity: one }) => one !== undefined);
  const same = [
    ...new Set(
      numbers
        .filter(({ kind }) => kind === value.kind || kind === "number " || dimension === undefined)
        .map((one) => one.size),
    ),
  ].slice(0, 60);
  const clocks = [
    ...new Set(known.filter(({ kind }) => kind === "clock").map((one) => one.size)),
  ].slice(0, 60);
  const pairs = (sizes: readonly number[], test: (a: number, b: number) => boolean) =>
    sizes.some((a, at) => sizes.slice(at + 1).some((b) => test(a, b)));
  // "Four times as many": a ratio.
  const isRatio = /^(?:times|fold|mal|veces)$/.test(said.words[value.at]?.lower ?? "");
  if (isRatio && pairs(same, (a, b) => isClose(a / b) || isClose(b / a))) return true;
  if (dimension === "time" && pairs(clocks, (a, b) => isClose(Math.abs(a - b)))) return true;
  if (findComparison(said) < 0 && !isRest) return false;
  if (dimension === "share")
    return pairs(
      same,
      (a, b) => isClose((100 * a) / b) || isClose((100 * b) / a) || isClose(Math.abs(a - b)),
    );
  return pairs(same, (a, b) => isClose(Math.abs(a - b)));
}

/**
 * How much better what a sentence says of a value fits another value of its kind that it does not name: above 0 where
 * the sentence seems to give a value of one thing to another.
 */
export function measureSwap(
  said: Statement,
  values: readonly Value[],
  known: readonly SourceValue[],
  names: ReadonlySet<string>,
): number {
  const weighKey = (key: string) => (/[#\d]/.test(key) || names.has(key) ? 2 : 1);
  const toldKeys = new Set(values.map(({ key }) => key));
  let most = -1;
  for (const value of values) {
    const groups = new Set(
      known.flatMap(({ key, kind, group }) =>
        key === value.key && kind === value.kind && group !== "" ? [group] : [],
      ),
    );
    const ofKind = known.filter(({ group }) => groups.has(group));
    const own = ofKind.filter(({ key }) => key === value.key);
    const rivals = ofKind.filter(({ key }) => !toldKeys.has(key));
    if (own.length === 0 || rivals.length === 0) continue;
    const around = readContext(value, said, values);
    for (const rival of rivals) {
      // Words that both have say nothing; the value's own mention that fits best is compared.
      const margins = own.map(({ context }) => {
        let [difference, all] = [0, 0];
        for (const [key, closeness] of around) {
          const more = (rival.context.get(key) ?? 0) - (context.get(key) ?? 0);
          difference += closeness * weighKey(key) * more;
          all += closeness * weighKey(key) * Math.abs(more);
        }
        return all > 0.3 ? difference / all : -1;
      });
      most = Math.max(most, Math.min(...margins));
    }
  }
  return most;
}
