import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

it("the path of a query through core can be read in ten minutes", () => {
  const node = ["--conditions=@constellation/source", "--import", "tsx", "scripts/hop-path.ts"];
  const printed = execFileSync(process.execPath, node, { cwd: root, encoding: "utf8" });
  const counts = JSON.parse(printed);

  // One librarian; four in a chain; one that asks three at once.
  expect(counts.plain.files).toBeLessThanOrEqual(12);
  expect(counts.plain.functions).toBeLessThanOrEqual(40);
  expect(counts["chain of 3"].files).toBeLessThanOrEqual(14);
  expect(counts["fan-out of 3"].files).toBeLessThanOrEqual(21);
});
