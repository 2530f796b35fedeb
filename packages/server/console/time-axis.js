import { element } from "./element.js";
import { timeOf } from "./words.js";

/** Minimum length of what the axis shows, in milliseconds. */
const minSpanMs = 0.5;

/**
 * The time that a waterfall shows: all of a run, or a part of it. Bars read it from the style of the tree.
 *
 * @param {HTMLElement} tree
 * @param {HTMLElement} axis
 */
export function createTimeAxis(tree, axis) {
  let total = 1;
  let from = 0;
  /** All of the run where it is infinite. */
  let span = Number.POSITIVE_INFINITY;
  let drawn = "";

  function draw() {
    const shown = Math.min(span, total);
    const state = `${from} ${shown}`;
    if (drawn === state) return;
    drawn = state;
    tree.style.setProperty("--from", from.toFixed(2));
    tree.style.setProperty("--total", shown.toFixed(2));
    axis.replaceChildren(
      ...[0, 0.25, 0.5, 0.75, 1].map((share) => {
        const at = from + shown * share;
        const tick = element("span", {}, at === 0 ? "0" : timeOf(at));
        tick.style.setProperty("--at", String(share));
        return tick;
      }),
    );
  }

  return {
    /** @param {number} ms Length of the run. */
    scale(ms) {
      total = Math.max(1, ms);
      draw();
    },
    /**
     * Shows more or less of the run, around a moment.
     *
     * @param {number} factor Below 1: less.
     * @param {number} middle Milliseconds from the start of the run.
     */
    zoom(factor, middle) {
      span = Math.max(minSpanMs, Math.min(span, total) * factor);
      if (span >= total) span = Number.POSITIVE_INFINITY;
      from = Math.max(0, Math.min(middle - span / 2, total - span)) || 0;
      if (span === Number.POSITIVE_INFINITY) from = 0;
      draw();
    },
    clear() {
      span = Number.POSITIVE_INFINITY;
      from = 0;
      drawn = "";
      axis.replaceChildren();
    },
  };
}
