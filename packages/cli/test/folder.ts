import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder with these files, until the test ends. A process that a test killed may still be writing: removal is tried again. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "constellation-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

/** A front desk that passes every question to `shop`, which knows about bread. */
export const shopMesh: Readonly<Record<string, string>> = {
  "mesh.yaml": `name: town
entry: desk
librarians:
  - use: ./desk.js
  - use: ./shop.js
    options:
      stock: 12
`,
  "desk.js": `export const createLibrarian = () => ({
  id: "desk",
  description: "Passes questions on.",
  delegatesTo: ["shop"],
  librarian: async () => ({ delegate: { to: "shop" } }),
});
`,
  "shop.js": `export const createLibrarian = ({ stock }) => ({
  id: "shop",
  description: "Sells bread.",
  delegatesTo: [],
  librarian: async (query) =>
    query.includes("bread")
      ? {
          answer: "# Bread\\n\\nThere are **" + stock + "** loaves.",
          confidence: 0.9,
          sources: [{ name: "shelf.md#Bread", relevance: 0.8 }],
        }
      : { error: { code: "NOT_FOUND", message: "Only bread is sold here." } },
});
`,
};
