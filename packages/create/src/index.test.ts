import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { create } from "./index.js";

/** Runs the command in an empty folder. */
async function run(argv: readonly string[]) {
  const cwd = mkdtempSync(join(tmpdir(), "create-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const printed: string[] = [];
  const output = { write: (text: string) => printed.push(text), isTTY: false };
  const { signal } = new AbortController();
  const io = { stdin: Readable.from([]), stdout: output, stderr: output, env: {}, cwd, signal };
  return { exitCode: await create(argv, io), cwd, printed: printed.join("") };
}

describe("npm create @constellation", () => {
  it.each([
    [[], "constellation.yaml"],
    [["help-desk"], "help-desk/constellation.yaml"],
    [["mesh", "help-desk", "--language", "js"], "help-desk/mesh.test.js"],
    [["librarian", "contacts"], "contacts/src/index.ts"],
  ])("with %j makes %s", async (argv, file) => {
    const { exitCode, cwd } = await run(argv);

    expect(exitCode).toBe(0);
    expect(existsSync(join(cwd, file))).toBe(true);
  });

  it("refuses a librarian without a folder", async () => {
    const { exitCode, printed } = await run(["librarian"]);

    expect(exitCode).toBe(2);
    expect(printed).toContain("Name the folder of the librarian");
  });
});
