import { buttonOf, element } from "./element.js";

/** @typedef {import("./server.js").ShownRun} ShownRun */

/** @type {Record<"up" | "down", string>} */
const ratings = { up: "Good answer", down: "Bad answer" };

/**
 * Keeps a run as a case of a dataset, or takes it out of it.
 *
 * @param {ShownRun} run
 * @param {(place: { name: string } | undefined) => Promise<void>} onPlace
 * @returns {Node | string} Nothing for a run that its reader may not read.
 */
export function datasetOf({ record, dataset, withheld }, onPlace) {
  if (withheld === true || record.stopReason === undefined) return "";
  if (dataset !== undefined) {
    const remove = buttonOf("Take out", () => void onPlace(undefined));
    const words = dataset.experiment === undefined ? "Case of " : "Asked again for ";
    return element(
      "p",
      { class: "muted" },
      words,
      element("a", { href: `#/datasets/${encodeURIComponent(dataset.name)}` }, dataset.name),
      " ",
      remove,
    );
  }
  const name = element("input", {
    type: "text",
    maxlength: 60,
    required: true,
    placeholder: "Dataset",
    "aria-label": "Name of the dataset",
  });
  const form = element(
    "form",
    { class: "feedback" },
    name,
    element("button", { type: "submit", class: "quiet" }, "Keep as case"),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (name.value.trim() !== "") void onPlace({ name: name.value.trim() });
  });
  return form;
}

/**
 * Asks what one thinks of an answer, and shows what was said before.
 *
 * @param {ShownRun} run
 * @param {(rating: "up" | "down", note: string) => Promise<void>} onRate
 * @returns {Node | string} Nothing where there is no answer to rate.
 */
export function feedbackOf({ response, feedback, withheld }, onRate) {
  if (response?.answer === undefined || withheld === true) return "";
  const note = element("input", {
    type: "text",
    maxlength: 2_000,
    placeholder: "What was missing or wrong?",
    "aria-label": "Note on the answer",
  });
  note.value = feedback?.note ?? "";
  const form = element(
    "form",
    { hidden: feedback === undefined },
    note,
    element("button", { type: "submit", class: "quiet" }, "Save note"),
  );
  /** @type {"up" | "down" | undefined} */
  let rating = feedback?.rating;
  const buttons = Object.entries(ratings).map(([each, words]) => {
    const button = buttonOf(words, () => {
      rating = each === "up" ? "up" : "down";
      for (const other of buttons) other.ariaPressed = String(other === button);
      form.hidden = false;
      void onRate(rating, note.value.trim());
    });
    button.ariaPressed = String(each === rating);
    return button;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (rating !== undefined) void onRate(rating, note.value.trim());
  });
  return element("div", { class: "feedback" }, ...buttons, form);
}
