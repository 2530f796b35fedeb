/** @typedef {{ from: string, to: string }} Edge */
/** @typedef {{ id: string, x: number, y: number }} Place */

/**
 * Places librarians in layers: each is below those that delegate to it, cycles cut where they
 * close. Those without a delegation come last.
 *
 * @param {readonly string[]} ids
 * @param {readonly Edge[]} edges Between those ids.
 * @param {number} mostInLine The rest of a layer goes into lines of their own.
 * @returns {{ places: Map<string, Place>, columns: number, lines: number }} `x` and `y` in cells.
 */
export function layoutOf(ids, edges, mostInLine) {
  /** @type {Map<string, Set<string>>} */
  const below = new Map(ids.map((id) => [id, new Set()]));
  for (const { from, to } of edges) if (from !== to && below.has(to)) below.get(from)?.add(to);

  const depthOf = depths(ids, below);
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  /** @type {string[][]} */
  const layers = [];
  for (const id of ids) {
    if (!connected.has(id)) continue;
    const depth = depthOf.get(id) ?? 0;
    layers[depth] = [...(layers[depth] ?? []), id];
  }
  layers.push(ids.filter((id) => !connected.has(id)));

  /** @type {Map<string, number>} */
  const order = new Map();
  for (const layer of layers.filter((each) => each !== undefined)) {
    const weight = new Map(layer.map((id, index) => [id, barycentre(id, edges, order) ?? index]));
    layer.sort((one, two) => (weight.get(one) ?? 0) - (weight.get(two) ?? 0));
    for (const [index, id] of layer.entries()) order.set(id, (index + 0.5) / layer.length);
  }

  const lines = layers
    .filter((layer) => layer !== undefined)
    .flatMap((layer) =>
      Array.from({ length: Math.ceil(layer.length / mostInLine) }, (_, index) =>
        layer.slice(index * mostInLine, (index + 1) * mostInLine),
      ),
    );
  const columns = Math.max(1, ...lines.map((line) => line.length));
  /** @type {Map<string, Place>} */
  const places = new Map();
  for (const [y, line] of lines.entries()) {
    for (const [index, id] of line.entries()) {
      // Whole cells, so that the room between the columns is free in every line.
      places.set(id, { id, x: Math.floor((columns - line.length) / 2) + index, y });
    }
  }
  return { places, columns, lines: lines.length };
}

/**
 * The longest way down to each, without recursion.
 *
 * @param {readonly string[]} ids
 * @param {ReadonlyMap<string, ReadonlySet<string>>} below
 */
function depths(ids, below) {
  /** @type {string[]} */
  const order = [];
  /** @type {Map<string, "open" | "done">} */
  const state = new Map();
  /** @type {Set<string>} */
  const cut = new Set();
  for (const root of ids) {
    if (state.has(root)) continue;
    state.set(root, "open");
    const path = [{ id: root, rest: [...(below.get(root) ?? [])] }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        state.set(top.id, "done");
        order.push(top.id);
        path.pop();
      } else if (state.get(next) === "open") {
        cut.add(`${top.id} ${next}`);
      } else if (!state.has(next)) {
        state.set(next, "open");
        path.push({ id: next, rest: [...(below.get(next) ?? [])] });
      }
    }
  }
  const depthOf = new Map(ids.map((id) => [id, 0]));
  for (const id of order.reverse()) {
    for (const next of below.get(id) ?? []) {
      if (cut.has(`${id} ${next}`)) continue;
      depthOf.set(next, Math.max(depthOf.get(next) ?? 0, (depthOf.get(id) ?? 0) + 1));
    }
  }
  return depthOf;
}

/**
 * @param {string} id
 * @param {readonly Edge[]} edges
 * @param {ReadonlyMap<string, number>} order
 */
function barycentre(id, edges, order) {
  const above = edges.flatMap(({ from, to }) => (to === id ? (order.get(from) ?? []) : []));
  return above.length === 0 ? undefined : above.reduce((sum, each) => sum + each, 0) / above.length;
}
