import { byId, element, scrollableOf, tableHeadOf } from "./element.js";
import { saveFile } from "./save-file.js";
import * as server from "./server.js";
import { costOf, countOf, runWordsOf, timeOf } from "./words.js";

/** @typedef {import("./server.js").ShownSummary} ShownSummary */

/** Experiments that are shown side by side, the newest ones. */
const maxShown = 5;

/**
 * Datasets: runs that were kept as cases, asked again in experiments whose answers are side by side.
 *
 * @param {{ onProblem: (thrown: unknown) => void }} options
 */
export function createDatasetsView({ onProblem }) {
  const list = byId("datasets-list", HTMLElement);
  const shown = byId("dataset", HTMLElement);
  const table = byId("dataset-table", HTMLElement);
  const again = byId("dataset-ask", HTMLButtonElement);
  const news = byId("dataset-news", HTMLElement);
  /** Name of the dataset that is shown. @type {string | undefined} */
  let current;
  /** @type {readonly ShownSummary[]} */
  let runs = [];

  /** @param {string | undefined} name */
  async function show(name) {
    current = name;
    const datasets = await server.readDatasets();
    if (current !== name) return; // the user has gone elsewhere meanwhile
    byId("datasets-empty", HTMLElement).hidden = datasets.length > 0;
    list.replaceChildren(
      ...datasets.map(({ name: each, cases, experiments }) =>
        element(
          "li",
          {},
          element(
            "a",
            {
              href: `#/datasets/${encodeURIComponent(each)}`,
              "aria-current": each === name ? "page" : undefined,
            },
            each,
            element(
              "span",
              { class: "muted" },
              ` ${countOf(cases, "case")}, ${countOf(experiments.length, "experiment")}`,
            ),
          ),
        ),
      ),
    );
    shown.hidden = name === undefined;
    if (name !== undefined) await read(name);
  }

  /** @param {string} name */
  async function read(name) {
    const found = await server.readDataset(name);
    if (current !== name) return;
    runs = found;
    byId("dataset-name", HTMLElement).textContent = name;
    table.replaceChildren(tableOf(runs));
  }

  /** @param {string} name */
  async function askAgain(name) {
    const experiment = new Date().toISOString().slice(0, 19).replace("T", " ");
    const cases = casesIn(runs);
    again.disabled = true;
    try {
      for (const [index, { runId: caseId, query, to }] of cases.entries()) {
        if (query === undefined) continue;
        news.textContent = `Asking ${index + 1} of ${cases.length} …`;
        const runId = await server.askForId(query, to);
        await server.placeRun(runId, { name, experiment, caseId });
        await read(name);
      }
    } finally {
      again.disabled = false;
      news.textContent = "";
    }
    if (current === name) await show(name);
  }

  again.addEventListener("click", () => {
    if (current !== undefined) void askAgain(current).catch(onProblem);
  });
  byId("dataset-cases", HTMLElement).addEventListener("click", () => {
    const name = current;
    if (name === undefined) return;
    server
      .exportCases(name)
      .then((text) => saveFile(text, "application/jsonl", `${name}.jsonl`))
      .catch(onProblem);
  });
  return { show };
}

/** In the order they were asked. @param {readonly ShownSummary[]} runs Newest first. */
function casesIn(runs) {
  return runs.filter(({ dataset }) => dataset?.experiment === undefined).toReversed();
}

/** A row for each case, a column for it as it was kept and one for each experiment. @param {readonly ShownSummary[]} runs Newest first. */
function tableOf(runs) {
  const cases = casesIn(runs);
  const names = [...new Set(runs.flatMap(({ dataset }) => dataset?.experiment ?? []))];
  const experiments = names.slice(0, maxShown).toReversed();
  /** @param {string} experiment @param {string} caseId */
  const find = (experiment, caseId) =>
    runs.find(
      ({ dataset }) => dataset?.experiment === experiment && dataset.caseId === caseId, // the newest
    );
  const columns = [
    cases,
    ...experiments.map((name) => cases.map(({ runId }) => find(name, runId))),
  ];
  return scrollableOf(
    "Cases and experiments",
    "table-room",
    element(
      "table",
      { class: "figures" },
      tableHeadOf(["Question", "As kept", ...experiments]),
      element(
        "tbody",
        {},
        ...cases.map((one, row) =>
          element(
            "tr",
            {},
            element("th", { scope: "row" }, one.query ?? "(another user's question)"),
            ...columns.map((column) => cellOf(one, column[row])),
          ),
        ),
      ),
      element(
        "tfoot",
        {},
        element(
          "tr",
          {},
          element("th", { scope: "row" }, "All"),
          ...columns.map((column) => element("td", {}, totalOf(column))),
        ),
      ),
    ),
  );
}

/**
 * @param {ShownSummary} one The case.
 * @param {ShownSummary | undefined} run
 */
function cellOf(one, run) {
  if (run === undefined) return element("td", {}, "–");
  const { sign, word, tone } = runWordsOf(run.stopReason);
  const { runId, durationMs, usage } = run;
  const address =
    runId === one.runId
      ? `#/run/${encodeURIComponent(runId)}`
      : `#/compare/${encodeURIComponent(one.runId)}/${encodeURIComponent(runId)}`;
  const facts = [
    timeOf(durationMs),
    usage?.costUsd === undefined ? "" : costOf(usage.costUsd),
    namesIn(run) === namesIn(one) ? "" : `by ${namesIn(run)}`,
  ].filter((fact) => fact !== "");
  return element(
    "td",
    {},
    element("a", { href: address }, element("span", { "data-tone": tone }, `${sign} ${word}`)),
    element("span", { class: "muted" }, ` ${facts.join(", ")}`),
  );
}

/** Librarians that were called. @param {ShownSummary} run */
function namesIn({ librarians = [] }) {
  return librarians
    .map(({ to }) => to)
    .sort()
    .join(", ");
}

/** @param {readonly (ShownSummary | undefined)[]} column */
function totalOf(column) {
  const runs = column.filter((run) => run !== undefined);
  const answered = runs.filter(({ stopReason }) =>
    ["answered", "partial"].includes(stopReason ?? ""),
  );
  const time = runs.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return `${answered.length} of ${column.length} answered, ${timeOf(time)}`;
}
