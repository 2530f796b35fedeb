import { createAskForm } from "./ask-form.js";
import { comparisonOf } from "./compare-view.js";
import { createDatasetsView } from "./datasets-view.js";
import { byId } from "./element.js";
import { healthOf } from "./mesh-health.js";
import { createMeshView } from "./mesh-view.js";
import { createOverviewView } from "./overview-view.js";
import { createProblemLine } from "./problem-line.js";
import { actionsOf } from "./run-actions.js";
import { createRunView } from "./run-view.js";
import { createRunsList } from "./runs-list.js";
import * as server from "./server.js";
import { createThreadsView } from "./threads-view.js";
import { createTokenDialog } from "./token-dialog.js";
import { createWaitingView } from "./waiting-view.js";
import { watchRun } from "./watch-run.js";

/** Time between two looks at the list of runs, in milliseconds, while the page is seen. */
const lookEveryMs = 15_000;
/** The same while a run in the list is under way. */
const lookSoonMs = 2_000;
/** Time between two looks at a run that was started elsewhere, in milliseconds. */
const followEveryMs = 1_000;

/** Views with a tab of their own. */
const tabs = ["ask", "threads", "overview", "datasets", "mesh", "waiting"];

const welcome = byId("welcome", HTMLElement);
const compare = byId("view-compare", HTMLElement);
const toggle = byId("runs-toggle", HTMLElement);
const form = createAskForm({
  onAsk: (text, librarian) => void ask(text, librarian),
  onStop: () => asking?.abort(),
});
const problem = createProblemLine(
  createTokenDialog(() => {
    problem.hide();
    void start();
  }),
);
const meshView = createMeshView(askLibrarian);
const waitingView = createWaitingView({
  onAnswered: (runId) => {
    if (current === runId) showRun(runId).catch(problem.show);
  },
  onProblem: (thrown) => problem.show(thrown),
});
const runView = createRunView(
  (run) => [
    ...waitingView.actionsOf(run.record.runId),
    ...actionsOf(run, {
      onAsk: (text, librarian) => void ask(text, librarian),
      onEdit: form.fill,
      onCompare: pickOther,
      onReplay: (id) => void goBack(id, () => server.replayRun(id)),
      onProblem: problem.show,
      ...(traceUrl !== undefined && { traceUrl }),
    }),
  ],
  (text, librarian) => void ask(text, librarian),
  (id, fork) => void goBack(id, () => server.forkRun(id, fork)),
  (id, rating, note) => server.rateRun(id, rating, note).catch(problem.show),
  (id, place) =>
    server
      .placeRun(id, place)
      .then(() => showRun(id))
      .catch(problem.show),
);
const runsList = createRunsList({
  current: () => current,
  linkOf: (id) =>
    comparing === undefined
      ? `#/run/${encodeURIComponent(id)}`
      : `#/compare/${encodeURIComponent(comparing)}/${encodeURIComponent(id)}`,
  onProblem: problem.show,
});

const datasetsView = createDatasetsView({ onProblem: problem.show });
const threadsView = createThreadsView({ onProblem: problem.show });
const overview = createOverviewView({
  onFilter(filter) {
    openRuns(true);
    runsList.filterBy(filter);
  },
  onProblem: problem.show,
});

/** The run that is asked for right now. @type {AbortController | undefined} */
let asking;
/** Id of the run that is shown. @type {string | undefined} */
let current;
/** Id of the run that the next one is compared with. @type {string | undefined} */
let comparing;
/** Address of a trace. @type {string | undefined} */
let traceUrl;
let lookedAt = 0;
let viewsInReading = 0;

/** Reads what changes by itself. Failures are shown only for what the user asked for. */
function look() {
  lookedAt = Date.now();
  runsList.refresh().catch(() => undefined);
  readMesh().catch(() => undefined);
  waitingView.refresh().catch(() => undefined);
}

/** Reads the mesh, and shows its health in the head of the page. */
async function readMesh() {
  const mesh = await server.readMesh();
  traceUrl = mesh.traceUrl;
  byId("tab-threads", HTMLElement).hidden = !server.canGoBack();
  byId("health", HTMLElement).replaceChildren(...healthOf(mesh.librarians));
  return mesh;
}

async function refreshMesh() {
  const mesh = await readMesh();
  form.offer(mesh.librarians);
  meshView.show(mesh);
}

/** @param {string} id */
function askLibrarian(id) {
  location.hash = "#/";
  form.fill("", id);
}

/** @param {string | undefined} id The run that the next one chosen is compared with. */
function pickOther(id) {
  comparing = id;
  byId("runs-pick", HTMLElement).hidden = id === undefined;
  if (id !== undefined) openRuns(true);
  runsList.show();
}

/**
 * @param {string} text
 * @param {string} librarian The entry of the mesh where it is empty.
 */
async function ask(text, librarian) {
  asking?.abort();
  const controller = new AbortController();
  asking = controller;
  problem.hide();
  showView("ask");
  form.setBusy(true);
  welcome.hidden = true;
  let hasBegun = false;
  try {
    await watchRun(
      { query: text, ...(librarian !== "" && { to: librarian }) },
      { view: runView, signal: controller.signal, onBegin },
    );
    if (asking === controller && current !== undefined) await showRun(current);
  } catch (thrown) {
    if (asking !== controller) return; // another question took its place
    if (controller.signal.aborted && current !== undefined) {
      await showRun(current).catch(problem.show);
    } else {
      problem.show(thrown);
    }
    if (!hasBegun) {
      runView.hide();
      welcome.hidden = false;
    }
  } finally {
    if (asking === controller) {
      asking = undefined;
      form.setBusy(false);
      look();
    }
  }

  /** @param {string} runId */
  function onBegin(runId) {
    hasBegun = true;
    current = runId;
    form.clear();
    runView.adopt(runId);
    history.pushState(null, "", `#/run/${runId}`);
    runsList.refresh().catch(() => undefined);
  }
}

