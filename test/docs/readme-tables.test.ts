import { readFileSync } from "node:fs";
import { join } from "node:path";
import { errorCodes, routerDefaults } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { root } from "./markdown-blocks.js";

const readme = readFileSync(join(root, "README.md"), "utf8");

/** Cells of the rows of a table between two comments, without its head. */
function rowsOf(name: string): readonly (readonly string[])[] {
  const [, table = ""] = readme.split(new RegExp(`<!-- /?${name} -->`));
  const lines = table.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("README.md", () => {
  it("has a row for each error code, as the code's own table says", () => {
    expect(rowsOf("error-codes")).toEqual(
      Object.entries(errorCodes).map(([code, { meaning, retryable, fixedBy }]) => [
        `\`${code}\``,
        meaning,
        retryable ? "yes" : "no",
        fixedBy,
      ]),
    );
  });

  it("has a row for each router option with a default, and the default", () => {
    expect(rowsOf("router-defaults").map(([key, value]) => [key, value])).toEqual(
      Object.entries(routerDefaults).map(([key, value]) => [
        `\`${key}\``,
        `\`${typeof value === "number" ? value : JSON.stringify(value)}\``,
      ]),
    );
  });
});
