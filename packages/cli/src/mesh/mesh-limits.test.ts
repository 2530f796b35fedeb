/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how a mesh file names variables */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { ConfigurationError } from "../configuration-error.js";
import { loadMesh } from "./load-mesh.js";
import { meshFileLimits } from "./parse-yaml.js";

type Files = Readonly<Record<string, string>>;

function load(files: Files, env: Readonly<Record<string, string>> = {}, file = "mesh.yaml") {
  return loadMesh(file, { cwd: folderWith(files), env });
}

/** The lines that a wrong mesh file is refused with. */
async function problems(mesh: string, env: Readonly<Record<string, string>> = {}) {
  const refused: unknown = await load({ ...shopMesh, "mesh.yaml": mesh }, env).catch(
    (thrown: unknown) => thrown,
  );
  expect(refused).toBeInstanceOf(ConfigurationError);
  return (refused as ConfigurationError).message.split("\n");
}

const echo = `export const createLibrarian = (options) => ({
  id: "echo",
  description: "Repeats its options.",
  librarian: async () => ({ answer: JSON.stringify(options) }),
});
`;

describe("the limits of a mesh file", () => {
  it("bounds the size of a file, and what its aliases may grow to", async () => {
    const bombs = Array.from({ length: 9 }, (_, index) => {
      const before = `*a${index}`;
      return `a${index + 1}: &a${index + 1} [${Array(9).fill(before).join(", ")}]`;
    });

    const [big] = await problems(`# ${"x".repeat(meshFileLimits.bytes)}`);
    const [bomb] = await problems(`a0: &a0 [x]\n${bombs.join("\n")}\n`);
    const [deep] = await problems("[".repeat(50_000));

    expect(big).toContain("at most 1048576 are read");
    expect(bomb).toContain("Excessive alias count");
    expect(deep).toMatch(/^mesh\.yaml:/);
  });

  // The parser calls itself for each level, and at the end of the stack the engine may end the process.
  it.each([
    ["lists in a line", "- ".repeat(9_000)],
    ["keys in a line", "? ".repeat(9_000)],
    ["lists in brackets", "[".repeat(9_000)],
    ["maps in braces", "{a: ".repeat(5_000)],
    ["maps in lines", Array.from({ length: 1_000 }, (_, at) => `${" ".repeat(at)}k:\n`).join("")],
    ["lists below maps", `a:\n  b: ${"[- ".repeat(5_000)}`],
  ])("refuses %s that are nested too deep", async (_, mesh) => {
    expect(await problems(mesh)).toEqual([
      "mesh.yaml: is nested too deep to be read. Divide the mesh, or write it as a JavaScript module.",
    ]);
  });

  it("reads as much as its limits allow", async () => {
    const librarians = Array.from(
      { length: 1_000 },
      (_, i) => `  - use: ./echo.js\n    id: e${i}\n`,
    );
    const { router } = await load({
      "echo.js": echo,
      "mesh.yaml": `librarians:\n${librarians.join("")}`,
    });

    expect(router.list()).toHaveLength(1_000);
  });

  it.each([
    ["a FIFO", (path: string) => execFileSync("mkfifo", [path])],
    ["a device", (path: string) => symlinkSync("/dev/zero", path)],
    ["a folder", (path: string) => mkdirSync(path)],
  ])("refuses %s by name, without waiting for it", async (_what, make) => {
    const cwd = folderWith({});
    for (const name of ["mesh.yaml", "mesh.js"]) {
      make(join(cwd, name));
      await expect(loadMesh(name, { cwd })).rejects.toThrow(`${name}: is a`);
    }
  });

  it("refuses a file that is not UTF-8 text", async () => {
    const cwd = folderWith(shopMesh);
    writeFileSync(join(cwd, "mesh.yaml"), Buffer.from("name: caf\u00e9\n", "latin1"));

    await expect(loadMesh("mesh.yaml", { cwd })).rejects.toThrow(
      "mesh.yaml: is not UTF-8 text. Save it as UTF-8.",
    );
  });
});
