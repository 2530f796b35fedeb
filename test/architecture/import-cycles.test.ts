import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { workspaces } from "../../scripts/workspaces.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

for (const { folder } of workspaces()) {
  const imports = importsOf(folder);

  describe(`the files of ${folder}`, () => {
    it("import no source of another workspace by its path", () => {
      const strays = [...imports].flatMap(([file, targets]) =>
        targets
          .filter((target) => !target.startsWith(`${folder}/`) && !isShared(file, target))
          .map((target) => `${file} -> ${target}`),
      );

      expect(strays).toEqual([]);
    });

    it("import each other in no circle, types included", () => {
      expect(circlesIn(imports)).toEqual([]);
    });
  });
}

/** What is not published may share what tests, benchmarks and scripts are made of. */
function isShared(file: string, target: string): boolean {
  const isPublished = /\/src\/(?!.*\.test\.ts$)/.test(file);
  return !isPublished && /^(?:scripts|[^/]+\/[^/]+\/(?:test|bench|eval))\//.test(target);
}

/** Each source file of a workspace, the console's scripts too, with the files it imports by a relative path. */
function importsOf(folder: string): ReadonlyMap<string, readonly string[]> {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => /(?:(?<!\.d)\.ts|\/console\/[^/]+\.js)$/.test(file))
    .filter((file) => !/\/(?:node_modules|dist)\//.test(file));
  const known = new Set(files);
  return new Map(
    files.map((file) => {
      const source = readFileSync(join(root, file), "utf8");
      const found = source.matchAll(/(?:\bfrom|^import|\bimport\()\s*"(\.[^"]+)"/gm);
      const targets = [...found].map(([, path = ""]) => {
        const target = posix.join(dirname(file), path);
        return known.has(target) ? target : target.replace(/\.js$/, ".ts");
      });
      return [file, targets];
    }),
  );
}

/**
 * The groups of files that reach each other.
 *
 * Source: R. Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972.
 */
function circlesIn(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const circles: string[] = [];

  function visit(file: string): number {
    const own = order.size;
    order.set(file, own);
    lowest.set(file, own);
    open.push(file);
    for (const target of imports.get(file) ?? []) {
      if (!imports.has(target)) continue;
      const reached = order.has(target)
        ? open.includes(target)
          ? (order.get(target) ?? own)
          : own
        : visit(target);
      lowest.set(file, Math.min(lowest.get(file) ?? own, reached));
    }
    const low = lowest.get(file) ?? own;
    if (low === own) {
      const group = open.splice(open.indexOf(file));
      if (group.length > 1) circles.push(group.sort().join(", "));
    }
    return low;
  }

  for (const file of imports.keys()) if (!order.has(file)) visit(file);
  return circles;
}
