/** @typedef {import("../src/runs/kept-run.js").KeptRun & { withheld?: true, status?: "running" | "waiting" | "ended" }} ShownRun */
/** @typedef {{ runId: string, record?: undefined, status: "running" | "waiting" | "ended", response?: import("@constellation/core").Response }} UnrecordedRun As the journal has it, where no record is here. */
/** @typedef {import("../src/runs/kept-run.js").RunSummary & { withheld?: true }} ShownSummary */
/** @typedef {import("@constellation/core").LibrarianInfo & { health: { status: "up" | "degraded" | "down" | "unknown", message?: string }, replicas?: { host: string, pid: number, since: number }[], replicaCount?: number }} Librarian */
/** @typedef {{ librarians: Librarian[], delegations: { from: string, to: string, count: number }[], check: { ok: boolean, problems: { message: string }[] }, traceUrl?: string }} Mesh */
/** @typedef {import("../src/runs/count-runs.js").RunStats & { timeline: readonly import("../src/runs/count-runs.js").PartFigures[], hasMore: boolean }} Stats */
/** @typedef {import("@constellation/core").Waiting} Waiting */
/** @typedef {import("zod").infer<typeof import("../src/threads/thread.schema.js").threadSummarySchema>} ThreadSummary */
/** @typedef {import("zod").infer<typeof import("../src/threads/thread.schema.js").threadSchema>} Thread */
/** @typedef {{ event: string, data: any }} StreamEvent Distinguished by `event`, whose data the server vouches for. */

/** In memory only: never in storage, never in a URL. */
let token = "";

/** As the server said last. */
let hasJournal = false;

/** @param {string} value */
export function setToken(value) {
  token = value.trim();
}

export function hasToken() {
  return token !== "";
}

/** Whether the last request reached the server. */
let isReached = true;
/** Called when that changes. @type {(isReached: boolean) => void} */
let onReached = () => undefined;

export function isReachable() {
  return isReached;
}

/** @param {(isReached: boolean) => void} listener Called when the server can no longer be reached, and when it can again. */
export function watchConnection(listener) {
  onReached = listener;
}

/** @param {boolean} now */
function setReached(now) {
  if (now === isReached) return;
  isReached = now;
  onReached(now);
}

/** What the server says went wrong, in words for people. */
export class ServerProblem extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {string} suggestion
   */
  constructor(status, message, suggestion) {
    super(message);
    this.status = status;
    this.suggestion = suggestion;
  }
}

/** Where the server is: this file is at `/console/server.js` below it. */
const base = new URL("..", import.meta.url).href.slice(0, -1);

/**
 * @param {string} path
 * @param {RequestInit} [init]
 */
async function send(path, init = {}) {
  const headers = new Headers(init.headers);
  if (token !== "") headers.set("authorization", `Bearer ${token}`);
  let reply;
  try {
    reply = await fetch(base + path, { ...init, headers, redirect: "manual" });
  } catch (thrown) {
    if (init.signal?.aborted) throw thrown;
    throw unreachable();
  }
  setReached(true);
  if (reply.ok) return reply;
  const { error = {} } = await reply.json().catch(() => ({}));
  throw new ServerProblem(
    reply.status,
    String(error.message ?? `The server answered ${reply.status}.`),
    String(error.suggestion ?? ""),
  );
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} body
 * @param {RequestInit} [init]
 */
function sendJson(method, path, body, init = {}) {
  const headers = { "content-type": "application/json" };
  return send(path, { ...init, method, headers, body: JSON.stringify(body) });
}

/** @param {string} id */
function runPath(id) {
  return `/runs/${encodeURIComponent(id)}`;
}

function unreachable() {
  setReached(false);
  return new ServerProblem(
    0,
    "The server cannot be reached.",
    "This page tries again until it can.",
  );
}

/** @returns {Promise<Mesh>} */
export async function readMesh() {
  const mesh = await (await send("/librarians")).json();
  hasJournal = mesh.hasJournal === true;
  return mesh;
}

/**
 * @param {Record<string, string | number>} filter Parameters of `GET /runs`.
 * @returns {Promise<{ runs: ShownSummary[], hasMore: boolean }>}
 */
export async function readRuns(filter) {
  const parameters = new URLSearchParams(
    Object.entries(filter).map(([name, value]) => [name, String(value)]),
  );
  return (await send(`/runs?${parameters}`)).json();
}

/**
 * @param {{ seconds: string, by: string }} filter
 * @returns {Promise<Stats>}
 */
export async function readStats(filter) {
  return (await send(`/runs/stats?${new URLSearchParams(filter)}`)).json();
}

/**
 * Cases for `constellation eval`, as JSON lines.
 *
 * @param {string} [dataset] Those of a dataset; not given: runs with feedback.
 */
export async function exportCases(dataset) {
  const query = dataset === undefined ? "" : `?${new URLSearchParams({ dataset })}`;
  return (await send(`/runs/cases${query}`)).text();
}

