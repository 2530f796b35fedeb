import { measureLikeness } from "../text/word-vectors.js";
import { areContrary } from "./antonyms.js";
import { conditional, restricting, softDenials } from "./denials.js";
import type { Ground } from "./ground.js";
import { type Item, type ItemList, lightWords, listItems, nameWeight } from "./items.js";
import type { Statement } from "./read-statement.js";

/** A statement of a source. */
interface Source {
  readonly statement: Statement;
  readonly list: ItemList;
  /** Number of the statement, from 0. */
  readonly order: number;
}

/** An item where it stands in a source. */
interface Place {
  readonly source: Source;
  readonly item: Item;
}

/** An item of a sentence, with what represents it in the sources. */
interface Match {
  readonly item: Item;
  /** Key of the item of the source; `undefined` where none is like it. */
  readonly key: string | undefined;
  /** From 0 to 1. */
  readonly closeness: number;
  readonly isContrary: boolean;
}

/** How the sources bear out what a sentence says: each from 0 to 2. */
export interface Support {
  /** Share of what it says that no source has, by how much each word tells. */
  readonly novel: number;
  /** How new what a short sentence says of something is: "checkout is healthy". */
  readonly bare: number;
  /** Share of its plain words that no source has. */
  readonly novelWords: number;
  /** Share of what it says that stands in a source that it does not cite. */
  readonly elsewhere: number;
  /** How much of what it denies the sources affirm. */
  readonly denied: number;
  /** As `denied`, by what the sources affirm within limits: "only with glasses on". */
  readonly deniedWithin: number;
  /** How much of what it denies the sources deny or restrict as well. */
  readonly deniesToo: number;
  /** How much better it fits with two things of one kind exchanged. */
  readonly exchanged: number;
  /** How much better it fits with another thing of the kind in place of one. */
  readonly replaced: number;
}

/** Maximum number of statements that are compared: those with most of what a sentence says. */
const maxStatements = 24;

/** Aligns a sentence, item by item, with the sources. */
export function measureSupport(said: Statement, ground: Ground): Support {
  const list = listItems(said, ground.names);
  const sources = takeNearest(list, ground);
  const places = new Map<string, Place[]>();
  for (const source of sources)
    for (const item of source.list.items) {
      const here = places.get(item.key);
      if (here === undefined) places.set(item.key, [{ source, item }]);
      else here.push({ source, item });
    }
  const matches = list.items.map((item) => matchItem(item, places));
  return {
    ...measureNovelty(matches, ground),
    ...measureDenial(matches, said, sources),
    ...measureExchange(matches, places),
  };
}

function takeNearest(list: ItemList, { items, statements }: Ground): readonly Source[] {
  const shared = ({ keys }: ItemList) => [...list.keys].filter((key) => keys.has(key)).length;
  return statements
    .flatMap((statement, order) => {
      const own = items[order];
      return own === undefined ? [] : [{ statement, list: own, order, rank: shared(own) }];
    })
    .sort((a, b) => b.rank - a.rank)
    .slice(0, maxStatements);
}

/** Closeness from which on two words are taken for one another, and that of a contrary. */
const [minCloseness, contrary] = [0.3, 0.9];

function matchItem(item: Item, places: ReadonlyMap<string, readonly Place[]>): Match {
  if (places.has(item.key)) return { item, key: item.key, closeness: 1, isContrary: false };
  const none: Match = { item, key: undefined, closeness: 0, isContrary: false };
  if (item.kind === "number") return none;
  let best = none;
  for (const [key, [first]] of places) {
    if (first === undefined || first.item.kind === "number") continue;
    const isContrary = areContrary(item.key, key);
    const closeness = isContrary ? contrary : compareWords(item.lower, first.item.lower);
    if (closeness > best.closeness) best = { item, key, closeness, isContrary };
  }
  return best.closeness < minCloseness ? { ...best, key: undefined } : best;
}

/** How close two words are: by their use, or by the letters they share, as in compounds. */
function compareWords(a: string, b: string): number {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  let shared = 0;
  while (shared < short.length && short[shared] === long[shared]) shared++;
  const isPart = short.length > 4 && long.includes(short);
  const letters = isPart ? 0.8 : shared > 4 ? (0.9 * shared) / long.length : 0;
  return Math.max(letters, measureLikeness(a, b) ?? 0);
}

