import { byId, element } from "./element.js";

/** @typedef {import("./server.js").Librarian} Librarian */

/** Maximum number of questions that the page suggests. */
const maxExamples = 6;

/**
 * The form that asks, and the questions it suggests.
 *
 * @param {{ onAsk: (query: string, to: string) => void, onStop: () => void }} options `to` is empty for the entry of the mesh.
 */
export function createAskForm({ onAsk, onStop }) {
  const form = byId("ask", HTMLFormElement);
  const query = byId("query", HTMLTextAreaElement);
  const to = byId("to", HTMLSelectElement);
  const stop = byId("stop", HTMLButtonElement);
  const send = byId("send", HTMLButtonElement);

  /** @param {string} text */
  function exampleOf(text) {
    const button = element("button", { type: "button", class: "example" }, text);
    button.addEventListener("click", () => onAsk(text, to.value));
    return element("li", {}, button);
  }

  /** @param {string} id */
  function choose(id) {
    to.value = [...to.options].some(({ value }) => value === id) ? id : "";
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const text = query.value.trim();
    if (text !== "") onAsk(text, to.value);
  });
  query.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  stop.addEventListener("click", onStop);

  return {
    /** @param {readonly Librarian[]} librarians */
    offer(librarians) {
      const chosen = to.value;
      to.replaceChildren(
        element("option", { value: "" }, "Automatic"),
        ...librarians.map(({ id, name }) => element("option", { value: id }, name ?? id)),
      );
      choose(chosen);
      byId("examples", HTMLElement).replaceChildren(
        ...librarians
          .flatMap(({ examples = [] }) => examples.slice(0, 2))
          .slice(0, maxExamples)
          .map(exampleOf),
      );
    },
    /**
     * Fills it in, and leaves the rest to the user.
     *
     * @param {string} text
     * @param {string} librarian
     */
    fill(text, librarian) {
      query.value = text;
      choose(librarian);
      query.focus();
    },
    clear() {
      query.value = "";
    },
    /** @param {boolean} isBusy */
    setBusy(isBusy) {
      stop.hidden = !isBusy;
      send.disabled = isBusy;
    },
  };
}
