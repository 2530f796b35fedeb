import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { readManifest, workspaces } from "../../scripts/workspaces.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const repositoryUrl = "git+https://github.com/constellation-mesh/constellation.git";
const all = workspaces();
const published = all.filter(({ manifest }) => manifest.private !== true);
const librarians = all.filter(({ folder }) => folder.startsWith("librarians/"));

for (const { folder, manifest } of all) {
  describe(`${folder}/package.json`, () => {
    it("has a version, so that all workspaces can be packed at once", () => {
      expect(manifest).toHaveProperty("version");
    });

    it("says which Node.js versions it needs, and has the licence of the repository", () => {
      const { license, type } = readManifest(".");

      expect(manifest).toMatchObject({ license, type });
      expect(manifest.engines?.node).toMatch(/^>=/);
    });
  });
}

for (const { folder, manifest } of published) {
  describe(`${folder}/package.json`, () => {
    it("publishes its build, without the compiler's notes", () => {
      expect(manifest.files).toEqual(expect.arrayContaining(["dist", "!dist/.tsbuildinfo"]));
    });

    it("says on the registry what it is, where it comes from and what changed", () => {
      expect(manifest).toMatchObject({
        description: expect.stringMatching(/\S/),
        keywords: expect.arrayContaining(["multi-agent", "delegation", "handoff", "llm"]),
        repository: { type: "git", url: repositoryUrl, directory: folder },
        homepage: expect.stringContaining(`/${folder}#readme`),
        files: expect.arrayContaining(["CHANGELOG.md"]),
        scripts: { prepack: expect.stringContaining("copy-license") },
      });
      expect(existsSync(join(root, folder, "CHANGELOG.md"))).toBe(true);
    });

    it("takes the other packages at one minor version, which `npm run version-packages` sets", () => {
      const own = readManifest("packages/core").version.replace(/\.\d+$/, ".0");
      const ranges = Object.entries({ ...manifest.dependencies, ...manifest.peerDependencies })
        .filter(([name]) => name.startsWith("@constellation/"))
        .map(([name, range]) => `${name} ${range}`);

      expect(ranges.filter((each) => !each.endsWith(` ~${own}`))).toEqual([]);
      expect(manifest.version).toBe(readManifest("packages/core").version);
    });

    it("exports each entry as source, types and code, in that order", () => {
      const { "./package.json": own, ...entries } = manifest.exports ?? {};

      expect(own).toBe("./package.json");
      expect(Object.keys(entries)).toContain(".");
      for (const entry of Object.values(entries)) {
        if (typeof entry === "string") continue; // a file as it is, such as a schema
        expect(Object.keys(entry ?? {})).toEqual(["@constellation/source", "types", "default"]);
      }
    });

    it.skipIf(folder === "packages/telemetry")("depends on no tracing SDK", () => {
      const tracing = Object.keys({
        ...manifest.dependencies,
        ...manifest.peerDependencies,
      }).filter((name) => name.startsWith("@opentelemetry/"));

      expect(tracing.filter((name) => name !== "@opentelemetry/api")).toEqual([]);
    });

    it("takes the tracing API from the application, so that there is one copy", () => {
      expect(manifest.dependencies ?? {}).not.toHaveProperty(["@opentelemetry/api"]);
    });
  });
}

for (const { folder, manifest } of librarians) {
  describe(`${folder}/package.json`, () => {
    it("takes core from the application", () => {
      expect(manifest.peerDependencies ?? {}).toHaveProperty(["@constellation/core"]);
      expect(manifest.dependencies ?? {}).not.toHaveProperty(["@constellation/core"]);
    });

    it("depends on no other librarian", () => {
      const others = librarians.map((other) => other.manifest.name);

      const used = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });

      expect(used.filter((name) => others.includes(name))).toEqual([]);
    });
  });
}
