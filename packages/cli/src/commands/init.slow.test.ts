import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { nodeModules, projectOf } from "../../test/project.js";

/** Runs the tests of a project as its `npm test` does, on the source of the repository. */
function ownTests(folder: string, ...files: readonly string[]): Promise<string> {
  const { VITEST: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
  const loader = pathToFileURL(join(nodeModules, "tsx/dist/loader.mjs")).href;
  const options = {
    cwd: folder,
    env: { ...env, NODE_OPTIONS: `--conditions=@constellation/source --import ${loader}` },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--test", ...files], options, (_error, stdout) => resolve(stdout));
  });
}

describe("what constellation init makes", () => {
  it("makes a mesh that passes its own tests", async () => {
    const folder = await projectOf("mesh", "help-desk");

    const printed = await ownTests(folder);

    expect(printed).toMatch(/^# pass 7$/m);
    expect(printed).toMatch(/^# fail 0$/m);
  });

  it("makes a librarian package that passes its own tests, the suite of all among them", async () => {
    const folder = await projectOf("librarian", "contacts");

    const printed = await ownTests(folder);

    expect(printed).toContain("CORE-075");
    expect(printed).toMatch(/^# fail 0$/m);
    expect(printed).toMatch(/^# skipped 0$/m);
  });

  it("makes a mesh in TypeScript that passes its own tests", async () => {
    const folder = await projectOf("mesh", "help-desk", "--language", "ts");

    const printed = await ownTests(folder, "mesh.test.ts");

    expect(printed).toMatch(/^# pass 7$/m);
    expect(printed).toMatch(/^# fail 0$/m);
    expect(readdirSync(folder).filter((file) => file.endsWith(".js"))).toEqual([]);
  });

  it("makes a librarian package in TypeScript that passes the suite", async () => {
    const folder = await projectOf("librarian", "contacts", "--language", "ts");

    const printed = await ownTests(folder, "src/index.test.ts");

    expect(printed).toContain("CORE-075");
    expect(printed).toMatch(/^# fail 0$/m);
    expect(printed).toMatch(/^# skipped 0$/m);
  });
});
