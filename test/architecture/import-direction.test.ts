import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../../packages/core/src/", import.meta.url));

/** Folder of core -> the folders it may import from. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  resilience: ["contract"],
  registry: ["contract", "resilience"],
  events: ["contract"],
  tracing: ["contract"],
  waits: ["contract"],
  router: ["contract", "registry", "events", "tracing", "resilience", "waits"],
};

/** Room of core/router -> the rooms it may import from. What is in no room may import from each. */
const rooms: Record<string, readonly string[]> = {
  run: [],
  "fan-out": ["run"],
  hop: ["run", "fan-out"],
  observation: ["run", "fan-out"],
};

it("the entry of core loads no zod: it takes longer than all of core", () => {
  const seen = new Set<string>();
  const open = ["index.ts"];
  for (const file of open) {
    if (seen.has(file)) continue;
    seen.add(file);
    const source = readFileSync(join(src, file), "utf8").replace(
      /^(?:im|ex)port type [^;]*;/gm,
      "",
    );
    expect(source, file).not.toMatch(/^import [^;]*"zod"/m);
    for (const [, path = ""] of source.matchAll(/^(?:im|ex)port [^;]*"(\.[^"]+)\.js";/gm)) {
      open.push(`${posix.join(posix.dirname(file), path)}.ts`);
    }
  }
  expect(seen.size).toBeGreaterThan(50);
});

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

  for (const [room, mayImport] of Object.entries(rooms)) {
    it(`core/router/${room} imports only from the rooms [${mayImport.join(", ")}], and not from above`, () => {
      const folder = join(src, "router", room);
      const strays = readdirSync(folder)
        .filter((file) => file.endsWith(".ts") && !file.includes(".test."))
        .flatMap((file) => {
          const source = readFileSync(join(folder, file), "utf8");
          const siblings = parentImports(source).filter((target) => !mayImport.includes(target));
          const above = grandparentImports(source).filter(
            (target) => !allowed.router?.includes(target),
          );
          return [...siblings, ...above].map((target) => `${file} -> ${target}`);
        });

      expect(strays).toEqual([]);
    });
  }

  it("import the OpenTelemetry API as types only: it is loaded when an SDK is there", () => {
    const strays = readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts") && !file.includes(".test."))
      .filter((file) =>
        /^import (?!type )[^;]*from "@opentelemetry\/api"/m.test(
          readFileSync(join(src, file), "utf8"),
        ),
      );

    expect(strays).toEqual([]);
  });

  it("each have a rule above", () => {
    const folders = readdirSync(src, { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);

    expect(folders.filter((folder) => allowed[folder] === undefined)).toEqual([]);
  });
});

/** The folders of core that a source file in a room imports. */
function grandparentImports(source: string): readonly string[] {
  return [...source.matchAll(/(?:from|import) ?\(?\s*"\.\.\/\.\.\/([\w-]+)/g)].flatMap(
    ([, target]) => target ?? [],
  );
}

/** The folders, or entry files, of core that a source file imports by way of `..`. */
function parentImports(source: string): readonly string[] {
  return [...source.matchAll(/(?:from|import) ?\(?\s*"\.\.\/([\w-]+)/g)].flatMap(
    ([, target]) => target ?? [],
  );
}
