import { byId, element, scrollableOf, tableHeadOf } from "./element.js";
import { saveFile } from "./save-file.js";
import * as server from "./server.js";
import { svgOf } from "./svg-element.js";
import { costOf, countOf, percentOf, timeOf } from "./words.js";

/** @typedef {import("../src/runs/count-runs.js").GroupFigures} GroupFigures */
/** @typedef {import("../src/runs/count-runs.js").RunFigures} RunFigures */
/** @typedef {import("./server.js").Stats} Stats */

/** Rows of each table. */
const maxRows = 12;
/** Number of runs from which a figure is compared with the time before. */
const minCompared = 5;
const chart = { width: 960, height: 120, gap: 4 };

/** @type {readonly { by: "librarian" | "user" | "model", title: string, filter?: "librarian" | "user" }[]} */
const tables = [
  { by: "librarian", title: "Librarians, most errors first", filter: "librarian" },
  { by: "user", title: "Users", filter: "user" },
  { by: "model", title: "Models" },
];

/**
 * The part of the page that shows what happened lately: runs over time, figures beside those of the time before, and who
 * is slow, fails or costs.
 *
 * @param {{ onFilter: (filter: Record<string, string>) => void, onProblem: (thrown: unknown) => void }} options
 */
export function createOverviewView({ onFilter, onProblem }) {
  const period = byId("overview-period", HTMLSelectElement);
  const figures = byId("overview-figures", HTMLElement);
  const parts = byId("overview-tables", HTMLElement);
  let request = 0;

  async function refresh() {
    const mine = ++request;
    const seconds = period.value;
    const stats = await server.readStats({ seconds, by: tables.map(({ by }) => by).join() });
    if (mine !== request) return; // a later one took its place
    byId("overview-more", HTMLElement).hidden = !stats.hasMore;
    figures.replaceChildren(...figuresOf(stats.total));
    byId("overview-chart", HTMLElement).replaceChildren(chartOf(stats));
    parts.replaceChildren(
      ...tables.flatMap(({ by, title, filter }) =>
        tableOf({
          title,
          groups: ordered(stats.groups[by] ?? [], by),
          onPick:
            filter === undefined ? undefined : (name) => onFilter({ [filter]: name, seconds }),
        }),
      ),
    );
  }

  period.addEventListener("change", () => void refresh().catch(onProblem));
  byId("overview-cases", HTMLElement).addEventListener("click", () => {
    server
      .exportCases()
      .then((text) => saveFile(text, "application/jsonl", "cases.jsonl"), onProblem);
  });
  return { refresh };
}

/**
 * @param {readonly GroupFigures[]} groups
 * @param {string} by
 */
function ordered(groups, by) {
  const failing = (/** @type {GroupFigures} */ { errors, count }) => errors / Math.max(1, count);
  return by === "librarian"
    ? [...groups].sort((one, two) => failing(two) - failing(one) || (two.p95 ?? 0) - (one.p95 ?? 0))
    : groups;
}

/** @param {GroupFigures} total */
function figuresOf(total) {
  const { before } = total;
  const isCompared = (before?.count ?? 0) >= minCompared;
  /** @type {readonly [string, (of: RunFigures) => number | undefined, (value: number) => string][]} */
  const shown = [
    ["Runs", ({ count }) => count, (value) => value.toLocaleString("en")],
    ["Answered", ({ answered, count }) => (count === 0 ? undefined : answered / count), percentOf],
    ["Errors", ({ errors, count }) => (count === 0 ? undefined : errors / count), percentOf],
    ["Median time", ({ p50 }) => p50, timeOf],
    ["95 % within", ({ p95 }) => p95, timeOf],
    ["Tokens", ({ tokens }) => tokens, (value) => value.toLocaleString("en")],
    ["Cost", ({ costUsd }) => costUsd, costOf],
  ];
  return shown.map(([name, of, print]) => {
    const [now, then] = [of(total), before && of(before)];
    return element(
      "div",
      { class: "figure card" },
      element("span", { class: "muted" }, name),
      element("strong", {}, now === undefined ? "–" : print(now)),
      element(
        "span",
        { class: "muted" },
        isCompared && then !== undefined ? `${print(then)} before` : "",
      ),
    );
  });
}

/**
 * Runs over time, those that failed below.
 *
 * @param {Stats} stats
 */
function chartOf({ timeline, total, from, to }) {
  const maxCount = Math.max(1, ...timeline.map(({ count }) => count));
  const words = `${countOf(total.count, "run")} from ${new Date(from).toLocaleString()} to ${new Date(to).toLocaleString()}, at most ${maxCount} in one bar.`;
  const svg = svgOf("svg", {
    viewBox: `0 0 ${chart.width} ${chart.height}`,
    role: "img",
    "aria-label": words,
    preserveAspectRatio: "none",
  });
  const width = chart.width / Math.max(1, timeline.length);
  for (const [index, part] of timeline.entries()) {
    const group = svgOf("g", {});
    const title = svgOf("title", {});
    title.textContent = `${new Date(part.from).toLocaleString()}: ${countOf(part.count, "run")}, ${countOf(part.errors, "error")}${part.p95 === undefined ? "" : `, 95 % within ${timeOf(part.p95)}`}`;
    const height = (part.count / maxCount) * chart.height;
    const failed = (part.errors / maxCount) * chart.height;
    const x = index * width + chart.gap / 2;
    const common = { x, width: width - chart.gap, rx: 2 };
    group.append(
      title,
      svgOf("rect", { ...common, y: 0, height: chart.height, class: "chart-room" }),
      svgOf("rect", { ...common, y: chart.height - height, height, class: "chart-runs" }),
      svgOf("rect", { ...common, y: chart.height - failed, height: failed, class: "chart-failed" }),
    );
    svg.append(group);
  }
  return element(
    "figure",
    { class: "chart" },
    svg,
    element("figcaption", { class: "muted" }, words),
  );
}

/** @param {{ title: string, groups: readonly GroupFigures[], onPick: ((name: string) => void) | undefined }} table */
function tableOf({ title, groups, onPick }) {
  if (groups.length === 0) return [];
  const rows = groups.slice(0, maxRows).map((group) => {
    const { name, count, errors, p50, p95, tokens, costUsd } = group;
    return element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        onPick === undefined || name === "(none)" ? name : pickOf(name, onPick),
      ),
      ...[
        count.toLocaleString("en"),
        errors.toLocaleString("en"),
        p50 === undefined ? "–" : timeOf(p50),
        p95 === undefined ? "–" : timeOf(p95),
        tokens.toLocaleString("en"),
        costUsd === undefined ? "–" : costOf(costUsd),
      ].map((text) => element("td", {}, text)),
    );
  });
  const rest = groups.length - rows.length;
  return [
    element("h2", {}, title),
    scrollableOf(
      title,
      "table-room",
      element(
        "table",
        { class: "figures" },
        tableHeadOf(["", "Runs", "Errors", "Median", "95 %", "Tokens", "Cost"]),
        element("tbody", {}, ...rows),
      ),
    ),
    ...(rest > 0 ? [element("p", { class: "muted" }, `and ${rest} more`)] : []),
  ];
}

/**
 * @param {string} name
 * @param {(name: string) => void} onPick
 */
function pickOf(name, onPick) {
  const button = element("button", { type: "button", class: "link", title: "List its runs" }, name);
  button.addEventListener("click", () => onPick(name));
  return button;
}
