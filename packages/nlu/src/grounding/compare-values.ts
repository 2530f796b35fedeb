import { findRank } from "../text/word-vectors.js";
import type { Statement, Word } from "./read-statement.js";
import { type Context, listValues, type Value } from "./values.js";

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
/** Direction of a word of comparison: 1 for "more", -1 for "less". */
export const signs = new Map<string, 1 | -1>([
  ...more.split(" ").map((word) => [word, 1] as const),
  ...less.split(" ").map((word) => [word, -1] as const),
]);
const moves = new Set(moving.split(" "));
const timely = /^(?:later|earlier|sooner|slower|faster|quicker|später|früher|schneller)$/;
const priced =
  /^(?:costs?|paid|pays?|sold|sells?|cheaper|dearer|costlier|pricier|teurer|billiger|günstiger|kostet|kosten|caro|barato|cuestan?)$/;

/** The kind of values that a sentence compares, where its words tell. */
function dimensionOf({ words }: Statement, { lower }: Word, isOrder: boolean): RegExp | undefined {
  if (isOrder || timely.test(lower)) return /^(?:clock|number time)$/;
  return words.some((one) => priced.test(one.lower)) ? /^number (?:currency|scale)$/ : undefined;
}
const than = /^(?:than|als|que)$/;

/** Whether a sentence compares: then a number that no source has may be a difference. */
export function findComparison({ words, times, quantities }: Statement): number {
  // "More than 30 Elm Court", "than one month's rent": such a number does not limit anything.
  const isBound = (place: number) =>
    quantities.some(
      ({ bound, at, value }) =>
        bound !== 0 &&
        (value !== 1 || at === place + 1) &&
        at > place &&
        at <= place + 2 &&
        !/^(?:the|its|their|der|die|das|dem|den|el|la|los|las)$/.test(
          words[place + 1]?.lower ?? "",
        ) &&
        !/^\p{Lu}/u.test(words[at]?.text ?? ""),
    );
  const at = words.findIndex(
    ({ lower }, place) =>
      signs.has(lower) &&
      !isBound(place) &&
      !/^(?:no|not|seconds?|minutes?|hours?|days?|weeks?|months?|years?)$/.test(
        words[place - 1]?.lower ?? "",
      ) &&
      !/^(?:up to|over the|under the)$/.test(`${lower} ${words[place + 1]?.lower ?? ""}`) &&
      // "Rope up": a way to do something.
      (!/^(?:up|down)$/.test(lower) ||
        [...times, ...quantities].some(({ part }) => part === words[place]?.part)),
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
  // Two values of one unit in the sentence itself. "170 seconds longer": a difference, and no value of either.
  const told = values.filter(({ quantity, part }) => {
    if (quantity === undefined) return false;
    const isBeside =
      quantity.at === at || (quantity.at + 1 === at && said.words[at - 1]?.isContent === true);
    return !isBeside || part !== word.part;
  });
  const border = said.words.findIndex(({ lower }, place) => place > at && than.test(lower));
  const split = border < 0 ? at : border;
  const course = isMove ? findCourse(said, values) : undefined;
  if (course !== undefined) {
    const [from, to] = course;
    if (from.kind !== "clock" && Math.sign(to.size - from.size) === -sign) return "denied";
    const order = from.kind === "clock" ? 0 : findOrder(from, to, statements);
    if (order !== 0) return order > 0 ? "confirmed" : "denied";
  }
  // "Release 62", "12 Elm Court": a number in a name is no measure.
  const isMeasure = ({ at: place, part, quantity }: Value) =>
    border < 0 ||
    quantity?.units.length !== 0 ||
    (![said.words[place - 1]].some((one) => one?.isContent === true && one.part === part) &&
      !/^\p{Lu}/u.test(said.words[place]?.text ?? ""));
  const behind = told.find((one) => one.at > split && isMeasure(one));
  const before = told.findLast(
    (one) => one.at <= split && one.kind === behind?.kind && isMeasure(one),
  );
  const next = told.find((one) => behind !== undefined && one.at > behind.at);
  if (border >= 0 && !before && behind && next?.kind === behind.kind && next.part === behind.part)
    return Math.sign(behind.size - next.size) === sign ? "confirmed" : "denied";
  const isFrom = said.words[at + 1]?.lower === "from";
  if (before !== undefined && behind !== undefined && !isOrder) {
    const isRight = Math.sign(before.size - behind.size) === (isMove && !isFrom ? -sign : sign);
    return before.size === behind.size ? "unknown" : isRight ? "confirmed" : "denied";
  }
  const tokens = tokensOf(said, values, known);
  const sides = isMove ? splitMove(course, tokens, at) : splitSides(said, tokens, at);
  if (sides === undefined) return "unknown";
  const given = isOrder
    ? undefined
    : told.find(({ quantity }) => quantity !== undefined && quantity.units.length > 0);
  const found =
    (given === undefined ? undefined : findBeside(given, sides, split, known)) ??
    findPair(
      sides,
      known,
      values,
      tokens.filter((one) => one.at > at && one.at <= split),
      dimensionOf(said, word, isOrder),
      isOrder,
    );
  if (found === undefined) return "unknown";
  // "Faster" means less time, and more metres a minute.
  const isSpeed = timely.test(word.lower) && !/^(?:clock|number time)$/.test(found.left.kind);
  const difference = Math.sign(found.left.size - found.right.size) * (isSpeed ? -1 : 1);
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
  /** A name, a word, or a kind of values. */
  readonly shape: string;
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
      word.isContent && has.has(word.stem) ? [{ key: word.stem, at, ...shapeOf(word) }] : [],
    ),
    ...values.flatMap(({ key, kind, at }) =>
      kind !== "name" && has.has(key) ? [{ key, at, weight: 2, shape: kind }] : [],
    ),
  ];
}

