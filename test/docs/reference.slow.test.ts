import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { referencePages } from "../../scripts/reference.js";
import { root } from "./markdown-blocks.js";

it("the reference says what the code says (npm run reference writes it)", () => {
  for (const [path, text] of Object.entries(referencePages())) {
    expect(readFileSync(join(root, path), "utf8"), path).toBe(text);
  }
});
