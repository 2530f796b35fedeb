/**
 * Puts the files that a package reads beside its modules into the modules that `dist` holds. Run in the folder of a
 * package, by its build, after the compiler. The sources themselves, which tests run, read the files.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { inlineFilesBeside } from "./files-beside.js";

for (const name of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
  if (!name.endsWith(".js")) continue;
  const path = join("dist", name);
  const text = readFileSync(path, "utf8");
  const inlined = inlineFilesBeside(text, pathToFileURL(path));
  if (inlined !== text) writeFileSync(path, inlined);
}
