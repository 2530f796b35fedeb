import { measureLikeness } from "../text/word-vectors.js";
import { areContrary } from "./antonyms.js";
import { clausesOf, type Item, type ItemList, listItems } from "./items.js";
import type { Statement } from "./read-statement.js";

const acrossPart = 0.5;
const acrossStatement = 0.12;
/** Least difference of closeness that counts, for two things that the sources both have. */
const minDifference = 0.4;
/** Share of what is said, from which on it belongs to the contrary. */
const minContrary = 0.3;
/** Words that tell too little to be somebody or something. */
const minWeight = 0.4;

/** Maximum number of statements that are compared: those with most of what a sentence says. */
const maxStatements = 24;

interface Place extends ItemList {
  /** Keys of the statement before. */
  readonly before: ReadonlySet<string> | undefined;
}

/**
 * Whether what a clause says together stands with another thing of the same kind in the sources: "the tenant pays the
 * water", where the landlord pays it; or with its contrary: "the south side", where it is the north side.
 */
export function isSwapped(
  statement: Statement,
  all: readonly ItemList[],
  names: ReadonlySet<string>,
): boolean {
  const said = listItems(statement, names);
  const source = all
    .map((one, at) => ({ ...one, before: all[at - 1]?.keys }))
    .map((one) => ({ one, shared: [...said.keys].filter((key) => one.keys.has(key)).length }))
    .sort((a, b) => b.shared - a.shared)
    .slice(0, maxStatements)
    .map(({ one }) => one);
  const places = new Map<string, Item[]>();
  for (const { items } of source)
    for (const item of items) {
      const here = places.get(item.key);
      if (here === undefined) places.set(item.key, [item]);
      else here.push(item);
    }
  const clauses = clausesOf(said);
  return clauses.some((clause) => {
    const own = new Set(clause.map(({ key }) => key));
    return clause.some((item) => {
      if (item.kind === "number" || item.weight < minWeight) return false;
      const company = clause.filter(({ key }) => key !== item.key && places.has(key));
      // One word beside it may stand anywhere.
      if (company.length < 2) return false;
      const here = places.get(item.key);
      const mine =
        here === undefined ? [company.map(() => 0)] : profilesOf(item.key, source, company);
      const weight = company.reduce((sum, one) => sum + one.weight, 0);
      return findRivals(item, here ?? [item], source, company).some((rival) => {
        if (own.has(rival.key)) return false;
        if (here === undefined && !areContrary(item.key, rival.key)) return false;
        const gain = measureGain(mine, profilesOf(rival.key, source, company), company);
        if (here === undefined) return gain > minContrary * weight;
        return gain >= minDifference && isMutual(item, rival, said, clauses, source);
      });
    });
  });
}

/** Things of the same kind, in statements with some of what is said. */
function findRivals(
  item: Item,
  here: readonly Item[],
  source: readonly Place[],
  company: readonly Item[],
): readonly Item[] {
  const rivals = new Map<string, Item>();
  for (const { items, keys, before } of source) {
    if (!company.some(({ key }) => keys.has(key) || before?.has(key))) continue;
    for (const one of items) {
      if (one.key === item.key || rivals.has(one.key)) continue;
      if (here.some((place) => areAlike(place, one))) rivals.set(one.key, one);
    }
  }
  return [...rivals.values()];
}

/** A rival that the sentence names too is exchanged for it there: what is said of the rival fits the item. */
function isMutual(
  item: Item,
  rival: Item,
  said: ItemList,
  clauses: readonly (readonly Item[])[],
  source: readonly Place[],
): boolean {
  if (!said.keys.has(rival.key)) return true;
  const other = clauses.find((one) => one.some(({ key }) => key === rival.key)) ?? [];
  const company = other.filter(({ key }) => key !== rival.key && key !== item.key);
  const [mine, its] = [item, rival].map(({ key }) => profilesOf(key, source, company));
  return measureGain(its ?? [], mine ?? [], company) > minContrary;
}

/** How close each item of a company stands to each place of an item in the sources. */
function profilesOf(
  wanted: string,
  source: readonly Place[],
  company: readonly Item[],
): readonly (readonly number[])[] {
  return source.flatMap(({ items, keys, goesOn, before }) => {
    if (!keys.has(wanted)) return [];
    return items
      .filter(({ key }) => key === wanted)
      .map((place) =>
        company.map(({ key }) => {
          let most = before?.has(key) === true ? (goesOn ? acrossPart : acrossStatement) : 0;
          if (keys.has(key))
            for (const one of items)
              if (one.key === key)
                most = Math.max(most, acrossPart ** Math.abs(one.part - place.part));
          return most;
        }),
      );
  });
}

/** How much closer a company stands to the best place of a rival than to any of an item; 0 or less where it does not. */
function measureGain(
  mine: readonly (readonly number[])[],
  rivals: readonly (readonly number[])[],
  company: readonly Item[],
): number {
  let most = 0;
  for (const rival of rivals) {
    let least = Number.POSITIVE_INFINITY;
    for (const own of mine) {
      let [sum, all] = [0, 0];
      company.forEach(({ weight }, at) => {
        const difference = (rival[at] ?? 0) - (own[at] ?? 0);
        sum += weight * difference;
        all += weight * Math.abs(difference);
      });
      // What speaks for both sides tells nothing.
      least = Math.min(least, sum * 2 > all ? sum : 0);
    }
    if (least !== Number.POSITIVE_INFINITY) most = Math.max(most, least);
  }
  return most;
}

const titles = /^(?:mr|mrs|ms|dr|prof|herr|frau|señora?|sra?)$/;
/** Likeness of words from which on they are of one kind: in the same place, and elsewhere. */
const likeInPlace = 0.15;
const like = 0.4;

/** Whether two items represent things of one kind, so that one may be taken for the other. */
function areAlike(a: Item, b: Item): boolean {
  if (a.kind === "number" || b.kind === "number") return false;
  if (areContrary(a.key, b.key)) return true;
  const isSameCue = a.cue !== "" && a.cue === b.cue;
  const bothOpen = a.opens && b.opens;
  if (a.kind === "name" && b.kind === "name") {
    const shapes = [a, b].map(({ lower }) => lower.replace(/\d+/g, "0"));
    if (/\d/.test(a.lower) && shapes[0] === shapes[1]) return true;
    if (isSameCue || (titles.test(a.cue) && titles.test(b.cue))) return true;
    if ((a.lower.length === 1 && b.lower.length === 1) || (bothOpen && a.isCounted && b.isCounted))
      return true;
  }
  if (bothOpen && (isSameCue || (a.next !== "" && a.next === b.next))) return true;
  return (measureLikeness(a.lower, b.lower) ?? 0) > (isSameCue ? likeInPlace : like);
}
