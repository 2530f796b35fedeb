import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { workspaces } from "../../scripts/workspaces.js";

const root = fileURLToPath(new URL("../..", import.meta.url));

const files = workspaces().flatMap(({ folder }) => sourceFiles(`${folder}/src`));

describe("source files", () => {
  it("export name by name, never `export *`", () => {
    expect(files.filter((file) => /^\s*export\s+(?:type\s+)?\*/m.test(read(file)))).toEqual([]);
  });

  it("have no default export", () => {
    const pattern = /^\s*export\s+default\b|^\s*export\s*{[^}]*\bas\s+default\b/m;

    expect(files.filter((file) => pattern.test(read(file)))).toEqual([]);
  });

  it("are named after one idea, not after a drawer for odds and ends", () => {
    const drawer = /^(?:utils?|helpers?|common|shared|misc)$/;

    const drawers = files.filter((file) =>
      file.split("/").some((part) => drawer.test(basename(part).split(".")[0] ?? "")),
    );

    expect(drawers).toEqual([]);
  });

  it("are named in kebab-case", () => {
    expect(files.filter((file) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/.test(basename(file)))).toEqual(
      [],
    );
  });
});

/** Files that need the address of their module for something else than a small file beside it. */
const addressed = [
  "packages/cli/src/author-frame.ts", // tells its own frames from the author's
  "packages/core/src/tracing/otel-api.ts", // requires a package where it can
  "packages/embeddings/src/runtime.ts", // the model is too large for a module; an option names its folder
  "librarians/workflow-selector/src/outcomes/open-outcomes.ts", // requires a module that may not be there
];

describe("files beside a module", () => {
  const published = workspaces().filter(({ manifest }) => manifest.private !== true);
  const readers = published.flatMap(({ folder, manifest }) =>
    sourceFiles(`${folder}/src`)
      .filter((file) => !file.endsWith(".test.ts") && !addressed.includes(file))
      .filter((file) => /\bimport\.meta\.\w+/.test(withoutTemplates(read(file))))
      .map((file) => ({ file, build: manifest.scripts?.build })),
  );

  it("are read in a form that the build replaces with their text, for bundles of one file", () => {
    const inlined =
      /(?:readFileSync|readTexts)\(\s*new URL\(\s*"[^"]+",\s*import\.meta\.url,?\s*\)/g;

    const others = readers.filter(({ file }) =>
      read(file).replaceAll(inlined, "").includes("import.meta."),
    );

    expect(readers).not.toEqual([]);
    expect(others.map(({ file }) => file)).toEqual([]);
  });

  it("are put into the modules by the build of the package", () => {
    const without = readers.filter(({ build }) => build?.includes("inline-files") !== true);

    expect(without.map(({ file }) => file)).toEqual([]);
  });
});

/** Leaves out text between backticks, such as programs that a command writes. */
function withoutTemplates(text: string): string {
  return text.replaceAll(/`[^`]*`/g, "");
}

describe("tests", () => {
  it("say how long they wait for an effect: a second, which is the default, is short on a busy machine", () => {
    const folders = workspaces().map(({ folder }) => folder);

    expect(folders.flatMap(sourceFiles).flatMap(waitsWithoutLimit)).toEqual([]);
  });
});

/** Calls of `vi.waitFor` and `vi.waitUntil` that name no limit of time, as `file:line`. */
function waitsWithoutLimit(file: string): readonly string[] {
  const text = read(file);
  if (!/\bvi\.wait/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const found: string[] = [];
  const visit = (node: ts.Node) => {
    if (ts.isCallExpression(node) && /^vi\.wait(?:For|Until)$/.test(textOf(node.expression))) {
      const [, limit] = node.arguments;
      const isNamed = limit !== undefined && /^[\w.]+$|\btimeout\b/.test(textOf(limit));
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      if (!isNamed) found.push(`${file}:${line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  const textOf = (node: ts.Node) => node.getText(source);
  visit(source);
  return found;
}

/** Every TypeScript file below a folder, relative to the root. */
function sourceFiles(folder: string): readonly string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`)
    .filter((file) => !/\/(?:node_modules|dist)\//.test(file))
    .sort();
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
