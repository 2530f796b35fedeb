import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { publishableWorkspaces } from "../../scripts/workspaces.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const published = publishableWorkspaces();

for (const { folder, manifest } of published) {
  describe(`${folder}/tsconfig.json`, () => {
    it("refers to each workspace the package depends on, so that they build in order", () => {
      const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
      const needed = published.filter((other) => names.includes(other.manifest.name));

      const references: readonly { readonly path: string }[] =
        JSON.parse(readFileSync(join(root, folder, "tsconfig.json"), "utf8")).references ?? [];

      expect(references.map(({ path }) => join(folder, path)).sort()).toEqual(
        needed.map((other) => other.folder).sort(),
      );
    });
  });
}
