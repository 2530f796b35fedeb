import { buttonOf, byId, chipOf, element } from "./element.js";
import { boxesOf } from "./mesh-boxes.js";
import { graphOf } from "./mesh-graph.js";
import { healthOf, healths } from "./mesh-health.js";
import { createPanZoom } from "./pan-zoom.js";
import { countOf } from "./words.js";

/** @typedef {import("./server.js").Mesh} Mesh */
/** @typedef {import("./server.js").Librarian} Librarian */

/** With more librarians than this, teams are folded until one looks for something. */
const maxUnfolded = 60;
/** Lines about problems of the mesh that are shown unfolded, the one that counts the others included. */
const maxProblems = 4;
const noTeam = "No team";
/** Maximum number of boxes in a graph: beyond it, no one can follow its edges. */
const maxBoxes = 400;
/** Minimum width of a graph, in pixels. */
const minRoom = 560;

/**
 * The part of the page that shows the mesh: a graph where it can be followed, and all librarians by team.
 *
 * @param {(id: string) => void} onAsk
 */
export function createMeshView(onAsk) {
  const search = byId("mesh-search", HTMLInputElement);
  const graph = byId("graph", HTMLElement);
  const note = byId("graph-note", HTMLElement);
  const teams = byId("teams", HTMLElement);
  const panZoom = createPanZoom(graph, {
    zoomIn: byId("graph-in", HTMLElement),
    zoomOut: byId("graph-out", HTMLElement),
    fit: byId("graph-fit", HTMLElement),
  });
  /** @type {Mesh | undefined} */
  let mesh;
  /** Boxes of several librarians that one has opened. @type {Set<string>} */
  const open = new Set();

  /** @param {import("./mesh-boxes.js").Box} box */
  function pick({ id, members }) {
    if (members.length > 1 && mesh !== undefined) {
      open.add(id);
      draw(mesh);
      list(mesh);
      return;
    }
    const line = document.getElementById(`librarian-${id}`);
    const team = line?.closest("details");
    if (team) team.open = true;
    line?.focus();
    line?.scrollIntoView({ block: "nearest" });
  }

  /** @param {Mesh} shown */
  function draw(shown) {
    const boxes = boxesOf(shown, open);
    const isDrawn =
      boxes.boxes.length <= maxBoxes && (graph.parentElement?.clientWidth ?? 0) >= minRoom;
    graph.hidden = !isDrawn;
    note.textContent = isDrawn
      ? "Solid lines are declared, dashed ones were seen in runs; the number says how often. Drag to move, Ctrl and the wheel zoom; a box of several librarians opens by a click."
      : `The graph is drawn for up to ${maxBoxes} boxes, on a wide screen. The list shows what each delegates to.`;
    byId("graph-zoom", HTMLElement).hidden = !isDrawn;
    panZoom.show(isDrawn ? graphOf(boxes, pick) : undefined);
  }

  /** @param {Mesh} shown */
  function list(shown) {
    const { librarians, delegations } = shown;
    const sought = search.value.trim().toLowerCase();
    const found = librarians.filter((each) => textOf(each).includes(sought));
    byId("mesh-count", HTMLElement).textContent =
      sought === ""
        ? countOf(librarians.length, "librarian")
        : `${found.length} of ${countOf(librarians.length, "librarian")}`;
    const isOpen = sought !== "" || librarians.length <= maxUnfolded;
    /** @type {Map<string, Librarian[]>} */
    const byTeam = new Map();
    for (const each of found) {
      const team = each.team ?? noTeam;
      byTeam.set(team, [...(byTeam.get(team) ?? []), each]);
    }
    const callersOf = (/** @type {string} */ id) =>
      delegations.filter(({ to }) => to === id).map(({ from, count }) => `${from} (${count})`);
    teams.replaceChildren(
      ...[...byTeam]
        .sort(byName)
        .map(([team, members]) =>
          element(
            "details",
            { class: "team", open: isOpen },
            element(
              "summary",
              {},
              element("strong", {}, byTeam.size === 1 && team === noTeam ? "Librarians" : team),
              element("span", { class: "muted" }, countOf(members.length, "librarian")),
              ...healthOf(members),
            ),
            element(
              "ul",
              { class: "librarians" },
              ...members.map((each) => librarianOf(each, callersOf(each.id), onAsk)),
            ),
          ),
        ),
    );
    mark(shown, new Set(found.map(({ id }) => id)));
  }

  /**
   * Makes boxes faint that hold no librarian that was found, and moves to the first that does.
   *
   * @param {Mesh} shown
   * @param {ReadonlySet<string>} found Ids.
   */
  function mark(shown, found) {
    const matching = new Set(
      boxesOf(shown, open)
        .boxes.filter(({ members }) => members.some(({ id }) => found.has(id)))
        .map(({ id }) => id),
    );
    const nodes = [...graph.querySelectorAll(".node")].filter((node) => node instanceof SVGElement);
    for (const node of nodes) node.classList.toggle("faint", !matching.has(node.dataset.id ?? ""));
    const first = nodes.find((node) => !node.classList.contains("faint"))?.querySelector("rect");
    if (!(first instanceof SVGRectElement) || matching.size === nodes.length) return;
    const { x, y, width, height } = first;
    panZoom.centre({
      x: x.baseVal.value + width.baseVal.value / 2,
      y: y.baseVal.value + height.baseVal.value / 2,
    });
  }

  let width = 0;
  new ResizeObserver(([entry]) => {
    const now = Math.round(entry?.contentRect.width ?? 0);
    if (mesh === undefined || now === width || now === 0) return;
    width = now;
    draw(mesh);
    list(mesh);
  }).observe(byId("view-mesh", HTMLElement));
  search.addEventListener("input", () => {
    if (mesh !== undefined) list(mesh);
  });

  return {
    /** @param {Mesh} shown */
    show(shown) {
      mesh = shown;
      draw(shown);
      list(shown);
      byId("mesh-problems", HTMLElement).replaceChildren(problemsOf(shown));
    },
  };
}

