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

  it.each([
    ["anchors and aliases", (i: number) => `k${i}: &a${i} 1\nr${i}: *a${i}\n`],
    ["anchors", (i: number) => `k${i}: &a${i} 1\n`],
    ["keys", (i: number) => `k${i}: 1\n`],
    ["the same key", () => "k: 1\n"],
    ["librarians", (i: number) => `  - { use: ./desk.js, id: l${i} }\n`],
    ["items", () => "- 1\n"],
    ["empty lines", () => "\n"],
    ["comments", () => "# c\n"],
    ["indented comments", () => "  # c\n"],
    ["flow maps", () => "{},"],
    ["open brackets", () => "["],
    ["open keys", () => "? "],
    ["tags", () => "- !!str 1\n"],
    ["open variables", () => "${A:-"],
    ["odd variables", () => "${?"],
    ["variables that are not set", (i: number) => `\${A${i}}`],
    ["escapes", () => "\\u0041"],
    ["spaces", () => " "],
    ["words", () => "word "],
    ["quotes", () => '"" '],
    ["carriage returns", () => "a\r"],
  ])("reads or refuses 1 MiB of %s in a time in proportion to its size", async (_what, part) => {
    const timeOf = async (bytes: number) => {
      const parts: string[] = [];
      for (let size = 0, i = 0; size < bytes; i++)
        size += parts[parts.push(part(i)) - 1]?.length ?? 0;
      const cwd = folderWith({ ...shopMesh, "mesh.yaml": parts.join("").slice(0, bytes) });
      const before = process.cpuUsage();
      await loadMesh("mesh.yaml", { cwd, env: {} }).catch(() => undefined);
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1_000;
    };

    await timeOf(1_000); // what is imported on first use is not measured

    expect(await timeOf(meshFileLimits.bytes)).toBeLessThan(2_000); // quadratic time would be minutes
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
