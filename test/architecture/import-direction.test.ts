import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../../packages/core/src/", import.meta.url));

/** Folder of core -> the folders it may import from. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  registry: ["contract"],
  events: ["contract"],
  tracing: ["contract"],
  router: ["contract", "registry", "events", "tracing", "resilience"],
  testing: ["contract", "events", "authoring"],
  authoring: ["contract"],
  evals: ["contract", "events", "router"],
};

describe("the folders of core", () => {
  for (const [folder, mayImport] of Object.entries(allowed)) {
    it(`core/${folder} imports only from [${mayImport.join(", ")}]`, () => {
      const strays = readdirSync(join(src, folder))
        .filter((file) => file.endsWith(".ts") && !file.includes(".test."))
        .flatMap((file) =>
          parentImports(readFileSync(join(src, folder, file), "utf8"))
            .filter((target) => !mayImport.includes(target))
            .map((target) => `${file} -> ${target}`),
        );

      expect(strays).toEqual([]);
    });
  }

  it("core/evals takes only types from the router, which works without it", () => {
    const files = readdirSync(join(src, "evals")).filter((file) => !file.includes(".test."));

    const imports = files.flatMap((file) =>
      readFileSync(join(src, "evals", file), "utf8")
        .split("\n")
        .filter((line) => line.includes('"../router/')),
    );

    expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
  });

  it("each have a rule above", () => {
    const folders = readdirSync(src, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(folders.filter((folder) => allowed[folder] === undefined)).toEqual([]);
  });
});

/** The folders, or entry files, of core that a source file imports by way of `..`. */
function parentImports(source: string): readonly string[] {
  return [...source.matchAll(/(?:from|import) ?\(?\s*"\.\.\/([\w-]+)/g)].flatMap(
    ([, target]) => target ?? [],
  );
}
