import { collapse, toParts, toSingulars } from "../text/tokens.js";
import { editDistance } from "./edit-distance.js";
import type { EntityCandidate, MatchKind, NamedEntity } from "./entity.js";

/** Options for {@link createEntityIndex}. */
export interface EntityIndexOptions {
  /**
   * The kind of what stands behind a preposition: `{ in: "Namespace", on: "Node" }`. Where a word may mean several
   * things, this decides.
   */
  readonly prepositions?: Readonly<Record<string, string>>;
  /**
   * The mask of a name of each kind in `Reading.masked`, where it is not the kind itself: `{ Deployment: "name" }`.
   */
  readonly masks?: Readonly<Record<string, string>>;
  /** Only whole names are found: no parts of them, and no other spellings. @default false */
  readonly wholeNamesOnly?: boolean;
  /**
   * Words of the domain that are also used without naming anything: "events", "storage". One that is also a name is
   * taken for it where something shows that it is meant: quotes, a kind beside it, the place of a subject.
   */
  readonly plainWords?: Iterable<string>;
}

/** Names of what exists, ready to be found in questions. */
export interface EntityIndex<E extends NamedEntity = NamedEntity> {
  /** Number of entities. */
  readonly size: number;
  readonly prepositions: Readonly<Record<string, string>>;
  readonly plainWords: ReadonlySet<string>;
  readonly masks: Readonly<Record<string, string>>;
  /** What has exactly this name, in any case and with any joints: `Cart-DB`, `cart db`. Best first. */
  findByName(text: string): readonly EntityCandidate<E>[];
  readonly wholeNamesOnly: boolean;
  /** What has this as a part of its name: `cart` of `eu-cart-db`. Best first, maximum 20. */
  findByPart(text: string): readonly EntityCandidate<E>[];
  /** What has a name spelt almost so. Best first, maximum 20. */
  findBySpelling(text: string): readonly EntityCandidate<E>[];
}

const maxCandidates = 20;
const maxAliases = 20;
/** Maximum number of names that a part leads to; a part of more names tells none of them apart. */
const maxPostings = 2_000;
const maxNameLength = 300;
/** Maximum number of letters of a name whose spelling may differ. */
const maxSpelledLength = 60;

const scores: Readonly<Record<Exclude<MatchKind, "part" | "near">, number>> = {
  exact: 1,
  variant: 0.95,
  alias: 0.9,
  plural: 0.85,
};

/**
 * Makes an index of what can be named. Takes about a microsecond for a name; parts and spellings are indexed when
 * they are first looked for.
 */
