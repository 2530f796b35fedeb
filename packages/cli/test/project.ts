import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { folderWith } from "./folder.js";
import { run } from "./run.js";

/** The packages of the repository. */
export const nodeModules = fileURLToPath(new URL("../../../node_modules", import.meta.url));

/** Makes a project where it finds the packages of the repository, as `npm install` would. */
export async function projectOf(...argv: readonly string[]): Promise<string> {
  const cwd = folderWith({});
  symlinkSync(nodeModules, join(cwd, "node_modules"));
  const { exitCode } = await run(["init", ...argv, ...language(argv)], { cwd });
  expect(exitCode).toBe(0);
  return join(cwd, argv[1] ?? "");
}

/** JavaScript, unless the test names a language. `npm run check` makes both from the packed packages, and checks types. */
function language(argv: readonly string[]): readonly string[] {
  return argv.includes("--language") ? [] : ["--language", "js"];
}
