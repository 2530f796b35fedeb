/** @typedef {import("./server.js").Mesh} Mesh */
/** @typedef {import("./server.js").Librarian} Librarian */
/** @typedef {{ id: string, label: string, members: readonly Librarian[] }} Box */
/** @typedef {{ from: string, to: string, isDeclared: boolean, count: number }} Edge */

/** With more librarians than this those of one team share a box, until one opens it. */
const maxSingle = 60;

/**
 * What the graph shows: a box for each librarian. In a large mesh those of one team share one, and those without a team that
 * have the same callers and delegates.
 *
 * @param {Pick<Mesh, "librarians" | "delegations">} mesh
 * @param {ReadonlySet<string>} open Ids of shared boxes whose librarians are shown one by one.
 * @returns {{ boxes: readonly Box[], edges: readonly Edge[] }} Edges between different boxes, each once.
 */
export function boxesOf({ librarians, delegations }, open) {
  const calls = callsOf(librarians, delegations);
  const boxes =
    librarians.length > maxSingle ? shared(librarians, calls, open) : librarians.map(single);
  const boxOf = new Map(boxes.flatMap(({ id, members }) => members.map((each) => [each.id, id])));
  /** @type {Map<string, Edge>} */
  const edges = new Map();
  for (const { from, to, isDeclared, count } of calls) {
    const ends = { from: boxOf.get(from) ?? from, to: boxOf.get(to) ?? to };
    if (ends.from === ends.to) continue;
    const key = JSON.stringify(ends);
    const before = edges.get(key);
    edges.set(key, {
      ...ends,
      isDeclared: isDeclared || before?.isDeclared === true,
      count: count + (before?.count ?? 0),
    });
  }
  return { boxes, edges: [...edges.values()] };
}

/**
 * Declared delegations and those that were seen.
 *
 * @param {readonly Librarian[]} librarians
 * @param {Mesh["delegations"]} delegations
 * @returns {readonly Edge[]}
 */
function callsOf(librarians, delegations) {
  const known = new Set(librarians.map(({ id }) => id));
  const declared = librarians.flatMap(({ id, delegatesTo = [] }) =>
    delegatesTo.map((to) => ({ from: id, to, isDeclared: true, count: 0 })),
  );
  const seen = delegations.map(({ from, to, count }) => ({ from, to, isDeclared: false, count }));
  return [...declared, ...seen].filter(({ from, to }) => known.has(from) && known.has(to));
}

/**
 * @param {Librarian} librarian
 * @returns {Box}
 */
function single(librarian) {
  return { id: librarian.id, label: librarian.name ?? librarian.id, members: [librarian] };
}

/**
 * @param {readonly Librarian[]} librarians
 * @param {readonly Edge[]} calls
 * @param {ReadonlySet<string>} open
 * @returns {readonly Box[]}
 */
function shared(librarians, calls, open) {
  /** @type {Map<string, string[]>} */
  const neighbours = new Map();
  for (const { from, to } of calls) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), `to ${to}`]);
    neighbours.set(to, [...(neighbours.get(to) ?? []), `from ${from}`]);
  }
  /** @type {Map<string, Librarian[]>} */
  const groups = new Map();
  for (const each of librarians) {
    const key =
      each.team === undefined
        ? JSON.stringify([...new Set(neighbours.get(each.id))].sort())
        : `team ${each.team}`;
    groups.set(key, [...(groups.get(key) ?? []), each]);
  }
  return [...groups].flatMap(([id, members]) =>
    members.length === 1 || open.has(id)
      ? members.map(single)
      : [{ id, label: members[0]?.team ?? "Alike", members }],
  );
}
