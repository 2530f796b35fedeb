import { element } from "./element.js";

/** @typedef {import("./server.js").ShownRun} ShownRun */

/** @type {Record<"up" | "down", string>} */
const ratings = { up: "Good answer", down: "Bad answer" };

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
    const button = element("button", { type: "button", class: "quiet" }, words);
    button.ariaPressed = String(each === rating);
    button.addEventListener("click", () => {
      rating = each === "up" ? "up" : "down";
      for (const other of buttons) other.ariaPressed = String(other === button);
      form.hidden = false;
      void onRate(rating, note.value.trim());
    });
    return button;
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (rating !== undefined) void onRate(rating, note.value.trim());
  });
  return element("div", { class: "feedback" }, ...buttons, form);
}
