import { readFileSync } from "node:fs";
import { serverLimits } from "@constellation/server";
import { expect, it } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

it("README.md has a row for each limit, with its default", () => {
  const [, table = ""] = readme.split(/<!-- \/?limits -->/);
  const rows = [...table.matchAll(/^\| `(\w+)` \|.*\| ([\d,]+) \|$/gm)];

  expect(rows.map(([, name, value = ""]) => [name, Number(value.replaceAll(",", ""))])).toEqual(
    Object.entries(serverLimits),
  );
});