/** @param {string} id */
async function showRun(id) {
  await waitingView.refresh().catch(() => undefined);
  const run = await server.readRun(id);
  if (current !== id) return; // the user has gone elsewhere meanwhile
  welcome.hidden = true;
  if (run.record === undefined) runView.showUnrecorded(run);
  else runView.showKept(run);
  if (isOver(run)) return;
  // A run that was started elsewhere: read again until it is over. Once the server is back, the whole view is.
  setTimeout(() => {
    if (current === id && asking === undefined && server.isReachable()) {
      showRun(id).catch(problem.show);
    }
  }, followEveryMs);
}

/**
 * Replays or forks a run, and shows both side by side.
 *
 * @param {string} id
 * @param {() => Promise<{ runId: string }>} work
 */
async function goBack(id, work) {
  problem.hide();
  markBusy(1);
  try {
    const { runId } = await work();
    await untilOver(runId);
    location.hash = `#/compare/${encodeURIComponent(id)}/${encodeURIComponent(runId)}`;
  } catch (thrown) {
    problem.show(thrown);
  } finally {
    markBusy(-1);
  }
}

/** @param {string} id */
async function untilOver(id) {
  for (;;) {
    if (isOver(await server.readRun(id))) return;
    await new Promise((resolve) => setTimeout(resolve, followEveryMs / 4));
  }
}

/** @param {Awaited<ReturnType<typeof server.readRun>>} run */
function isOver(run) {
  return run.record === undefined ? run.status === "ended" : run.record.stopReason !== undefined;
}

/** @param {string} id */
async function readRecorded(id) {
  const run = await server.readRun(id);
  if (run.record !== undefined) return run;
  throw new server.ServerProblem(0, `No record of run ${id} is here.`, "Compare another one.");
}

/** @param {string} view */
function showView(view) {
  for (const each of tabs) {
    byId(`view-${each}`, HTMLElement).hidden = view !== each;
    byId(`tab-${each}`, HTMLElement).ariaCurrent = view === each ? "page" : null;
  }
  compare.hidden = view !== "compare";
}

function leaveRun() {
  asking?.abort();
  asking = undefined;
  form.setBusy(false);
}

/** Marks the page as busy while a view is read. @param {1 | -1} change */
function markBusy(change) {
  viewsInReading += change;
  byId("main", HTMLElement).ariaBusy = String(viewsInReading > 0);
}

/** A part of the address. One that is not percent-encoded text stays as it is. @param {string} part */
function decodePart(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function route() {
  markBusy(1);
  const [, view = "", ...parts] = location.hash.split("/").map(decodePart);
  const [id = "", other = ""] = parts;
  showView(view === "compare" || tabs.includes(view) ? view : "ask");
  problem.hide();
  openRuns(false);
  pickOther(undefined);
  try {
    if (view === "mesh") {
      document.title = "Mesh · Constellation";
      await refreshMesh();
    } else if (view === "threads") {
      document.title = "Threads · Constellation";
      await threadsView.show(id === "" ? undefined : id);
    } else if (view === "datasets") {
      document.title = "Datasets · Constellation";
      await datasetsView.show(id === "" ? undefined : id);
    } else if (view === "overview") {
      document.title = "Overview · Constellation";
      await overview.refresh();
    } else if (view === "waiting") {
      document.title = "Waiting · Constellation";
      await waitingView.refresh();
    } else if (view === "compare") {
      const runs = await Promise.all([readRecorded(id), readRecorded(other)]);
      document.title = "Two runs · Constellation";
      compare.replaceChildren(...comparisonOf(runs[0], runs[1]));
    } else if (view === "run") {
      if (id === current && asking !== undefined) return runView.showTitle();
      leaveRun();
      current = id;
      await showRun(id);
      if (current === id) runView.showTitle();
    } else if (asking === undefined || current !== undefined) {
      leaveRun();
      document.title = "Constellation";
      current = undefined;
      runView.hide();
      welcome.hidden = false;
    }
    await runsList.refresh();
  } catch (thrown) {
    if (view === "run") {
      current = undefined; // so that trying again tries again
      runView.hide();
    }
    compare.replaceChildren();
    problem.show(thrown);
  } finally {
    markBusy(-1);
  }
}

/** On a phone the list of runs is closed until one opens it. @param {boolean} isOpen */
function openRuns(isOpen) {
  toggle.ariaExpanded = String(isOpen);
}

async function start() {
  markBusy(1);
  try {
    await Promise.all([refreshMesh(), runsList.refresh()]);
    await waitingView.refresh();
    await route();
  } catch (thrown) {
    problem.show(thrown);
  } finally {
    markBusy(-1);
  }
}

toggle.addEventListener("click", () => openRuns(toggle.ariaExpanded !== "true"));
addEventListener("hashchange", () => void route());
server.watchConnection((isReached) => {
  runsList.show();
  // The server may be another one now: all is read again.
  if (isReached) void start();
  else runView.showLost();
});
setInterval(() => {
  if (!server.isReachable()) return void readMesh().catch(problem.show);
  const wait = runsList.hasRunning ? lookSoonMs : lookEveryMs;
  const isSeen = document.visibilityState === "visible" && problem.isHidden;
  if (isSeen && Date.now() - lookedAt >= wait) look();
}, lookSoonMs);
void start();
