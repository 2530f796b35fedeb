import { element } from "./element.js";

/**
 * Lets the browser save a text as a file.
 *
 * @param {string} text
 * @param {string} type Media type.
 * @param {string} name
 */
export function saveFile(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  element("a", { href: address, download: name }).click();
  URL.revokeObjectURL(address);
}
