const svgNamespace = "http://www.w3.org/2000/svg";

/**
 * Makes an element of a picture.
 *
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
export function svgOf(tag, attributes) {
  const made = document.createElementNS(svgNamespace, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
