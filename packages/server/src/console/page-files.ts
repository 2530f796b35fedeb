import { readdirSync, readFileSync } from "node:fs";
import { extname } from "node:path";

/**
 * Text of every file of the console page, by name: those of the folder `console`, and the browser builds of the
 * Markdown parser and of the layout of graphs. The package's build puts the texts in place of the reads (`scripts/inline-files.ts`).
 */
export const pageFiles: Readonly<Record<string, string>> = {
  ...onlyPage(readTexts(new URL("../../console/", import.meta.url))),
  "markdown-it.js": readFileSync(
    new URL(
      "../../../../node_modules/markdown-it/dist/browser/markdown-it.esm.min.mjs",
      import.meta.url,
    ),
    "utf8",
  ),
  "dagre.js": readFileSync(
    new URL("../../../../node_modules/@dagrejs/dagre/dist/dagre.esm.js", import.meta.url),
    "utf8",
  ),
};

/** Leaves out files that only type-check the page. */
function onlyPage(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const extensions = [".html", ".js", ".css", ".svg"];
  return Object.fromEntries(
    Object.entries(files).filter(([name]) => extensions.includes(extname(name))),
  );
}

function readTexts(folder: URL): Readonly<Record<string, string>> {
  return Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), "utf8")]),
  );
}
