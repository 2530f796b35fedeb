import { byId } from "./element.js";
import { runLineOf } from "./runs-view.js";
import * as server from "./server.js";

/** Runs of one page. */
const pageSize = 50;
/** Time after the last key before the search begins, in milliseconds. */
const typingMs = 200;

/**
 * The list of runs: searched, filtered, and more of it on request.
 *
 * @param {{ current: () => string | undefined, linkOf: (id: string) => string, onProblem: (thrown: unknown) => void }} options
 */
export function createRunsList({ current, linkOf, onProblem }) {
  const list = byId("runs-list", HTMLElement);
  const empty = byId("runs-empty", HTMLElement);
  const more = byId("runs-more", HTMLButtonElement);
  const search = byId("runs-search", HTMLInputElement);
  const outcome = byId("runs-outcome", HTMLSelectElement);
  const filters = byId("runs-filters", HTMLDetailsElement);
  const form = byId("runs-filter", HTMLFormElement);
  /** @type {server.ShownSummary[]} */
  let older = [];
  /** @type {server.ShownSummary[]} */
  let runs = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let typing;
  let request = 0;

  /** @param {string} [before] */
  function read(before) {
    return server.readRuns({
      limit: pageSize,
      ...(search.value.trim() !== "" && { q: search.value.trim().slice(0, 200) }),
      ...(outcome.value !== "" && { outcome: outcome.value }),
      ...filter(),
      ...(before !== undefined && { before }),
    });
  }

  /** What the form asks for, as parameters of the server. */
  function filter() {
    const given = [...new FormData(form)]
      .map(([name, value]) => [name, String(value).trim()])
      .filter(([, value]) => value !== "");
    const { slower, ...rest } = Object.fromEntries(given);
    return { ...rest, ...(slower !== undefined && { slower: String(Number(slower) * 1_000) }) };
  }

  function show() {
    const hadFocus = list.contains(document.activeElement)
      ? document.activeElement?.getAttribute("href")
      : undefined;
    const shown = new Map([...runs, ...older].map((run) => [run.runId, run]));
    list.replaceChildren(
      ...[...shown.values()].map((run) =>
        runLineOf(run, run.runId === current(), linkOf(run.runId)),
      ),
    );
    empty.hidden = shown.size > 0;
    empty.textContent =
      search.value.trim() === "" && outcome.value === "" && Object.keys(filter()).length === 0
        ? "No runs yet."
        : "No run matches.";
    if (hadFocus != null) {
      const again = [...list.querySelectorAll("a")].find(
        (link) => link.getAttribute("href") === hadFocus,
      );
      again?.focus();
    }
  }

  async function refresh() {
    const mine = ++request;
    const page = await read();
    if (mine !== request) return; // a later one took its place
    runs = page.runs;
    if (older.length === 0) more.hidden = !page.hasMore;
    show();
  }

  function searchAgain() {
    older = [];
    refresh().catch(onProblem);
  }

  more.addEventListener("click", () => {
    const last = [...runs, ...older].at(-1);
    read(last?.runId).then((page) => {
      older = [...older, ...page.runs];
      more.hidden = !page.hasMore;
      show();
    }, onProblem);
  });
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(searchAgain, typingMs);
  });
  outcome.addEventListener("change", searchAgain);
  form.addEventListener("change", searchAgain);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    searchAgain();
  });
  form.addEventListener("reset", () => setTimeout(searchAgain)); // once the fields are empty
  byId("runs-refresh", HTMLElement).addEventListener("click", searchAgain);

  return {
    refresh,
    /**
     * Filters the list.
     *
     * @param {Record<string, string>} values Of the fields of the form; the others become empty.
     */
    filterBy(values) {
      for (const field of form.elements) {
        if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
        field.value = values[field.name] ?? "";
      }
      filters.open = true;
      searchAgain();
    },
    /** Writes the lines again: which is the current one, and where they lead, has changed. */
    show,
    get hasRunning() {
      return runs.some(({ stopReason }) => stopReason === undefined);
    },
  };
}
