import { Graph, layout } from "./dagre.js";
import { healths } from "./mesh-health.js";
import { svgOf } from "./svg-element.js";
import { visibleText } from "./visible-text.js";
import { countOf } from "./words.js";

/** @typedef {import("./mesh-boxes.js").Box} Box */
/** @typedef {import("./mesh-boxes.js").Edge} Edge */
/** @typedef {{ x: number, y: number }} Point In pixels of the graph. */

const box = { width: 168, height: 50 };
/** Room between boxes of a layer, between layers, and around all, in pixels. */
const room = { inLayer: 16, betweenLayers: 72, around: 16 };
/** With more edges than this they are drawn faintly, but for those of the box one points at. */
const maxPlainEdges = 24;
/** From here on layers are the shortest that fit, not the tidiest: the tidiest take seconds. */
const manyBoxes = 200;
/** Boxes in a line of those without a delegation. */
const columns = 5;

/** Order of health: a box of several has that of the worst. */
const worstFirst = /** @type {const} */ (["down", "degraded", "unknown", "up"]);

/**
 * The mesh as a picture: each box right of those that call it, those without a delegation below. No edge crosses a box.
 *
 * @param {{ boxes: readonly Box[], edges: readonly Edge[] }} mesh
 * @param {(box: Box) => void} onPick
 * @returns {{ svg: SVGElement, width: number, height: number }} The size in pixels.
 */
export function graphOf({ boxes, edges }, onPick) {
  const { places, paths, width, height } = placesOf(boxes, edges);
  const svg = svgOf("svg", {
    role: "img",
    "aria-label": `${countOf(boxes.length, "box", "boxes")}, ${countOf(edges.length, "delegation")}`,
  });
  if (edges.length > maxPlainEdges) svg.classList.add("crowded");
  for (const [index, edge] of edges.entries()) {
    const path = paths[index];
    if (path !== undefined) svg.append(edgeOf(edge, path));
  }
  for (const each of boxes) {
    const place = places.get(each.id);
    if (place !== undefined) svg.append(nodeOf(each, place, onPick));
  }
  svg.addEventListener("pointerover", ({ target }) => {
    const node = target instanceof Element ? target.closest(".node") : null;
    const id = node instanceof SVGElement ? node.dataset.id : undefined;
    for (const edge of svg.querySelectorAll(".edge")) {
      const isHot =
        id !== undefined &&
        edge instanceof SVGElement &&
        (edge.dataset.from === id || edge.dataset.to === id);
      edge.classList.toggle("hot", isHot);
      if (isHot) svg.querySelector(".node")?.before(edge); // above the other lines
    }
  });
  return { svg, width, height };
}

/**
 * @param {readonly Box[]} boxes
 * @param {readonly Edge[]} edges
 */
function placesOf(boxes, edges) {
  const connected = new Set(edges.flatMap(({ from, to }) => [from, to]));
  const graph = new Graph();
  graph.setGraph({
    rankdir: "LR",
    nodesep: room.inLayer,
    edgesep: 8,
    ranksep: room.betweenLayers,
    marginx: room.around,
    marginy: room.around,
    ranker: boxes.length > manyBoxes ? "longest-path" : "network-simplex",
  });
  for (const { id } of boxes) if (connected.has(id)) graph.setNode(id, { ...box });
  for (const { from, to } of edges) graph.setEdge(from, to, {});
  layout(graph);
  /** @type {Map<string, Point>} */
  const places = new Map();
  /** @type {Point[][]} */
  const bends = edges.map(({ from, to }) => graph.edge(from, to).points ?? []);
  // The layout leaves room above for boxes, not for edges.
  const down = room.around - Math.min(room.around, ...bends.flat().map(({ y }) => y));
  for (const id of connected) {
    const { x, y } = graph.node(id);
    places.set(id, { x, y: y + down });
  }
  const layers = new Set([...places.values()].map(({ x }) => x));
  const paths = edges.map(({ from, to }, index) => {
    const [start, end] = [places.get(from), places.get(to)];
    const points = (bends[index] ?? []).map(({ x, y }) => ({ x, y: y + down }));
    return start && end && pathOf(start, end, points, layers);
  });

  let { width = 0, height = 0 } = graph.graph();
  height += down;
  const alone = boxes.filter(({ id }) => !connected.has(id));
  const top = connected.size === 0 ? room.around : height + room.inLayer;
  for (const [index, { id }] of alone.entries()) {
    places.set(id, {
      x: room.around + box.width / 2 + (index % columns) * (box.width + room.inLayer),
      y: top + box.height / 2 + Math.floor(index / columns) * (box.height + room.inLayer),
    });
  }
  if (connected.size === 0) [width, height] = [0, 0];
  for (const { x, y } of places.values()) {
    width = Math.max(width, x + box.width / 2 + room.around);
    height = Math.max(height, y + box.height / 2 + room.around);
  }
  return { places, paths, width, height };
}

