import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { inlineFilesBeside } from "./files-beside.js";

const root = fileURLToPath(new URL("..", import.meta.url));

/** By path of the program. */
const bundles = new Map<string, Promise<string>>();

/**
 * Bundles a program with the packages' sources, for tests that start it more than once: from source,
 * with a loader, each start takes a second of CPU time. Bundled once in a process; what a
 * process that has ended left is removed.
 *
 * @param entry - Path of the program.
 * @returns Path of the bundle, which Node.js runs as it is. A folder below the repository, so that the
 *   program finds packages it imports by a name that it computes.
 */
export function bundle(entry: string): Promise<string> {
  const made = bundles.get(entry) ?? write(entry);
  bundles.set(entry, made);
  return made;
}

async function write(entry: string): Promise<string> {
  const cache = join(root, "node_modules/.cache/bundles");
  mkdirSync(cache, { recursive: true });
  for (const each of readdirSync(cache)) {
    if (!isAlive(Number(each.split("-").at(-1))))
      rmSync(join(cache, each), { recursive: true, force: true });
  }
  // Another process may bundle the same program now.
  const hash = createHash("sha256").update(entry).digest("hex").slice(0, 8);
  const folder = join(cache, `${basename(entry, ".ts")}-${hash}-${process.pid}`);
  mkdirSync(folder);
  const build = await rolldown({
    input: entry,
    platform: "node",
    resolve: { conditionNames: ["@constellation/source", "node", "import", "default"] },
    logLevel: "silent",
    plugins: [{ name: "files-beside", transform: inlineFiles }],
  });
  await build.write({
    dir: folder,
    format: "esm",
    entryFileNames: "main.mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await build.close();
  return join(folder, "main.mjs");
}

/** Nothing is beside a bundle. */
function inlineFiles(code: string, id: string): string | undefined {
  const inlined = inlineFilesBeside(code, pathToFileURL(id));
  return inlined === code ? undefined : inlined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
