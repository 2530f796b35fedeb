import { readdirSync, readFileSync } from "node:fs";

const literal = String.raw`"(?:[^"\\]|\\.)*"`;
const file = new RegExp(
  String.raw`readFileSync\(\s*new URL\((${literal}), import\.meta\.url\),\s*"utf8",?\s*\)|/\* file (${literal}) \*/ ${literal}`,
  "g",
);
const folder = new RegExp(
  String.raw`\breadTexts\(\s*new URL\((${literal}), import\.meta\.url\),?\s*\)|/\* folder (${literal}) \*/ JSON\.parse\(${literal}\)`,
  "g",
);

/**
 * Puts the files that a module reads beside itself into its text, so that it works bundled into one file, where
 * nothing is beside it. Two expressions are replaced, in which the path is a literal:
 *
 *     readFileSync(new URL("../data/concepts.json", import.meta.url), "utf8")
 *     readTexts(new URL("../console/", import.meta.url))
 *
 * with the text of the file, and with an object that has the text of each file of the folder by its name. What an earlier
 * call put in is replaced too.
 */
export function inlineFilesBeside(text: string, module: URL): string {
  return text
    .replace(file, (_, read?: string, before?: string) => {
      const from = read ?? before ?? "";
      return `/* file ${from} */ ${JSON.stringify(readFileSync(new URL(JSON.parse(from), module), "utf8"))}`;
    })
    .replace(folder, (_, read?: string, before?: string) => {
      const from = read ?? before ?? "";
      return `/* folder ${from} */ JSON.parse(${JSON.stringify(JSON.stringify(textsIn(new URL(JSON.parse(from), module))))})`;
    });
}

function textsIn(url: URL): Readonly<Record<string, string>> {
  const files = readdirSync(url, { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ name }) => [name, readFileSync(new URL(name, url), "utf8")]),
  );
}
