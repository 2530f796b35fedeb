import { element } from "./element.js";
import { layoutOf } from "./mesh-layout.js";
import { visibleText } from "./visible-text.js";
import { countOf } from "./words.js";

/** @typedef {import("./server.js").Mesh} Mesh */
/** @typedef {import("./server.js").Librarian} Librarian */

const cell = { width: 196, height: 118 };
const box = { width: 168, height: 54 };
/** With more lines than this they are drawn faintly, but for those of the librarian one points at. */
const maxPlainEdges = 24;
const svgNamespace = "http://www.w3.org/2000/svg";

/** @type {Record<Librarian["health"]["status"], { sign: string, tone: string, word: string }>} */
const healths = {
  up: { sign: "●", tone: "good", word: "up" },
  degraded: { sign: "◐", tone: "fair", word: "degraded" },
  down: { sign: "✕", tone: "bad", word: "down" },
  unknown: { sign: "○", tone: "calm", word: "no health check" },
};

/**
 * The mesh as a picture.
 *
 * @param {Mesh} mesh
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
  const height = lines * cell.height;
  const svg = svgOf("svg", {
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: "img",
    "aria-label": `${countOf(ids.length, "librarian")}, ${countOf(declared.length, "declared delegation")}, ${countOf(seen.length, "seen delegation")}`,
  });
  if (declared.length + seen.length > maxPlainEdges) svg.classList.add("crowded");
  const counts = new Map(seen.map(({ from, to, count }) => [`${from} ${to}`, count]));
  const keys = new Set([...declared, ...seen].map(({ from, to }) => `${from} ${to}`));
  const isDeclared = new Set(declared.map(({ from, to }) => `${from} ${to}`));
  for (const key of keys) {
    const [from = "", to = ""] = key.split(" ");
    const start = centreOf(places.get(from));
    const end = centreOf(places.get(to));
    const edge = edgeOf(start, end, isDeclared.has(key), counts.get(key));
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

/** @param {{ x: number, y: number } | undefined} place */
function centreOf({ x, y } = { x: 0, y: 0 }) {
  return { x: (x + 0.5) * cell.width, y: (y + 0.5) * cell.height };
}

/**
 * @param {{ x: number, y: number }} start
 * @param {{ x: number, y: number }} end
 * @param {boolean} isDeclared
 * @param {number | undefined} count
 */
function edgeOf(start, end, isDeclared, count) {
  const isDown = end.y > start.y;
  const isLevel = end.y === start.y;
  const from = { x: start.x, y: start.y + (isDown ? box.height / 2 : -box.height / 2) };
  const to = {
    x: end.x,
    y:
      end.y + (isDown || isLevel ? -box.height / 2 : box.height / 2) - (isDown || isLevel ? 5 : -5),
  };
  const bend = isLevel ? -cell.height / 2.4 : (to.y - from.y) / 2;
  const group = svgOf("g", { class: isDeclared ? "edge" : "edge seen" });
  group.append(
    svgOf("path", {
      d: `M${from.x} ${from.y} C${from.x} ${from.y + bend} ${to.x} ${isLevel ? to.y + bend : to.y - bend} ${to.x} ${to.y}`,
    }),
    svgOf("path", {
      class: "head",
      d: `M${to.x - 4} ${to.y - (isDown || isLevel ? 3 : -3)} h8 l-4 ${isDown || isLevel ? 7 : -7} z`,
    }),
  );
  if (count !== undefined) {
    const label = svgOf("text", {
      x: (from.x + to.x) / 2 + 5,
      y: (from.y + to.y) / 2 + (isLevel ? bend * 0.75 : 0),
    });
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
 * The same in words, with a button to ask each.
 *
 * @param {Librarian} librarian
 * @param {(id: string) => void} onAsk
 */
export function librarianOf(librarian, onAsk) {
  const { id, name, description, team, capabilities = [], delegatesTo, health } = librarian;
  const { sign, tone, word } = healths[health.status];
  const ask = element("button", { type: "button", class: "quiet" }, "Ask");
  ask.ariaLabel = `Ask ${name ?? id}`;
  ask.addEventListener("click", () => onAsk(id));
  const facts = [
    ["Team", team],
    ["Can", capabilities.join(", ") || undefined],
    ["Passes on to", delegatesTo === undefined ? "anyone" : delegatesTo.join(", ") || "nobody"],
    ["Says", health.message],
  ];
  return element(
    "li",
    { id: `librarian-${id}`, tabindex: -1 },
    element(
      "div",
      { class: "librarian-head" },
      element("strong", {}, name ?? id),
      name === undefined || name === id ? undefined : element("code", {}, id),
      element("span", { class: "chip", "data-tone": tone }, `${sign} ${word}`),
      ask,
    ),
    element("p", {}, description ?? ""),
    element(
      "dl",
      {},
      ...facts.flatMap(([key, value]) =>
        value === undefined ? [] : [element("dt", {}, String(key)), element("dd", {}, value)],
      ),
    ),
  );
}

/**
 * How many are how, in a few words.
 *
 * @param {readonly Librarian[]} librarians
 */
export function healthOf(librarians) {
  return Object.entries(healths).flatMap(([status, { sign, tone, word }]) => {
    const count = librarians.filter(({ health }) => health.status === status).length;
    if (count === 0) return [];
    const words = status === "unknown" ? `${count} without a health check` : `${count} ${word}`;
    return [element("span", { class: "chip", "data-tone": tone }, `${sign} ${words}`)];
  });
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