/** Number of items below which a sentence is short. */
const shortSentence = 5;

function measureNovelty(matches: readonly Match[], { others }: Ground) {
  const all = matches.reduce((sum, { item }) => sum + item.weight, 0) || 1;
  const novel = matches.map(({ item, closeness }) => item.weight * (1 - closeness));
  const words = matches.filter(({ item }) => item.kind === "word");
  const rest = matches.filter(({ item }) => item.kind !== "name");
  const claimed =
    rest.reduce((sum, { item, closeness }) => sum + item.weight * (1 - closeness), 0) /
    Math.max(
      1,
      rest.reduce((sum, { item }) => sum + item.weight, 0),
    );
  const elsewhere = matches.filter(
    ({ item, closeness }) => closeness < 1 && others.some(({ stems }) => stems.has(item.key)),
  );
  return {
    novel: novel.reduce((sum, one) => sum + one, 0) / all,
    bare: matches.length < shortSentence ? claimed : 0,
    novelWords: words.filter(({ key }) => key === undefined).length / Math.max(3, words.length),
    elsewhere: elsewhere.reduce((sum, { item }) => sum + item.weight, 0) / all,
  };
}

/** An item that a part of a statement denies or affirms. */
interface Claimed {
  readonly weight: number;
  /** How much it belongs to that, from 0 to 1. */
  readonly share: number;
}

/** What a part of a statement denies or affirms. */
interface Claim {
  readonly claimed: ReadonlyMap<string, Claimed>;
  /** 1 where it denies; less where a word only comes near to it, or a limit is denied: "no more than". */
  readonly denial: number;
  readonly part: number;
  /** Its statement says when it holds: "only", "unless", "otherwise". */
  readonly isRestricted: boolean;
}

function measureDenial(matches: readonly Match[], said: Statement, sources: readonly Source[]) {
  const own = readClaims(
    matches.flatMap(({ item, key, isContrary }) =>
      key === undefined ? [] : [{ ...item, key, isContrary }],
    ),
    said,
    new Set(sources.flatMap(({ list }) => [...list.keys])),
    sources.flatMap(({ statement }) => statement.quantities),
  );
  const known = new Set(matches.map(({ item }) => item.key));
  const claims = sources.flatMap(({ list, statement }) => {
    const plain = readClaims(list.items, statement, known, said.quantities);
    return [...plain, ...joinConditions(plain, statement), ...joinBefore(plain)];
  });
  const free = claims.filter(({ isRestricted }) => !isRestricted);
  const contradiction = (among: readonly Claim[]) =>
    Math.max(0, ...own.map((one) => measureContradiction(one, claims, among)));
  const denied = contradiction(free);
  return {
    denied,
    deniedWithin: Math.max(0, contradiction(claims) - denied),
    deniesToo: Math.max(0, ...own.map((one) => measureSharedDenial(one, claims))),
  };
}

/** How much of what a claim denies others deny, come near to denying or restrict. */
function measureSharedDenial({ claimed, denial }: Claim, others: readonly Claim[]): number {
  if (denial < ofLimit) return 0;
  const sum = (factor: (key: string) => number) =>
    Array.from(claimed).reduce(
      (total, [key, { share, weight }]) => total + share * weight * factor(key),
      0,
    );
  const shared = others
    .filter((one) => one.denial > 0 || one.isRestricted)
    .map((one) => sum((key) => one.claimed.get(key)?.share ?? 0));
  return Math.max(0, ...shared) / (sum(() => 1) || 1);
}

/** Denial of a word such as "lost" or "outside", and of a limit. */
const [soft, ofLimit] = [0.6, 0.5];
/** Weight of what stands before a denial, further behind it, and in the part before. */
const [beforeDenial, furtherBehind, partBefore] = [0.3, 0.5, 0.5];

