/**
 * `npm run typecheck`, first half: writes each `ts` block of a page as a file of its own, each line
 * at its number in the page, so that the compiler checks it with everything else. A `ts fragment` is
 * not written.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { blocksOf, pages } from "./markdown-blocks.js";

const folder = join(import.meta.dirname, ".examples");
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
for (const { file, line, language, text } of pages().flatMap(blocksOf)) {
  if (language !== "ts") continue;
  // An example without imports is a module all the same, so that its names are its own.
  const code = /^(?:import|export) /m.test(text) ? text : `${text}\nexport {};`;
  const name = `${file.replaceAll("/", "-")}.${line}.ts`;
  writeFileSync(join(folder, name), `${"\n".repeat(line - 1)}${code}\n`);
}
