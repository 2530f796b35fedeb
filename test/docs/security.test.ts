import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./markdown-blocks.js";

const page = readFileSync(join(root, "docs/security.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .slice(2)
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );

describe("the table of docs/security.md", () => {
  it("says in each row: asset, attacker, way in, what holds, and a test", () => {
    expect(rows.length).toBeGreaterThan(20);
    expect(rows.filter((cells) => cells.length !== 5 || cells.includes(""))).toEqual([]);
  });

  it.each(rows.map((cells) => [cells[3], cells[4]]))(
    "names tests that exist: %s",
    (_holds, cell = "") => {
      const paths = [...cell.matchAll(/`([^`]+)`/g)].map(([, path = ""]) => path);

      expect(paths.length).toBeGreaterThan(0);
      expect(
        paths.filter((path) => !path.endsWith(".ts") || !existsSync(join(root, path))),
      ).toEqual([]);
    },
  );
});

describe("SECURITY.md", () => {
  const policy = readFileSync(join(root, "SECURITY.md"), "utf8");

  it("says where to report, privately and for the repository of the packages", () => {
    const { bugs } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8"));

    expect(policy).toContain(`${bugs.replace(/\/issues$/, "")}/security/advisories/new`);
    expect(policy).toContain("](docs/security.md)");
  });
});