/**
 * What is wrong with the mesh. Many problems are folded after the first, so that the mesh itself is still seen.
 *
 * @param {Mesh} mesh
 */
function problemsOf({ check }) {
  if (check.ok) return "";
  const lines = check.problems.map(({ message }) => element("li", {}, message));
  const rest = lines.splice(lines.length > maxProblems ? maxProblems - 1 : maxProblems);
  const folded =
    rest.length === 0
      ? undefined
      : element(
          "details",
          {},
          element("summary", {}, countOf(rest.length, "more problem")),
          element("ul", {}, ...rest),
        );
  return element("div", { class: "problem" }, element("ul", {}, ...lines), folded);
}

/** @param {Librarian} librarian */
function textOf({ id, name = "", description = "", team = "", capabilities = [], replicas = [] }) {
  const hosts = replicas.map(({ host }) => host);
  return [id, name, description, team, ...capabilities, ...hosts].join("\n").toLowerCase();
}

/**
 * Who runs it, host by host: how many processes, since when.
 *
 * @param {Librarian} librarian
 */
function placesOf({ replicas = [], replicaCount = 0 }) {
  if (replicas.length === 0) return undefined;
  /** @type {Map<string, number[]>} */
  const byHost = new Map();
  for (const { host, since } of replicas) byHost.set(host, [...(byHost.get(host) ?? []), since]);
  const hosts = [...byHost].map(([host, starts]) => {
    const count = starts.length > 1 ? ` (${starts.length})` : "";
    return `${host}${count} since ${new Date(Math.min(...starts)).toLocaleString()}`;
  });
  return `${countOf(replicaCount, "process", "processes")}: ${hosts.join(", ")}`;
}

/**
 * Teams by name, those without one last.
 *
 * @param {[string, Librarian[]]} one
 * @param {[string, Librarian[]]} other
 */
function byName([one], [other]) {
  if ((one === noTeam) !== (other === noTeam)) return one === noTeam ? 1 : -1;
  return one.localeCompare(other);
}

/**
 * A librarian in words, with a button to ask it.
 *
 * @param {Librarian} librarian
 * @param {readonly string[]} callers Librarians whose queries it got.
 * @param {(id: string) => void} onAsk
 */
function librarianOf(librarian, callers, onAsk) {
  const { id, name, description, capabilities = [], delegatesTo, health } = librarian;
  const ask = buttonOf("Ask", () => onAsk(id));
  ask.ariaLabel = `Ask ${name ?? id}`;
  const facts = [
    ["Can", capabilities.join(", ") || undefined],
    ["Delegates to", delegatesTo === undefined ? "any" : delegatesTo.join(", ") || "none"],
    ["Called by", callers.join(", ") || undefined],
    ["Health", health.message],
    ["Runs on", placesOf(librarian)],
  ];
  return element(
    "li",
    { id: `librarian-${id}`, tabindex: -1 },
    element(
      "div",
      { class: "librarian-head" },
      element(
        "div",
        { class: "librarian-name" },
        element("strong", {}, name ?? id),
        name === undefined || name === id ? undefined : element("code", {}, id),
        chipOf(healths[health.status]),
      ),
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
