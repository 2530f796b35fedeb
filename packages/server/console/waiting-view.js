import { buttonOf, byId, element } from "./element.js";
import * as server from "./server.js";
import { visibleText } from "./visible-text.js";

/** @typedef {import("./server.js").Waiting} Waiting */

/**
 * What runs wait for, as far as the reader may answer it: a page, and a badge in its tab.
 *
 * @param {{ onAnswered: (runId: string) => void, onProblem: (thrown: unknown) => void }} options
 */
export function createWaitingView({ onAnswered, onProblem }) {
  const tab = byId("tab-waiting", HTMLElement);
  const badge = byId("waiting-count", HTMLElement);
  const list = byId("waiting-list", HTMLElement);
  const empty = byId("waiting-empty", HTMLElement);
  /** @type {Waiting[]} */
  let shown = [];

  /** @param {Waiting} wait @param {object} given */
  function answer(wait, given) {
    void send(wait, given);
  }

  /** @param {Waiting} wait @param {object} given */
  async function send(wait, given) {
    try {
      await server.answerWait(wait, given);
      await refresh();
      onAnswered(wait.runId);
    } catch (thrown) {
      onProblem(thrown);
    }
  }

  /** Reads the list again. Lines that stay are not made again: someone may be typing in one. */
  async function refresh() {
    const waiting = await server.readWaiting();
    tab.hidden = waiting === undefined;
    const all = waiting ?? [];
    badge.hidden = all.length === 0;
    badge.textContent = String(all.length);
    badge.ariaLabel = `${all.length} waiting`;
    empty.hidden = all.length > 0;
    const lines = new Map(shown.map((wait, index) => [keyOf(wait), list.children[index]]));
    list.replaceChildren(...all.map((wait) => lines.get(keyOf(wait)) ?? lineOf(wait, answer)));
    shown = all;
  }

  return {
    refresh,
    /**
     * Buttons for what a run waits for.
     *
     * @param {string} runId
     */
    actionsOf: (runId) =>
      shown
        .filter((wait) => wait.runId === runId && wait.kind === "approval")
        .flatMap((wait) => approvalButtons(wait, answer)),
  };
}

/** @param {Waiting} wait */
function keyOf({ runId, id }) {
  return `${runId} ${id}`;
}

/**
 * @param {Waiting} wait
 * @param {(wait: Waiting, answer: object) => void} answer
 */
function lineOf(wait, answer) {
  const { kind, librarian, what, why, data, by = {}, requestedBy, runId, expiresAt } = wait;
  const people = [by.users, by.roles, by.teams].flatMap((names) => names ?? []).join(" or ");
  const about = [
    librarian,
    people === "" ? undefined : `from ${people}`,
    requestedBy === undefined ? undefined : `for ${requestedBy}`,
    expiresAt === undefined ? undefined : `until ${new Date(expiresAt).toLocaleString()}`,
  ];
  return element(
    "li",
    { class: "card waiting-line" },
    element("h2", {}, what),
    why === undefined ? undefined : element("p", {}, why),
    element(
      "p",
      { class: "muted" },
      `${kinds[kind]}: ${about.filter((each) => each !== undefined).join(", ")} · `,
      element("a", { href: `#/run/${encodeURIComponent(runId)}` }, "its run"),
    ),
    data === undefined ? undefined : element("pre", {}, JSON.stringify(data, null, 2)),
    element("div", { class: "waiting-row" }, ...controlsOf(wait, answer)),
  );
}

/** Words for people. */
const kinds = {
  approval: "Approval",
  question: "Question",
  event: "Event",
  "outcome-unknown": "Outcome not known",
};

/**
 * @param {Waiting} wait
 * @param {(wait: Waiting, answer: object) => void} answer
 */
function controlsOf(wait, answer) {
  const { kind, what, schema } = wait;
  if (kind === "approval") return approvalButtons(wait, answer);
  if (kind === "outcome-unknown") {
    return [answerButton("It did not happen: do it", () => answer(wait, { repeat: true }), what)];
  }
  if (kind === "event") return [];
  const input = element("input", { type: "text", "aria-label": what, autocomplete: "off" });
  const send = answerButton(
    "Answer",
    () => answer(wait, { value: readValue(input.value, schema) }),
    what,
  );
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") send.click();
  });
  return [input, send];
}

/**
 * @param {Waiting} wait
 * @param {(wait: Waiting, answer: object) => void} answer
 */
function approvalButtons(wait, answer) {
  return [
    answerButton("Approve", () => answer(wait, { approve: true }), wait.what),
    answerButton("Refuse", () => answer(wait, { approve: false }), wait.what),
  ];
}

/**
 * @param {string} words
 * @param {() => void} onClick
 * @param {string} what
 */
function answerButton(words, onClick, what) {
  const button = buttonOf(words, onClick, what);
  button.ariaLabel = visibleText(`${words}: ${what}`);
  return button;
}

/**
 * JSON where the answer has a schema of something else than text, else the text.
 *
 * @param {string} text
 * @param {Waiting["schema"]} schema
 */
function readValue(text, schema) {
  if (schema === undefined || schema.type === "string") return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
