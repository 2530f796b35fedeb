import { byId, element } from "./element.js";
import { graphOf, healthOf, librarianOf } from "./mesh-view.js";
import { createRunView } from "./run-view.js";
import { runLineOf } from "./runs-view.js";
import * as server from "./server.js";
import { watchRun } from "./watch-run.js";

/** Time between two looks at the list of runs, in milliseconds, while the page is seen. */
const lookEveryMs = 15_000;

/** Time between two looks at a run that goes on elsewhere, in milliseconds. */
const followEveryMs = 1_000;

const form = byId("ask", HTMLFormElement);
const query = byId("query", HTMLTextAreaElement);
const to = byId("to", HTMLSelectElement);
const stop = byId("stop", HTMLButtonElement);
const send = byId("send", HTMLButtonElement);
const problem = byId("problem", HTMLElement);
const welcome = byId("welcome", HTMLElement);
const runsList = byId("runs-list", HTMLElement);
const dialog = byId("token-dialog", HTMLDialogElement);
const tokenInput = byId("token", HTMLInputElement);
const runView = createRunView();

/** The run that is asked for right now. @type {AbortController | undefined} */
let asking;
/** Id of the run that is shown. @type {string | undefined} */
let current;

/** @param {unknown} thrown */
function showProblem(thrown) {
  if (thrown instanceof DOMException && thrown.name === "AbortError") return;
  const { message, suggestion, status } =
    thrown instanceof server.ServerProblem
      ? thrown
      : { message: "This page failed.", suggestion: "Load it again.", status: 0 };
  problem.replaceChildren(element("strong", {}, message), ` ${suggestion}`);
  problem.hidden = false;
  if (status === 401) openDialog();
}

function hideProblem() {
  problem.hidden = true;
}

async function refreshRuns() {
  const { runs } = await server.readRuns();
  const hadFocus = runsList.contains(document.activeElement)
    ? document.activeElement?.getAttribute("href")
    : undefined;
  runsList.replaceChildren(...runs.map((run) => runLineOf(run, run.runId === current)));
  byId("runs-empty", HTMLElement).hidden = runs.length > 0;
  if (hadFocus != null) {
    const again = [...runsList.querySelectorAll("a")].find(
      (link) => link.getAttribute("href") === hadFocus,
    );
    again?.focus();
  }
}

/** Looks again at what changes by itself. What goes wrong is told when somebody asks for it. */
function look() {
  refreshRuns().catch(() => undefined);
  refreshHealth().catch(() => undefined);
}

/** How everybody is, in the head of the page. */
async function refreshHealth() {
  const mesh = await server.readMesh();
  byId("health", HTMLElement).replaceChildren(...healthOf(mesh.librarians));
  return mesh;
}

async function refreshMesh() {
  const mesh = await refreshHealth();
  const { librarians, check } = mesh;
  const chosen = to.value;
  to.replaceChildren(
    element("option", { value: "" }, "Automatic"),
    ...librarians.map(({ id, name }) => element("option", { value: id }, name ?? id)),
  );
  to.value = librarians.some(({ id }) => id === chosen) ? chosen : "";
  byId("examples", HTMLElement).replaceChildren(
    ...librarians
      .flatMap(({ examples = [] }) => examples.slice(0, 2))
      .slice(0, 6)
      .map(exampleOf),
  );
  const graph = byId("graph", HTMLElement);
  graph.tabIndex = 0; // it scrolls
  graph.replaceChildren(graphOf(mesh, graph.clientWidth, showLibrarian));
  byId("librarians", HTMLElement).replaceChildren(
    ...librarians.map((librarian) => librarianOf(librarian, askLibrarian)),
  );
  byId("mesh-problems", HTMLElement).replaceChildren(
    check.ok
      ? ""
      : element(
          "ul",
          { class: "problem" },
          ...check.problems.map(({ message }) => element("li", {}, message)),
        ),
  );
}

/** @param {string} text */
function exampleOf(text) {
  const button = element("button", { type: "button", class: "example" }, text);
  button.addEventListener("click", () => {
    query.value = text;
    form.requestSubmit();
  });
  return element("li", {}, button);
}

