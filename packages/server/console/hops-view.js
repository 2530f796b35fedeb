import { endOf, hopRowOf, noteOf, setText } from "./hop-row.js";
import { createTimeAxis } from "./time-axis.js";
import { hopWordsOf, timeOf } from "./words.js";

/** @typedef {import("./live-run.js").LiveHop} LiveHop */
/** @typedef {import("@constellation/core").HopRecord} HopRecord */
/** @typedef {import("./hop-row.js").HopRow & { hop: LiveHop | HopRecord, parent: Row | undefined, children: Row[], isFolded: boolean, until: number }} Row */

/**
 * Hops as a tree and a waterfall at once: a row each, its name indented, its bar where it was in
 * time, and a thin one from its start to the end of everything below it. Rows are made once and changed
 * in place, so that five hundred of them stay smooth.
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
  const time = createTimeAxis(tree, axis);

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
    const level = parent === undefined ? 1 : Number(parent.row.ariaLevel) + 1;
    const parts = hopRowOf(hop, level);
    const { row } = parts;
    /** @type {Row} */
    const made = { ...parts, hop, parent, children: [], isFolded: false, until: hop.startMs };
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
    const { sign, word, tone } = hopWordsOf(hop.outcome);
    const lasted =
      hop.outcome === undefined ? Math.max(0, elapsedMs - hop.startMs) : hop.durationMs;
    row.row.dataset.tone = tone;
    setText(row.sign, sign);
    setText(row.note, noteOf(hop));
    setText(row.time, hop.outcome === "refused" ? "not called" : timeOf(lasted));
    setText(row.word, `, ${word}, `);
    reachUntil(row, endOf(hop, hop.startMs + lasted, elapsedMs));
    row.bar.style.setProperty("--start", hop.startMs.toFixed(1));
    row.bar.style.setProperty("--lasted", lasted.toFixed(1));
  }

  /**
   * A parent is not over before what it has delegated to.
   *
   * @param {Row} row
   * @param {number} until Milliseconds from the start of the run.
   */
  function reachUntil(row, until) {
    for (let up = /** @type {Row | undefined} */ (row); up !== undefined; up = up.parent) {
      if (up !== row && up.until >= until) return;
      up.until = Math.max(up.until, until);
      up.reach.style.setProperty("--start", up.hop.startMs.toFixed(1));
      up.reach.style.setProperty("--lasted", (up.until - up.hop.startMs).toFixed(1));
    }
  }

  /**
   * Shows less or more of the time, around the selected hop.
   *
   * @param {number} factor Below 1: less.
   */
  function zoom(factor) {
    if (selected === undefined) return;
    time.zoom(factor, (selected.hop.startMs + selected.until) / 2);
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
      "+": () => zoom(0.5),
      "-": () => zoom(2),
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

  /** Marks what the run waited for: from the root on, always the hop whose branch ended last. */
  function markCritical() {
    for (const { row } of rows.values()) delete row.dataset.critical;
    for (let row = roots[0]; row !== undefined; ) {
      row.row.dataset.critical = "true";
      const last = row.children.reduce(
        (/** @type {Row | undefined} */ latest, child) =>
          latest === undefined || child.until > latest.until ? child : latest,
        undefined,
      );
      row = /** @type {Row} */ (last);
    }
  }

  return {
    show,
    scale: time.scale,
    zoom,
    markCritical,
    /** Selects the first hop that failed and was not asked again, else the root, unless the user has selected one. */
    selectFirst() {
      if (selected === undefined || !isChosen) {
        const all = [...rows.values()].map(({ hop }) => hop);
        const again = new Set(all.map((hop) => hop.again?.hopId));
        const failed = [...rows.values()].find(
          ({ hop }) => ["error", "refused"].includes(hop.outcome ?? "") && !again.has(hop.id),
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
      time.clear();
    },
  };
}