/**
 * The way of an edge, from side to side. In a layer it runs level, between the boxes: there `points` are places that the
 * layout kept free.
 *
 * @param {Point} start Centre of the box it leaves.
 * @param {Point} end
 * @param {readonly Point[]} points
 * @param {ReadonlySet<number>} layers Where layers are.
 */
function pathOf(start, end, points, layers) {
  const side = start.x < end.x ? 1 : -1;
  const half = (side * box.width) / 2;
  const tip = { x: end.x - half - side * 6, y: end.y };
  const level = points.slice(1, -1).filter(({ x }) => layers.has(x));
  let at = { x: start.x + half, y: start.y };
  let d = `M${at.x} ${at.y}`;
  for (const { x, y } of level) {
    d += ` ${curve(at, { x: x - half, y })} H${x + half}`;
    at = { x: x + half, y };
  }
  const middle = { x: (at.x + tip.x) / 2, y: (at.y + tip.y) / 2 };
  return { d: `${d} ${curve(at, tip)}`, tip, side, middle };
}

/**
 * @param {Point} from
 * @param {Point} to
 */
function curve(from, to) {
  const middle = (from.x + to.x) / 2;
  return `C${middle} ${from.y} ${middle} ${to.y} ${to.x} ${to.y}`;
}

/**
 * @param {Edge} edge
 * @param {ReturnType<typeof pathOf>} path
 */
function edgeOf({ from, to, isDeclared, count }, { d, tip, side, middle }) {
  const group = svgOf("g", {
    class: isDeclared ? "edge" : "edge seen",
    "data-from": from,
    "data-to": to,
  });
  group.append(
    svgOf("path", { d }),
    svgOf("path", { class: "head", d: `M${tip.x} ${tip.y - 4} v8 l${7 * side} -4 z` }),
  );
  if (count > 0) {
    const label = svgOf("text", { x: middle.x, y: middle.y - 4 });
    label.textContent = String(count);
    group.append(label);
  }
  return group;
}

/**
 * @param {Box} shown
 * @param {Point} centre
 * @param {(box: Box) => void} onPick
 */
function nodeOf(shown, { x, y }, onPick) {
  const { id, label, members } = shown;
  const status =
    worstFirst.find((each) => members.some(({ health }) => health.status === each)) ?? "unknown";
  const { sign, tone, word } = healths[status];
  const isShared = members.length > 1;
  const node = svgOf("g", {
    class: isShared ? "node shared" : "node",
    "data-tone": tone,
    "data-id": id,
  });
  const title = svgOf("title", {});
  title.textContent = isShared
    ? visibleText(`${label}: ${countOf(members.length, "librarian")}. Click to see each.`)
    : visibleText(`${id}: ${word}. ${members[0]?.description ?? ""}`);
  const name = svgOf("text", { x, y: y - 3, class: "node-name" });
  name.textContent = shortened(visibleText(label), 20);
  const state = svgOf("text", { x, y: y + 14, class: "node-state" });
  state.textContent = isShared
    ? `${sign} ${countOf(members.length, "librarian")}`
    : `${sign} ${word}`;
  const rect = { x: x - box.width / 2, y: y - box.height / 2, ...box, rx: 10 };
  node.append(title, svgOf("rect", rect), name, state);
  node.addEventListener("click", () => onPick(shown));
  return node;
}

/**
 * @param {string} text
 * @param {number} maxLength
 */
function shortened(text, maxLength) {
  return text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text;
}