/** @returns {Promise<{ name: string, cases: number, experiments: string[] }[]>} */
export async function readDatasets() {
  return (await (await send("/runs/datasets")).json()).datasets;
}

/** Cases of a dataset and answers to them, newest first. @param {string} dataset */
export async function readDataset(dataset) {
  /** @type {ShownSummary[]} */
  const all = [];
  for (;;) {
    const last = all.at(-1)?.runId;
    const page = await readRuns({
      dataset,
      limit: 200,
      ...(last !== undefined && { before: last }),
    });
    all.push(...page.runs);
    if (!page.hasMore || page.runs.length === 0) return all;
  }
}

/**
 * Keeps a run in a dataset.
 *
 * @param {string} id
 * @param {import("../src/runs/kept-run.js").DatasetPlace | undefined} place `undefined`: in none.
 */
export async function placeRun(id, place) {
  const path = `${runPath(id)}/dataset`;
  await (place === undefined ? send(path, { method: "DELETE" }) : sendJson("PUT", path, place));
}

/**
 * Asks, and waits until the run is over.
 *
 * @param {string} query
 * @param {string} to
 * @returns {Promise<string>} Id of the run, whatever it came to.
 */
export async function askForId(query, to) {
  let id = "";
  for await (const { event, data } of askAndWatch({ query, to }, new AbortController().signal)) {
    if (event === "run") id = data.runId;
  }
  return id;
}

/**
 * @param {string} id
 * @param {"up" | "down"} rating
 * @param {string} note
 */
export async function rateRun(id, rating, note) {
  await sendJson("PUT", `${runPath(id)}/feedback`, { rating, ...(note !== "" && { note }) });
}

/**
 * @param {string} id
 * @param {"json" | "mermaid"} format
 */
export async function exportRun(id, format) {
  return (await send(`${runPath(id)}?format=${format}`)).text();
}

/**
 * @param {string} id
 * @returns {Promise<ShownRun | UnrecordedRun>}
 */
export async function readRun(id) {
  return (await send(runPath(id))).json();
}

/** @returns {Promise<Waiting[] | undefined>} `undefined` where the server has no journal, as far as is known. */
export async function readWaiting() {
  return hasJournal ? (await (await send("/waiting")).json()).waiting : undefined;
}

/**
 * @param {Waiting} wait
 * @param {object} answer
 */
export async function answerWait({ runId, id }, answer) {
  await sendJson("POST", `${runPath(runId)}/waiting/${encodeURIComponent(id)}`, answer);
}

/** @returns {Promise<ThreadSummary[]>} */
export async function readThreads() {
  return (await (await send("/threads?limit=200")).json()).threads;
}

/**
 * @param {string} id
 * @returns {Promise<Thread>}
 */
export async function readThread(id) {
  return (await send(`/threads/${encodeURIComponent(id)}`)).json();
}

/**
 * @param {string} id
 * @param {string} title
 */
export async function renameThread(id, title) {
  await sendJson("PATCH", `/threads/${encodeURIComponent(id)}`, { title });
}

/** @param {string} id */
export async function deleteThread(id) {
  await send(`/threads/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/**
 * Asks in a thread, which begins with its first question. Settles with the answer, or with the reason why there is none.
 *
 * @param {string} thread
 * @param {string} query
 */
export async function askInThread(thread, query) {
  const reply = await sendJson("POST", "/ask", { query, thread });
  const { error, answer } = await reply.json();
  if (answer === undefined && error === undefined) {
    throw new ServerProblem(
      0,
      "There is no answer yet.",
      "What the run waits for is under Waiting.",
    );
  }
}

/** Whether runs can be replayed and forked, and threads are kept. */
export function canGoBack() {
  return hasJournal;
}

/**
 * Runs a run again without a call.
 *
 * @param {string} id
 * @returns {Promise<{ runId: string }>}
 */
export async function replayRun(id) {
  return (await sendJson("POST", `${runPath(id)}/replay`, {})).json();
}

/**
 * Asks a run again from one hop on.
 *
 * @param {string} id
 * @param {{ at: string, query?: string }} fork
 * @returns {Promise<{ runId: string }>}
 */
export async function forkRun(id, fork) {
  return (await sendJson("POST", `${runPath(id)}/fork`, fork)).json();
}

/**
 * Asks, and gives the events of the run as they come. Leaving early, or the signal, cancels the run.
 *
 * @param {{ query: string, to?: string }} ask
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<StreamEvent>}
 */
export async function* askAndWatch(ask, signal) {
  const reply = await sendJson("POST", "/ask/stream", ask, { signal });
  const reader = reply.body?.getReader();
  if (reader === undefined) return;
  const decoder = new TextDecoder();
  let text = "";
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((thrown) => {
        throw signal.aborted ? thrown : unreachable();
      });
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const [, event] = /^event: (.*)$/m.exec(block) ?? [];
        const [, data] = /^data: (.*)$/m.exec(block) ?? [];
        if (event !== undefined && data !== undefined) yield { event, data: JSON.parse(data) };
      }
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}