function shapeOf({ isId, isFirst, text, lower }: Word): Pick<Token, "weight" | "shape"> {
  const isPlain = isFirst && findRank(lower) !== undefined;
  const isName = isId || (/^\p{Lu}/u.test(text) && !isPlain);
  return { weight: isName ? 2 : 1, shape: isName ? "name" : "word" };
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

/** "Rose from X to Y", "fell between X and Y". */
function findCourse(
  { words }: Statement,
  values: readonly Value[],
): readonly [Value, Value] | undefined {
  for (const [place, one] of values.entries()) {
    const next = values[place + 1];
    if (next === undefined || next.kind !== one.kind || one.kind === "name") continue;
    const opens = words
      .slice(Math.max(0, one.at - 3), one.at + 1)
      .some(({ lower }) => /^(?:from|between|zwischen|von|entre|de)$/.test(lower));
    if (opens && next.at - one.at <= 4) return [one, next];
  }
  return undefined;
}

/** Whether the sources have one value right before another, or right behind it alone. */
function findOrder(from: Value, to: Value, statements: readonly Statement[]): -1 | 0 | 1 {
  const pairs = statements.flatMap((statement) => {
    const own = listValues(statement).filter(({ kind }) => kind === from.kind);
    return own.flatMap((one, place) => {
      const next = own[place + 1];
      return next !== undefined && next.at - one.at <= 3 ? `${one.key} ${next.key}` : [];
    });
  });
  if (pairs.includes(`${from.key} ${to.key}`)) return 1;
  return pairs.includes(`${to.key} ${from.key}`) ? -1 : 0;
}

/** The same thing at two times. */
function splitMove(
  course: readonly [Value, Value] | undefined,
  tokens: readonly Token[],
  at: number,
): Sides | undefined {
  if (course === undefined) return undefined;
  const [from, to] = course;
  const rest = tokens.filter(({ key }) => key !== from.key && key !== to.key);
  const of = (value: Value) => [...rest, { key: value.key, at, weight: 3, shape: value.kind }];
  return { left: of(to), right: of(from) };
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
    (one) => scoreSide(other, one),
  );
  if (found === undefined || found.score <= 0.2) return undefined;
  return isLeft ? { left: given, right: found.value } : { left: found.value, right: given };
}

/** A number without a unit may have that of its neighbours: "6.8 bar (limit 6.5)". */
function fits({ kind }: Value, wanted: string): boolean {
  return kind === wanted || (kind === "number " && wanted.startsWith("number"));
}

function scoreSide(side: readonly Token[], { context }: SourceValue): number {
  return side.reduce((sum, { key, weight }) => sum + (context.get(key) ?? 0) * weight, 0);
}

