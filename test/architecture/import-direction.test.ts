import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const src = fileURLToPath(new URL("../../packages/core/src/", import.meta.url));

/** Folder of core -> the folders it may import from. */
const allowed: Record<string, readonly string[]> = {
  contract: [],
  resilience: ["contract"],
  cache: ["contract"],
  registry: ["contract", "resilience"],
  events: ["contract"],
  tracing: ["contract"],
  router: ["contract", "registry", "events", "tracing", "resilience", "authoring"],
  testing: ["contract", "events", "authoring"],
  authoring: ["contract", "events"],
  envelope: ["contract", "authoring", "events", "router", "tracing"],
  transport: ["contract", "authoring", "envelope", "router", "tracing"],
  evals: ["contract", "events", "router"],
  wrappers: ["contract", "authoring", "registry", "resilience"],
};

/** Room of core/router -> the rooms it may import from. What is in no room may import from each. */
const rooms: Record<string, readonly string[]> = {
  run: [],
  "fan-out": ["run"],
  hop: ["run", "fan-out"],
  observation: ["run", "fan-out"],
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

  it("core/evals takes only types from the router, which works without it", () => {
    const files = readdirSync(join(src, "evals")).filter((file) => !file.includes(".test."));

    const imports = files.flatMap((file) =>
      readFileSync(join(src, "evals", file), "utf8")
        .split("\n")
        .filter((line) => line.includes('"../router/')),
    );

    expect(imports.filter((line) => !line.startsWith("import type "))).toEqual([]);
  });

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
