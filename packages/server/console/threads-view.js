import { byId, element } from "./element.js";
import { markdownOf } from "./markdown.js";
import * as server from "./server.js";
import { agoOf } from "./words.js";

/** @typedef {import("./server.js").Thread} Thread */

/** What the button that deletes says. */
const words = { once: "Delete", again: "Delete for good" };

/**
 * Conversations: the reader's threads, and the questions and answers of one of them, with a form that continues it.
 *
 * @param {{ onProblem: (thrown: unknown) => void }} options
 */
export function createThreadsView({ onProblem }) {
  const list = byId("threads-list", HTMLElement);
  const shown = byId("thread", HTMLElement);
  const turns = byId("thread-turns", HTMLElement);
  const title = byId("thread-title", HTMLInputElement);
  const form = byId("thread-form", HTMLFormElement);
  const question = byId("thread-question", HTMLTextAreaElement);
  const send = byId("thread-send", HTMLButtonElement);
  const remove = byId("thread-delete", HTMLButtonElement);
  /** Id of the thread that is shown. @type {string | undefined} */
  let current;

  async function refresh() {
    const threads = await server.readThreads();
    byId("threads-empty", HTMLElement).hidden = threads.length > 0;
    list.replaceChildren(
      ...threads.map(({ id, title: name, updatedAt }) =>
        element(
          "li",
          {},
          element(
            "a",
            {
              href: `#/threads/${encodeURIComponent(id)}`,
              "aria-current": id === current ? "page" : undefined,
            },
            name,
            element("span", { class: "muted" }, ` ${agoOf(updatedAt)}`),
          ),
        ),
      ),
    );
  }

  /** @param {Thread} thread */
  function draw(thread) {
    title.value = thread.title;
    turns.replaceChildren(...thread.turns.flatMap(turnOf));
    turns.lastElementChild?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} text */
  async function ask(text) {
    const id = current ?? crypto.randomUUID();
    send.disabled = true;
    turns.append(
      element("p", { class: "turn-question" }, text),
      element("p", { class: "muted" }, "Asking …"),
    );
    try {
      await server.askInThread(id, text);
      question.value = "";
      if (current === undefined) location.hash = `#/threads/${encodeURIComponent(id)}`;
      else await show(id);
    } catch (thrown) {
      await show(current).catch(() => undefined); // what failed is a turn too
      onProblem(thrown);
    } finally {
      send.disabled = false;
    }
  }

  /** @param {string | undefined} id `undefined`: a thread that has not begun. */
  async function show(id) {
    current = id;
    const isNew = id === undefined;
    title.hidden = isNew;
    remove.hidden = isNew;
    remove.textContent = words.once;
    shown.ariaLabel = isNew ? "New thread" : "Thread";
    if (isNew) turns.replaceChildren();
    else draw(await server.readThread(id));
    await refresh();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = question.value.trim();
    if (text !== "" && !send.disabled) void ask(text);
  });
  question.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  title.addEventListener("change", () => {
    const name = title.value.trim();
    if (current !== undefined && name !== "") {
      server.renameThread(current, name).then(refresh).catch(onProblem);
    }
  });
  // Twice: what is deleted does not come back.
  remove.addEventListener("click", () => {
    if (current === undefined) return;
    if (remove.textContent === words.once) {
      remove.textContent = words.again;
      return;
    }
    server
      .deleteThread(current)
      .then(() => {
        location.hash = "#/threads";
      })
      .catch(onProblem);
  });
  remove.addEventListener("blur", () => {
    remove.textContent = words.once;
  });

  return { show };
}

/**
 * A question and its answer, which leads to its run.
 *
 * @param {Thread["turns"][number]} turn
 */
function turnOf({ runId, query, asked, answer, code, librarians }) {
  const facts = [
    asked === undefined || asked === query ? "" : `asked as “${asked}”`,
    librarians.join(", "),
  ].filter((fact) => fact !== "");
  return [
    element("p", { class: "turn-question" }, query),
    element(
      "div",
      { class: "turn-answer card prose" },
      answer === undefined
        ? element("p", {}, code === undefined ? "No answer yet." : `No answer: ${code}.`)
        : markdownOf(answer),
      element(
        "p",
        { class: "muted" },
        ...facts.flatMap((fact) => [fact, " · "]),
        element("a", { href: `#/run/${encodeURIComponent(runId)}` }, "What happened"),
      ),
    ),
  ];
}