/** @param known - Keys that the other side has: a word such as "lost" then denies nothing. */
function readClaims(
  items: readonly (Item & { readonly isContrary?: boolean })[],
  { words, deniedParts, quantities }: Statement,
  known: ReadonlySet<string>,
  limits: Statement["quantities"],
): readonly Claim[] {
  const isRestricted = words.some(({ lower }) => restricting.test(lower));
  return [...new Set([...items.map(({ part }) => part), ...deniedParts])].map((part) => {
    const here = items.filter((one) => one.part === part && one.kind !== "number");
    const isDenied = deniedParts.has(part);
    const isLimit = quantities.some(
      ({ part: place, bound, value }) =>
        place === part &&
        bound !== 0 &&
        !limits.some((one) => one.value === value && one.bound === bound),
    );
    const isSoft = here.some(({ key }) => softDenials.has(key) && !known.has(key));
    const plain = isDenied ? (isLimit ? ofLimit : 1) : isSoft ? soft : 0;
    const isTurned = here.filter((one) => one.isContrary === true).length % 2 === 1;
    const behind = here.filter((one) => one.isDenied);
    const head = behind.find(({ key }) => !lightWords.has(key));
    const claimed = new Map<string, Claimed>();
    for (const one of here) {
      const share =
        behind.length === 0 || one === head ? 1 : one.isDenied ? furtherBehind : beforeDenial;
      if (share > (claimed.get(one.key)?.share ?? 0))
        claimed.set(one.key, { share, weight: one.weight });
    }
    // "Books can be renewed, films not": what is denied stands before.
    if (isDenied && behind.length === 0)
      for (const { key, weight, part: place } of items)
        if (place === part - 1 && !claimed.has(key))
          claimed.set(key, { share: partBefore, weight });
    return { part, isRestricted, claimed, denial: isTurned ? 1 - plain : plain };
  });
}

/** "Do not run it while a backup is being taken": what stands in the condition is denied with it. */
function joinConditions(claims: readonly Claim[], { words }: Statement): readonly Claim[] {
  return claims.flatMap((one, at) => {
    const next = claims[at + 1];
    const first = words.find(({ part }) => part === next?.part);
    if (next === undefined || one.denial < 1 || next.denial > 0 || first === undefined) return [];
    if (!conditional.test(first.lower)) return [];
    return [{ ...one, claimed: new Map([...next.claimed, ...one.claimed]) }];
  });
}

/** "Both engineers have to agree, not the manager", "web-1: running": what stands before belongs to it, less closely. */
function joinBefore(claims: readonly Claim[]): readonly Claim[] {
  return claims.flatMap((one, at) => {
    const before = claims[at - 1];
    if (before === undefined || (one.denial > 0 && one.denial < 1) || before.denial > 0) return [];
    const claimed = new Map(
      Array.from(before.claimed, ([key, { share, weight }]) => [
        key,
        { share: share * partBefore, weight },
      ]),
    );
    return [{ ...one, claimed: new Map([...claimed, ...one.claimed]) }];
  });
}

/** How much of what a claim denies others affirm, beyond what they deny as well. */
function measureContradiction(
  { claimed, denial }: Claim,
  others: readonly Claim[],
  affirming: readonly Claim[],
): number {
  if (denial < ofLimit) return 0;
  const all = [...claimed.values()].reduce((sum, { share, weight }) => sum + share * weight, 0);
  if (all === 0) return 0;
  let [denied, affirmed] = [0, 0];
  for (const other of others) {
    let [shared, words] = [0, 0];
    for (const [key, { share, weight }] of claimed) {
      const both = share * weight * (other.claimed.get(key)?.share ?? 0);
      shared += both;
      if (weight < nameWeight) words += both;
    }
    // Of many denials some have a word or two of it: what has little of it says little.
    denied = Math.max(denied, (shared * other.denial * shared) / all);
    if (words > 0 && affirming.includes(other))
      affirmed = Math.max(affirmed, shared * (1 - other.denial));
  }
  return (denial * Math.max(0, affirmed - denied)) / Math.max(1, all);
}

/** Closeness of two items one clause apart, one statement apart, and of a clause of the sentence to the next. */
const [acrossClause, acrossStatement, acrossSaid] = [0.5, 0.12, 0.4];
const maxGain = 2;

