/* biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how a mesh file names variables */
import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { loadMesh } from "./load-mesh.js";
import { meshFileLimits } from "./parse-yaml.js";

describe("a mesh file that is meant to keep the process busy", () => {
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
});
