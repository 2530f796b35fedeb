import { visibleText } from "./visible-text.js";

/**
 * Makes an element. Text is added as text, never as markup, and without invisible characters: what
 * librarians write is data.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | number | boolean | undefined>} [attributes] `class`, `aria-label` ...; true sets an empty one.
 * @param {...(Node | string | undefined)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    const isFlag = value === true && !name.startsWith("aria-"); // those have the word "true"
    made.setAttribute(name, isFlag ? "" : visibleText(String(value)));
  }
  for (const child of children) {
    if (child !== undefined) made.append(typeof child === "string" ? visibleText(child) : child);
  }
  return made;
}

/**
 * A quiet button.
 *
 * @param {string} words A single character is read aloud by its title.
 * @param {() => void} onClick
 * @param {string} [title]
 */
export function buttonOf(words, onClick, title) {
  const button = element("button", { type: "button", class: "quiet", title }, words);
  if (words.length === 1 && title !== undefined) button.ariaLabel = title;
  button.addEventListener("click", onClick);
  return button;
}

/**
 * A part that scrolls by itself, also with keys.
 *
 * @param {string} label
 * @param {string} classes
 * @param {...(Node | string)} children
 */
export function scrollableOf(label, classes, ...children) {
  return element(
    "div",
    { class: classes, tabindex: 0, role: "region", "aria-label": label },
    ...children,
  );
}

/** A state in a word, with a sign and a colour. @param {{ sign: string, word: string, tone: string }} state */
export function chipOf({ sign, word, tone }) {
  return element("span", { class: "chip", "data-tone": tone }, `${sign} ${word}`);
}

/** The head of a table. @param {readonly string[]} names Empty: no heading. */
export function tableHeadOf(names) {
  const cells = names.map((name) =>
    name === "" ? element("td") : element("th", { scope: "col" }, name),
  );
  return element("thead", {}, element("tr", {}, ...cells));
}

/**
 * The element of the page with an id.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`The page has no ${kind.name} "${id}".`);
  return found;
}
