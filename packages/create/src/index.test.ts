import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it, onTestFinished } from "vitest";
import { create } from "./index.js";

/** Runs the command in an empty folder. */
async function run(argv: readonly string[], typed?: string, files: readonly string[] = []) {
  const cwd = mkdtempSync(join(tmpdir(), "create-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  for (const file of files) writeFileSync(join(cwd, file), "mine");
  const printed: string[] = [];
  const isTTY = typed !== undefined;
  const output = { write: (text: string) => printed.push(text), isTTY };
  const { signal } = new AbortController();
  const stdin = Object.assign(Readable.from(typed === undefined ? [] : [typed]), { isTTY });
  const io = { stdin, stdout: output, stderr: output, env: {}, cwd, signal };
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

  it.each([
    ["", "help-desk/mesh.test.ts"],
    ["\nsupport\njs\n", "support/mesh.test.js"],
    ["librarian\n\n\n", "my-librarian/src/index.ts"],
  ])("asks on a terminal when nothing is given: %j makes %s", async (typed, file) => {
    const { exitCode, cwd, printed } = await run([], typed);

    expect(exitCode).toBe(0);
    expect(printed).toContain("What to make: mesh or librarian? (mesh)");
    expect(existsSync(join(cwd, file))).toBe(true);
  });

  it.each([
    ["no\n", 2],
    ["", 2],
    ["yes\n", 0],
  ])("asks on a terminal before it adds to a folder that is not empty: %j", async (typed, code) => {
    const { exitCode, cwd, printed } = await run(["mesh"], typed, ["notes.txt"]);

    expect(exitCode).toBe(code);
    expect(printed).toContain(". is not empty. Add the files to it: yes or no? (no)");
    expect(readdirSync(cwd).length > 1).toBe(code === 0);
  });

  it("does not ask where a folder holds the files of Git alone", async () => {
    const { exitCode, printed } = await run(["mesh"], "", [".gitignore"]);

    expect(printed).not.toContain("not empty");
    expect(exitCode).toBe(2); // it has a .gitignore of its own
  });

  it("refuses a kind that it does not know, as typed", async () => {
    const { exitCode, printed } = await run([], "libarian\n\n\n");

    expect(exitCode).toBe(2);
    expect(printed).toContain('Did you mean "librarian"?');
  });

  it("refuses a librarian without a folder", async () => {
    const { exitCode, printed } = await run(["librarian"]);

    expect(exitCode).toBe(2);
    expect(printed).toContain("Name the folder of the librarian");
  });
});
