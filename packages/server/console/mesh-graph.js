import { healths } from "./mesh-health.js";
import { layoutOf } from "./mesh-layout.js";
import { visibleText } from "./visible-text.js";
import { countOf } from "./words.js";

/** @typedef {import("./server.js").Mesh} Mesh */
/** @typedef {import("./server.js").Librarian} Librarian */
/** @typedef {{ x: number, y: number }} Place In cells. */

const cell = { width: 196, height: 118 };
const box = { width: 168, height: 54 };
/** Room above the first line and below the last, for edges that go around. */
const margin = 14;
/** With more edges than this they are drawn faintly, but for those of the librarian one points at. */
const maxPlainEdges = 24;
/** Maximum number of librarians in a graph: beyond it, no one can follow its edges. */
export const maxNodes = 60;
/** Minimum width of a graph, in pixels. */
export const minRoom = 3 * cell.width;
const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * The mesh as a picture. No edge crosses the box of a librarian.
 *
 * @param {Pick<Mesh, "librarians" | "delegations">} mesh
 * @param {number} room Width it may take, in pixels.
 * @param {(id: string) => void} onPick
 */
export function graphOf({ librarians, delegations }, room, onPick) {
  const ids = librarians.map(({ id }) => id);
  const known = new Set(ids);
  const declared = librarians.flatMap(({ id, delegatesTo = [] }) =>
    delegatesTo.filter((to) => known.has(to)).map((to) => ({ from: id, to })),
  );
  const seen = delegations.filter(({ from, to }) => known.has(from) && known.has(to));
  const { places, columns, lines } = layoutOf(
    ids,
    [...declared, ...seen],
    Math.max(1, Math.floor(room / cell.width)),
  );
  const width = columns * cell.width;
  const height = lines * cell.height + 2 * margin;
  const svg = svgOf("svg", {
    viewBox: `0 ${-margin} ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": `${countOf(ids.length, "librarian")}, ${countOf(declared.length, "declared delegation")}, ${countOf(seen.length, "seen delegation")}`,
  });
  if (declared.length + seen.length > maxPlainEdges) svg.classList.add("crowded");
  const counts = new Map(seen.map(({ from, to, count }) => [`${from} ${to}`, count]));
  const keys = new Set([...declared, ...seen].map(({ from, to }) => `${from} ${to}`));
  const isDeclared = new Set(declared.map(({ from, to }) => `${from} ${to}`));
  for (const [index, key] of [...keys].entries()) {
    const [from = "", to = ""] = key.split(" ");
    const start = places.get(from);
    const end = places.get(to);
    if (start === undefined || end === undefined || from === to) continue;
    const path = pathOf(start, end, ((index % 5) - 2) * 3);
    const edge = edgeOf(path, isDeclared.has(key), counts.get(key));
    edge.dataset.ends = key;
    svg.append(edge);
  }
  for (const librarian of librarians) {
    const place = places.get(librarian.id);
    if (place !== undefined) svg.append(nodeOf(librarian, centreOf(place), onPick));
  }
  svg.addEventListener("pointerover", ({ target }) => {
    const node = target instanceof Element ? target.closest(".node") : null;
    const id = node instanceof SVGElement ? node.dataset.id : undefined;
    for (const edge of svg.querySelectorAll(".edge")) {
      const ends = edge instanceof SVGElement ? (edge.dataset.ends ?? "").split(" ") : [];
      const isHot = id !== undefined && ends.includes(id);
      edge.classList.toggle("hot", isHot);
      if (isHot) svg.querySelector(".node")?.before(edge); // above the other lines
    }
  });
  return svg;
}

/** @param {Place} place */
function centreOf({ x, y }) {
  return { x: (x + 0.5) * cell.width, y: (y + 0.5) * cell.height };
}

/**
 * The way of an edge: to the next line straight, else around, between the boxes.
 *
 * @param {Place} start
 * @param {Place} end
 * @param {number} shift Keeps edges apart that go the same way, in pixels.
 */
export function pathOf(start, end, shift) {
  const [from, to] = [centreOf(start), centreOf(end)];
  const isUp = end.y < start.y;
  const leavesUp = end.y <= start.y;
  const out = from.y + ((leavesUp ? -1 : 1) * box.height) / 2;
  const into = to.y + (isUp ? box.height / 2 + 5 : -box.height / 2 - 5);
  if (end.y === start.y + 1) {
    const half = (into - out) / 2;
    return {
      d: `M${from.x} ${out} C${from.x} ${out + half} ${to.x} ${into - half} ${to.x} ${into}`,
      tip: { x: to.x, y: into, isUp },
      middle: { x: (from.x + to.x) / 2, y: out + half },
    };
  }
  // Cells meet where no box is: in the lines and the columns between them.
  const beside = (end.x < start.x ? end.x + 1 : end.x) * cell.width + shift;
  const leave = (start.y + (leavesUp ? 0 : 1)) * cell.height + shift;
  const arrive = (end.y + (isUp ? 1 : 0)) * cell.height + shift;
  return {
    d: `M${from.x + shift} ${out} V${leave} H${beside} V${arrive} H${to.x + 2 * shift + 10} V${into}`,
    tip: { x: to.x + 2 * shift + 10, y: into, isUp },
    middle: { x: beside, y: (leave + arrive) / 2 },
  };
}

/**
 * @param {ReturnType<typeof pathOf>} path
 * @param {boolean} isDeclared
 * @param {number | undefined} count
 */
function edgeOf({ d, tip, middle }, isDeclared, count) {
  const group = svgOf("g", { class: isDeclared ? "edge" : "edge seen" });
  group.append(
    svgOf("path", { d }),
    svgOf("path", {
      class: "head",
      d: `M${tip.x - 4} ${tip.y - (tip.isUp ? -3 : 3)} h8 l-4 ${tip.isUp ? -7 : 7} z`,
    }),
  );
  if (count !== undefined) {
    const label = svgOf("text", { x: middle.x + 5, y: middle.y });
    label.textContent = String(count);
    group.append(label);
  }
  return group;
}

/**
 * @param {Librarian} librarian
 * @param {{ x: number, y: number }} centre
 * @param {(id: string) => void} onPick
 */
function nodeOf({ id, name, health, description }, { x, y }, onPick) {
  const { sign, tone, word } = healths[health.status];
  const node = svgOf("g", { class: "node", "data-tone": tone, "data-id": id });
  const title = svgOf("title", {});
  title.textContent = visibleText(`${id}: ${word}. ${description ?? ""}`);
  const label = svgOf("text", { x, y: y - 3, class: "node-name" });
  label.textContent = shortened(visibleText(name ?? id), 20);
  const state = svgOf("text", { x, y: y + 15, class: "node-state" });
  state.textContent = `${sign} ${word}`;
  node.append(
    title,
    svgOf("rect", {
      x: x - box.width / 2,
      y: y - box.height / 2,
      width: box.width,
      height: box.height,
      rx: 10,
    }),
    label,
    state,
  );
  node.addEventListener("click", () => onPick(id));
  return node;
}

/**
 * @param {string} text
 * @param {number} most
 */
function shortened(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
function svgOf(tag, attributes) {
  const made = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