/** The two values of one kind that belong to the sides best; none where two others say the contrary as well. */
function findPair(
  { left, right }: Sides,
  known: readonly SourceValue[],
  told: readonly Value[],
  attribute: readonly Token[],
  dimension: RegExp | undefined,
  isOrder: boolean,
): { readonly left: Value; readonly right: Value } | undefined {
  const toldKeys = new Set(told.map(({ key }) => key));
  const kinds = known.filter(({ kind, key }) => !exchangeable.test(kind) && !toldKeys.has(key));
  const ofDimension = kinds.filter(({ kind }) => dimension?.test(kind) === true);
  // "After Edmund": without two times nothing says which was first.
  if (isOrder && ofDimension.length < 2) return undefined;
  const values =
    ofDimension.length > 1 ? ofDimension : kinds.filter(({ kind }) => kind !== "clock");
  // Each is compared with each.
  const all = values
    .map((value) => ({ value, score: scoreSide(left, value) + scoreSide(right, value) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, maxCompared)
    .map(({ value }) => value);
  // What sets the sides apart is of one shape: "release 61" and "release 62", "Brno" and "Cluj".
  const apart = (side: readonly Token[], other: readonly Token[]) => {
    const isIn = (tokens: readonly Token[], { key }: Token) =>
      tokens.some((one) => one.key === key);
    return side.filter(
      (one) =>
        !isIn(other, one) &&
        (one.shape !== "word" || !attribute.includes(one)) &&
        other.some((each) => each.shape === one.shape && !isIn(side, each)),
    );
  };
  const [leftOwn, rightOwn] = [apart(left, right), apart(right, left)];
  const isApart = leftOwn.length > 0 && rightOwn.length > 0;
  const own = isApart ? { left: leftOwn, right: rightOwn } : { left, right };
  const common = new Set(
    [...left, ...right]
      .filter((one) => !own.left.includes(one) && !own.right.includes(one))
      .map(({ key }) => key),
  );
  const compared = isApart ? attribute.filter((one) => !leftOwn.includes(one)) : attribute;
  /** How well a value fits its side: the worse, the more of it fits the other value. */
  const rate = (side: readonly Token[], mine: SourceValue, other: SourceValue) =>
    side.reduce((sum, { key, weight }) => {
      const [near, away] = [mine.context.get(key) ?? 0, other.context.get(key) ?? 0];
      return sum + weight * (near - crossed * Math.max(0, away - near));
    }, 0);
  /** What both have in common is what is compared. */
  const rateCommon = (a: SourceValue, b: SourceValue) =>
    [...common].reduce(
      (sum, key) => sum + commonWeight * Math.min(a.context.get(key) ?? 0, b.context.get(key) ?? 0),
      attributeWeight * (scoreSide(compared, a) + scoreSide(compared, b)),
    );
  for (const isExact of [true, false]) {
    const best = new Map<number, { readonly left: Value; readonly right: Value; sum: number }>();
    for (const l of all)
      for (const r of all) {
        if (l.size === r.size) continue;
        const isOne = l.kind === r.kind;
        if (isExact ? !isOne : isOne || !(fits(l, r.kind) || fits(r, l.kind))) continue;
        const [ofLeft, ofRight] = [rate(own.left, l, r), rate(own.right, r, l)];
        if (ofLeft < minSide || ofRight < minSide) continue;
        const isGroup = l.group !== "" && l.group === r.group;
        const sum = ofLeft + ofRight + rateCommon(l, r) + (isGroup ? sameGroup : 0);
        const sign = Math.sign(l.size - r.size);
        if (sum > (best.get(sign)?.sum ?? 0)) best.set(sign, { left: l, right: r, sum });
      }
    const [first, second] = [...best.values()].sort((a, b) => b.sum - a.sum);
    if (first !== undefined) return first.sum - (second?.sum ?? 0) < minLead ? undefined : first;
  }
  return undefined;
}

/** Maximum number of values that are compared: those with most of the sentence around them. */
const maxCompared = 60;
/** What has no size that is compared. */
const exchangeable = /^(?:name|month|weekday)$/;
/** Weight of what is compared, as "cars" in "more cars than"; of what both have; of what fits the other side; of a common group. */
const [attributeWeight, commonWeight, crossed, sameGroup] = [2, 2, 0.5, 0.5];
/** Least score of a side, and lead of a pair over one that says the contrary. */
const [minSide, minLead] = [0.05, 0.1];

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