export function createEntityIndex<E extends NamedEntity>(
  entities: Iterable<E>,
  options: EntityIndexOptions = {},
): EntityIndex<E> {
  const all = [...entities].filter(({ name }) => name.length <= maxNameLength);
  const byName = new Map<string, number[]>();
  const byAlias = new Map<string, number[]>();
  for (const [id, { name, aliases = [] }] of all.entries()) {
    push(byName, collapse(name), id);
    for (const alias of aliases.slice(0, maxAliases)) push(byAlias, collapse(alias), id);
  }

  const toCandidates = (
    ids: readonly number[],
    rate: (entity: E, id: number) => readonly [MatchKind, number] | undefined,
  ): readonly EntityCandidate<E>[] =>
    ids
      .flatMap((id) => {
        const entity = all[id];
        const rated = entity && rate(entity, id);
        return entity === undefined || rated === undefined
          ? []
          : [{ entity, match: rated[0], score: rated[1] }];
      })
      .sort((a, b) => b.score - a.score || compareNames(a.entity.name, b.entity.name))
      .slice(0, maxCandidates);

  const findByName = (text: string): readonly EntityCandidate<E>[] => {
    const key = collapse(text);
    if (key === "") return [];
    const lower = text.toLowerCase();
    const named = toCandidates(byName.get(key) ?? [], ({ name }) =>
      name.toLowerCase() === lower ? ["exact", scores.exact] : ["variant", scores.variant],
    );
    const aliased = toCandidates(byAlias.get(key) ?? [], () => ["alias", scores.alias]);
    if (named.length + aliased.length > 0)
      return [
        ...named,
        ...aliased.filter(({ entity }) => !named.some((one) => one.entity === entity)),
      ];
    for (const singular of toSingulars(key)) {
      const ids = [...(byName.get(singular) ?? []), ...(byAlias.get(singular) ?? [])];
      if (ids.length > 0) return toCandidates([...new Set(ids)], () => ["plural", scores.plural]);
    }
    return [];
  };

  let byPart: Map<string, number[]> | undefined;
  const findByPart = (text: string): readonly EntityCandidate<E>[] => {
    byPart ??= indexParts(all);
    const wanted = toParts(text);
    const rarest = wanted
      .map((part) => byPart?.get(part) ?? [])
      .reduce(
        (best, one) => (one.length < best.length ? one : best),
        byPart.get(wanted[0] ?? "") ?? [],
      );
    if (rarest.length > maxPostings) return [];
    const joined = `-${wanted.join("-")}-`;
    return toCandidates(rarest, ({ name }) => {
      const parts = toParts(name);
      const at = `-${parts.join("-")}-`.indexOf(joined);
      if (at < 0) return undefined;
      const share = wanted.length / parts.length;
      return ["part", (at === 0 ? 0.65 : 0.55) + 0.15 * share];
    });
  };

  let bySpelling: Map<string, string[]> | undefined;
  const findBySpelling = (text: string): readonly EntityCandidate<E>[] => {
    const wanted = collapse(text);
    const maxDistance = wanted.length >= 8 ? 2 : wanted.length >= 5 ? 1 : 0;
    if (maxDistance === 0 || wanted.length > maxSpelledLength) return [];
    bySpelling ??= indexSpellings([...byName.keys(), ...byAlias.keys()]);
    const distances = new Map<number, number>();
    for (const key of similarKeys(wanted, maxDistance, bySpelling)) {
      const distance = editDistance(wanted, key, maxDistance);
      if (distance > maxDistance) continue;
      for (const id of [...(byName.get(key) ?? []), ...(byAlias.get(key) ?? [])])
        distances.set(id, Math.min(distance, distances.get(id) ?? distance));
    }
    return toCandidates([...distances.keys()], (_, id) => [
      "near",
      0.8 - 0.15 * (distances.get(id) ?? maxDistance),
    ]);
  };

  return {
    size: all.length,
    prepositions: options.prepositions ?? {},
    masks: options.masks ?? {},
    wholeNamesOnly: options.wholeNamesOnly ?? false,
    plainWords: new Set(Array.from(options.plainWords ?? [], (word) => word.toLowerCase())),
    findByName,
    findByPart,
    findBySpelling,
  };
}

function push(map: Map<string, number[]>, key: string, id: number): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [id]);
  else if (known.at(-1) !== id) known.push(id);
}

function indexParts(all: readonly NamedEntity[]): Map<string, number[]> {
  const index = new Map<string, number[]>();
  for (const [id, { name }] of all.entries()) {
    const parts = toParts(name);
    if (parts.length > 1) for (const part of new Set(parts)) push(index, part, id);
  }
  return index;
}

/** Two words that differ in one or two letters have the same beginning or the same end, but for a few. */
function spellingKeys(key: string, length: number): readonly string[] {
  return [`${length}^${key.slice(0, 2)}`, `${length}$${key.slice(-2)}`];
}

function indexSpellings(keys: readonly string[]): Map<string, string[]> {
  const index = new Map<string, string[]>();
  for (const key of new Set(keys)) {
    if (key.length < 4 || key.length > maxSpelledLength) continue;
    for (const end of spellingKeys(key, key.length)) {
      const known = index.get(end);
      if (known === undefined) index.set(end, [key]);
      else known.push(key);
    }
  }
  return index;
}

/** Names that may be spelt almost as a word is. */
function similarKeys(
  wanted: string,
  maxDistance: number,
  index: ReadonlyMap<string, readonly string[]>,
): ReadonlySet<string> {
  const keys = new Set<string>();
  for (let length = wanted.length - maxDistance; length <= wanted.length + maxDistance; length++) {
    for (const end of spellingKeys(wanted, length)) {
      const found = index.get(end) ?? [];
      if (found.length <= maxPostings) for (const key of found) keys.add(key);
    }
  }
  return keys;
}

function compareNames(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0);
}
