import { element } from "./element.js";
import { visibleText } from "./visible-text.js";
import { outcomes, timeOf } from "./words.js";

/** @typedef {import("./live-run.js").LiveHop} LiveHop */
/** @typedef {import("@constellation/core").HopRecord} HopRecord */
/** @typedef {{ hop: LiveHop | HopRecord, row: HTMLElement, bar: HTMLElement, sign: HTMLElement, note: HTMLElement, time: HTMLElement, fold: HTMLElement, parent: Row | undefined, children: Row[], isFolded: boolean }} Row */

/**
 * Hops as a tree and a waterfall at once: a row each, its name indented, its bar where it was in
 * time. Rows are made once and changed in place, so that five hundred of them stay smooth.
 *
 * @param {HTMLElement} tree
 * @param {HTMLElement} axis
 * @param {(hop: LiveHop | HopRecord) => void} onSelect
 */
export function createHopsView(tree, axis, onSelect) {
  /** @type {Map<number, Row>} */
  const rows = new Map();
  /** @type {Row[]} */
  const roots = [];
  /** @type {Row | undefined} */
  let selected;
  /** Whether the user has selected a hop. */
  let isChosen = false;
  let total = 1;
  let ticksFor = 0;

  /** @param {Row} row */
  function lastRowOf(row) {
    let last = row;
    for (let next = row.children.at(-1); next !== undefined; next = next.children.at(-1))
      last = next;
    return last;
  }

  /** @param {LiveHop | HopRecord} hop */
  function rowOf(hop) {
    const parent = hop.parentId === undefined ? undefined : rows.get(hop.parentId);
    const sign = element("span", { class: "sign", "aria-hidden": true });
    const fold = element("span", { class: "fold", "aria-hidden": true });
    const note = element("span", { class: "note" });
    const bar = element("span", { class: "bar" });
    const time = element("span", { class: "time" });
    const level = parent === undefined ? 1 : Number(parent.row.ariaLevel) + 1;
    const row = element(
      "div",
      {
        class: "hop",
        role: "treeitem",
        tabindex: -1,
        "aria-level": level,
        "aria-selected": "false",
      },
      element(
        "span",
        { class: "who" },
        fold,
        sign,
        element("span", { class: "name" }, hop.to),
        note,
      ),
      element("span", { class: "lane" }, bar),
      time,
    );
    row.dataset.hop = String(hop.id);
    row.style.setProperty("--level", String(Math.min(level - 1, 12)));
    /** @type {Row} */
    const made = { hop, row, bar, sign, note, time, fold, parent, children: [], isFolded: false };
    const before = parent === undefined ? lastRoot() : lastRowOf(parent);
    if (before === undefined) tree.prepend(row);
    else before.row.after(row);
    (parent?.children ?? roots).push(made);
    if (parent !== undefined) showFold(parent);
    row.hidden = isUnderFold(made);
    rows.set(hop.id, made);
    return made;
  }

  function lastRoot() {
    const root = roots.at(-1);
    return root === undefined ? undefined : lastRowOf(root);
  }

  /** @param {Row} row */
  function isUnderFold(row) {
    for (let up = row.parent; up !== undefined; up = up.parent) if (up.isFolded) return true;
    return false;
  }

  /** @param {Row} row */
  function showFold(row) {
    row.row.ariaExpanded = String(!row.isFolded);
    row.fold.textContent = row.isFolded ? "▸" : "▾";
  }

  /**
   * @param {LiveHop | HopRecord} hop
   * @param {number} elapsedMs
   */
  function show(hop, elapsedMs) {
    const row = rows.get(hop.id) ?? rowOf(hop);
    row.hop = hop;
    const { sign, word, tone } = outcomes[hop.outcome ?? "running"];
    const lasted =
      hop.outcome === undefined ? Math.max(0, elapsedMs - hop.startMs) : hop.durationMs;
    row.row.dataset.tone = tone;
    setText(row.sign, sign);
    setText(row.note, noteOf(hop));
    setText(row.time, hop.outcome === "refused" ? "not called" : timeOf(lasted));
    row.row.ariaLabel = `${hop.to}, ${word}, ${timeOf(lasted)}${hop.reason === undefined ? "" : `, ${hop.reason}`}`;
    row.bar.style.setProperty("--start", hop.startMs.toFixed(1));
    row.bar.style.setProperty("--lasted", lasted.toFixed(1));
  }

  /** @param {number} ms */
  function scale(ms) {
    total = Math.max(1, ms);
    tree.style.setProperty("--total", total.toFixed(1));
    if (ticksFor === total) return;
    ticksFor = total;
    axis.replaceChildren(
      ...[0, 0.25, 0.5, 0.75, 1].map((share) => {
        const tick = element("span", {}, share === 0 ? "0" : timeOf(total * share));
        tick.style.setProperty("--at", String(share));
        return tick;
      }),
    );
  }

  /**
   * @param {Row | undefined} row
   * @param {boolean} withFocus
   */
  function select(row, withFocus) {
    if (row === undefined) return;
    if (selected !== undefined) {
      selected.row.ariaSelected = "false";
      selected.row.tabIndex = -1;
    }
    selected = row;
    isChosen ||= withFocus;
    row.row.ariaSelected = "true";
    row.row.tabIndex = 0;
    if (withFocus) {
      row.row.focus({ preventScroll: true });
      row.row.scrollIntoView({ block: "nearest" });
    }
    onSelect(row.hop);
  }

  /**
   * @param {Row} row
   * @param {boolean} isFolded
   */
  function setFold(row, isFolded) {
    if (row.children.length === 0 || row.isFolded === isFolded) return;
    row.isFolded = isFolded;
    showFold(row);
    const open = [...row.children];
    for (let each = open.pop(); each !== undefined; each = open.pop()) {
      each.row.hidden = isUnderFold(each);
      open.push(...each.children);
    }
  }

  /** @param {EventTarget | null} target */
  function rowAt(target) {
    const row = target instanceof Element ? target.closest(".hop") : null;
    return row instanceof HTMLElement ? rows.get(Number(row.dataset.hop)) : undefined;
  }

  /**
   * @param {HTMLElement} from
   * @param {"nextElementSibling" | "previousElementSibling"} way
   */
  function neighbour(from, way) {
    let next = from[way];
    while (next instanceof HTMLElement && next.hidden) next = next[way];
    return rowAt(next);
  }

  tree.addEventListener("click", (event) => {
    const row = rowAt(event.target);
    if (row === undefined) return;
    if (event.target === row.fold) setFold(row, !row.isFolded);
    select(row, true);
  });
  tree.addEventListener("keydown", (event) => {
    const row = rowAt(event.target);
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const visible = () => [...rows.values()].filter((each) => !each.row.hidden);
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowDown: () => select(neighbour(row.row, "nextElementSibling"), true),
      ArrowUp: () => select(neighbour(row.row, "previousElementSibling"), true),
      ArrowRight: () => (row.isFolded ? setFold(row, false) : select(row.children[0], true)),
      ArrowLeft: () =>
        row.children.length > 0 && !row.isFolded ? setFold(row, true) : select(row.parent, true),
      Home: () => select(rowAt(tree.firstElementChild), true),
      End: () =>
        select(
          visible().find((each) => neighbour(each.row, "nextElementSibling") === undefined),
          true,
        ),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  });

  return {
    show,
    scale,
    /** Selects the first hop that failed, else the root, unless the user has selected one. */
    selectFirst() {
      if (selected === undefined || !isChosen) {
        const failed = [...rows.values()].find(({ hop }) =>
          ["error", "refused"].includes(hop.outcome ?? ""),
        );
        const first = failed ?? roots[0];
        if (first !== selected) select(first, false);
      }
      if (selected !== undefined) onSelect(selected.hop);
    },
    clear() {
      rows.clear();
      roots.length = 0;
      selected = undefined;
      isChosen = false;
      tree.replaceChildren();
      axis.replaceChildren();
      ticksFor = 0;
    },
  };
}

/** @param {LiveHop | HopRecord} hop */
function noteOf(hop) {
  if (hop.error !== undefined && hop.outcome !== "partial") return hop.error.code;
  if (hop.outcome === undefined && "progress" in hop && hop.progress !== undefined)
    return hop.progress;
  return (
    hop.reason ??
    (hop.via === "entry" ? "asked by the caller" : hop.via === "ask" ? "asked on the way" : "")
  );
}

/**
 * Writing the same text again would make the browser lay it out again.
 *
 * @param {HTMLElement} at
 * @param {string} text
 */
function setText(at, text) {
  const shown = visibleText(text);
  if (at.textContent !== shown) at.textContent = shown;
}