/** @param {string} id */
function showLibrarian(id) {
  const line = document.getElementById(`librarian-${id}`);
  line?.focus();
  line?.scrollIntoView({ block: "nearest" });
}

/** @param {string} id */
function askLibrarian(id) {
  location.hash = "#/";
  to.value = id;
  query.focus();
}

/** @param {string} text */
async function ask(text) {
  asking?.abort();
  const controller = new AbortController();
  asking = controller;
  hideProblem();
  setBusy(true);
  welcome.hidden = true;
  let hasBegun = false;
  try {
    await watchRun(
      { query: text, ...(to.value !== "" && { to: to.value }) },
      { view: runView, signal: controller.signal, onBegin },
    );
  } catch (thrown) {
    if (asking !== controller) return; // another question took its place
    if (controller.signal.aborted && current !== undefined) {
      await showRun(current).catch(showProblem);
    } else {
      showProblem(thrown);
    }
    if (!hasBegun) {
      runView.hide();
      welcome.hidden = false;
    }
  } finally {
    if (asking === controller) {
      asking = undefined;
      setBusy(false);
      look();
    }
  }

  /** @param {string} runId */
  function onBegin(runId) {
    hasBegun = true;
    current = runId;
    history.replaceState(null, "", `#/run/${runId}`);
    refreshRuns().catch(() => undefined);
  }
}

/** @param {boolean} isBusy */
function setBusy(isBusy) {
  stop.hidden = !isBusy;
  send.disabled = isBusy;
}

/** @param {string} id */
async function showRun(id) {
  const run = await server.readRun(id);
  if (current !== id) return; // somebody went elsewhere meanwhile
  welcome.hidden = true;
  runView.showKept(run);
  if (run.record.stopReason !== undefined) return;
  // Somebody else's run that goes on: looked at again until it is over.
  setTimeout(() => {
    if (current === id && asking === undefined) showRun(id).catch(showProblem);
  }, followEveryMs);
}

async function route() {
  const [, view = "", part = ""] = location.hash.split("/");
  const id = decodeURIComponent(part);
  const isMesh = view === "mesh";
  byId("view-ask", HTMLElement).hidden = isMesh;
  byId("view-mesh", HTMLElement).hidden = !isMesh;
  byId("tab-ask", HTMLElement).ariaCurrent = isMesh ? null : "page";
  byId("tab-mesh", HTMLElement).ariaCurrent = isMesh ? "page" : null;
  if (isMesh || view === "") document.title = isMesh ? "Mesh · Constellation" : "Constellation";
  hideProblem();
  try {
    if (isMesh) {
      await refreshMesh();
    } else if (view === "run" && id !== current) {
      asking?.abort();
      asking = undefined;
      setBusy(false);
      current = id;
      await showRun(id);
      await refreshRuns();
    } else if (view === "" && asking === undefined) {
      current = undefined;
      runView.hide();
      welcome.hidden = false;
      await refreshRuns();
    }
  } catch (thrown) {
    if (current === id) current = undefined; // so that trying again tries again
    showProblem(thrown);
  }
}

/** @param {string} token */
function useToken(token) {
  server.setToken(token);
  tokenInput.value = "";
  byId("token-open", HTMLElement).textContent = server.hasToken() ? "Token ✓" : "Token";
}

function openDialog() {
  if (!dialog.open) dialog.showModal();
}

async function start() {
  try {
    await Promise.all([refreshMesh(), refreshRuns()]);
    await route();
  } catch (thrown) {
    showProblem(thrown);
  }
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const text = query.value.trim();
  if (text !== "") void ask(text);
});
query.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
  event.preventDefault();
  form.requestSubmit();
});
stop.addEventListener("click", () => asking?.abort());
byId("runs-refresh", HTMLElement).addEventListener("click", () => {
  refreshRuns().catch(showProblem);
});
byId("token-open", HTMLElement).addEventListener("click", openDialog);
byId("token-forget", HTMLElement).addEventListener("click", () => {
  useToken("");
  dialog.close();
});
byId("token-form", HTMLFormElement).addEventListener("submit", () => {
  useToken(tokenInput.value);
  hideProblem();
  void start();
});
addEventListener("hashchange", () => void route());
setInterval(() => {
  if (document.visibilityState === "visible" && problem.hidden) look();
}, lookEveryMs);
void start();
