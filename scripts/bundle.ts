import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Bundles a program with the packages' sources, for tests that start it more than once: from source,
 * with a loader, each start takes a second of CPU time.
 *
 * @param entry - Path of the program.
 * @returns Path of the bundle, which Node.js runs as it is. A folder below the repository, so that the
 *   program finds packages it imports by a name that it computes.
 */
export async function bundle(entry: string): Promise<string> {
  const name = `${basename(entry, ".ts")}-${createHash("sha256").update(entry).digest("hex").slice(0, 8)}`;
  const folder = join(root, "node_modules/.cache/bundles", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const build = await rolldown({
    input: entry,
    platform: "node",
    resolve: { conditionNames: ["@constellation/source", "node", "import", "default"] },
    logLevel: "silent",
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