/** How much better a sentence fits its sources with two of its things exchanged, or another in place of one. */
function measureExchange(
  matches: readonly Match[],
  places: ReadonlyMap<string, readonly Place[]>,
): Pick<Support, "exchanged" | "replaced"> {
  const known = matches.flatMap(({ item, key, closeness }) => {
    const at = key === undefined ? undefined : places.get(key);
    return key === undefined || at === undefined ? [] : [{ item, key, closeness, at }];
  });
  type Known = (typeof known)[number];
  /** What changes where `rival` stands in place of `one`, in the clause of `one`; and all that changes for or against. */
  const compare = (one: Known, rival: Omit<Known, "closeness">): readonly [number, number] => {
    const company = known.flatMap((each) => {
      const distance = Math.abs(one.item.clause - each.item.clause);
      if (each.key === one.key || each.key === rival.key) return [];
      if (Math.abs(rival.item.clause - each.item.clause) < distance) return [];
      return [{ ...each, weight: acrossSaid ** distance * each.item.weight * each.closeness }];
    });
    const own = company.map(({ at }) => Math.max(...one.at.map((place) => measureNear(place, at))));
    let [gain, all] = [0, 0];
    for (const [index, place] of rival.at.entries()) {
      let [sum, absolute] = [0, 0];
      for (const [number, { at, weight }] of company.entries()) {
        const change = weight * (measureNear(place, at) - (own[number] ?? 0));
        sum += change;
        absolute += Math.abs(change);
      }
      if (index === 0 || sum > gain) [gain, all] = [sum, absolute];
    }
    return [gain, all];
  };
  let exchanged = 0;
  for (const [index, one] of known.entries())
    for (const other of known.slice(index + 1)) {
      if (one.item.kind === "number" || other.item.kind === "number") continue;
      if (one.key === other.key || one.item.clause === other.item.clause) continue;
      const isOneKind =
        arePlacedAlike(one.item, other.item) ||
        one.at.some((a) => other.at.some((b) => areAlike(a.item, b.item)));
      if (!isOneKind) continue;
      const [gain, all] = compare(one, other);
      const [back, allBack] = compare(other, one);
      exchanged = Math.max(exchanged, rate([gain + back, all + allBack]));
    }
  const saidKeys = new Set(known.map(({ key }) => key));
  let replaced = 0;
  for (const one of known) {
    if (one.item.kind === "number" || lightWords.has(one.key)) continue;
    for (const [key, all] of places) {
      // Only what stands beside it in a statement is another thing there.
      const at = all.filter(({ source }) => one.at.some((place) => place.source === source));
      const [first] = at;
      if (first === undefined || saidKeys.has(key) || !isRival(one.at, at)) continue;
      const rival = { item: { ...first.item, clause: Number.POSITIVE_INFINITY }, key, at };
      replaced = Math.max(replaced, rate(compare(one, rival)));
    }
  }
  return { exchanged, replaced };
}

/** A gain, the less where much speaks against it. */
function rate([gain, all]: readonly [number, number]): number {
  return gain <= 0 ? 0 : Math.min(maxGain, gain ** 2 / all);
}

/** Whether two things stand in one statement and are of one kind there. */
function isRival(mine: readonly Place[], others: readonly Place[]): boolean {
  return mine.some((a) => others.some((b) => a.source === b.source && areAlike(a.item, b.item)));
}

/** How close a place is to the nearest of others. */
function measureNear({ source, item }: Place, others: readonly Place[]): number {
  let most = 0;
  for (const other of others) {
    const distance = other.source.order - source.order;
    if (distance === 0)
      most = Math.max(most, acrossClause ** Math.abs(item.clause - other.item.clause));
    else if (Math.abs(distance) === 1) {
      const later = distance > 0 ? other.source : source;
      most = Math.max(most, later.list.goesOn ? acrossClause : acrossStatement);
    }
  }
  return most;
}

/** Whether two things of one sentence have the same place in it: each begins a part, or stands behind the same words. */
function arePlacedAlike(a: Item, b: Item): boolean {
  return a.kind === b.kind && ((a.opens && b.opens) || (a.cue !== "" && a.cue === b.cue));
}

const titles = /^(?:mr|mrs|ms|dr|prof|herr|frau|señora?|sra?)$/;
/** Likeness of words from which on they are of one kind: in the same place, and elsewhere. */
const [likeInPlace, like] = [0.15, 0.4];

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
    if (a.lower.length === 1 && b.lower.length === 1) return true;
  }
  if (bothOpen && (isSameCue || (a.next !== "" && a.next === b.next))) return true;
  return (measureLikeness(a.lower, b.lower) ?? 0) > (isSameCue ? likeInPlace : like);
}
