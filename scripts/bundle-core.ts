/**
 * Bundles core's entries from its sources into `dist`, beside the declarations that the compiler writes
 * (`emitDeclarationOnly`). Run in the folder of the package, by its build.
 *
 * What an application imports is then a few files in place of 120, which takes Node.js a third of the
 * time: what the entry `@constellation/core` needs is one file, and the other entries share it.
 */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { rolldown } from "rolldown";

const { exports } = JSON.parse(readFileSync("package.json", "utf8")) as {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
};

/** Name of each entry's file and its source: `index`, `./src/index.ts`. */
const entries = Object.values(exports).flatMap((entry) => {
  if (typeof entry === "string") return []; // a file as it is
  const source = entry["@constellation/source"] ?? "";
  return [[source.replace(/^\.\/src\/|\.ts$/g, ""), source] as const];
});

const first = resolve("src/index.ts");
/** The files that the first entry imports, directly or not, and without `import()`. */
const atStart = new Set<string>();

const build = await rolldown({
  input: Object.fromEntries(entries),
  platform: "node",
  external: /^[^./]/, // dependencies, and what comes with Node.js
  plugins: [
    {
      name: "files-at-start",
      buildEnd() {
        const open = [first];
        for (const file of open) {
          if (atStart.has(file)) continue;
          atStart.add(file);
          open.push(...(this.getModuleInfo(file)?.importedIds ?? []));
        }
      },
    },
  ],
});
await build.write({
  dir: "dist",
  comments: { jsdoc: false }, // they are in the declarations
  chunkFileNames: "chunks/[name].js",
  codeSplitting: { groups: [{ name: "core", test: (file) => atStart.has(file) }] },
});
await build.close();
