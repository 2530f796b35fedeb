import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { publishableWorkspaces } from "../../scripts/workspaces.js";

for (const { folder } of publishableWorkspaces()) {
  describe(`${folder}/README.md`, () => {
    it("opens with a heading, and shows code within its first 40 lines", () => {
      const file = fileURLToPath(new URL(`../../${folder}/README.md`, import.meta.url));

      const lines = readFileSync(file, "utf8").split("\n").slice(0, 40);

      expect(lines[0]).toMatch(/^# \S/);
      expect(lines).toContainEqual(expect.stringMatching(/^```\w/));
    });
  });
}
