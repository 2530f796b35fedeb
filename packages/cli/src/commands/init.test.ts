import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { projectOf } from "../../test/project.js";
import { run } from "../../test/run.js";

describe("constellation init", () => {
  it("takes a word that names no kind of project as the folder of a mesh", async () => {
    const cwd = folderWith({});

    const { exitCode, stdout } = await run(["init", "help-desk"], { cwd });
    const typo = await run(["init", "libarian"], { cwd });

    expect(exitCode).toBe(0);
    expect(stdout).toContain("cd help-desk");
    expect(readdirSync(cwd)).toEqual(["help-desk"]);
    expect(typo).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        'Unknown kind of project "libarian". Did you mean "librarian"?',
      ),
    });
  });

  it("makes a mesh that can be checked and asked", async () => {
    const cwd = await projectOf("mesh", "help-desk");

    const checked = await run(["check"], { cwd });
    const asked = await run(["ask", "-q", "How do I roll back checkout?"], { cwd });
    const held = await run(["eval", "-q", "cases.jsonl"], { cwd });

    expect([checked.exitCode, asked.exitCode, held.exitCode]).toEqual([0, 0, 0]);
    expect(asked.stdout).toContain("checkout.md#Roll back a release");
  });

  it("makes a mesh whose chat answers its own first questions, and a follow-up", async () => {
    const cwd = await projectOf("mesh", "help-desk");
    const stdin = [
      "Who is on call for payments?",
      "rollback checkout",
      "Who is on call for checkout?",
      "and for payments?",
    ].join("\n");

    const { exitCode, stdout } = await run(["chat", "-q"], { cwd, stdin });

    const said = [...stdout.matchAll(/(?:Ann|Bo) is on call for \w+\.|rollout undo/g)];
    expect(exitCode).toBe(0);
    expect(said.map(([text]) => text)).toEqual([
      "Ann is on call for payments.",
      "rollout undo",
      "Bo is on call for checkout.",
      "Ann is on call for payments.",
    ]);
  });

  it.each([
    ["mesh", "ts"],
    ["mesh", "js"],
    ["librarian", "ts"],
    ["librarian", "js"],
  ])(
    "names in the manifest each package that the files of a %s in %s import",
    async (what, language) => {
      const folder = await projectOf(what, "made", "--language", language);
      const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((file) => file.endsWith(`.${language}`))
        .map((file) => readFileSync(join(folder, file), "utf8"));
      const imported = sources.flatMap((text) =>
        [...text.matchAll(/ from "((?:@[\w-]+\/)?[\w-]+)[^":]*"/g)].map(([, name]) => name),
      );

      const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));

      const { dependencies, devDependencies, peerDependencies } = manifest;
      const named = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
      expect(imported).toContain("@constellation/testing");
      expect(named).toEqual(expect.arrayContaining(imported));
    },
  );

  it("makes a librarian package that a mesh file can use", async () => {
    const folder = await projectOf("librarian", "contacts");
    writeFileSync(join(folder, "contacts.json"), '{ "payments": "#team-payments" }');
    writeFileSync(
      join(folder, "mesh.yaml"),
      "librarians: [{ use: ./src/index.js, options: { file: contacts.json } }]",
    );

    const { stdout } = await run(["ask", "-q", "Whom do I ask about payments?"], { cwd: folder });

    expect(stdout).toContain("Ask #team-payments about payments.");
  });

  it("creates a mesh in TypeScript in this folder by default, and prints the next steps", async () => {
    const cwd = folderWith({});

    const { stdout } = await run(["init"], { cwd });

    expect(existsSync(join(cwd, "constellation.yaml"))).toBe(true);
    expect(existsSync(join(cwd, "mesh.test.ts"))).toBe(true);
    expect(stdout).toMatch(/Next:\n {2}npm install\n/);
  });

  it("writes over no file, and then makes none", async () => {
    const cwd = folderWith({ "README.md": "mine" });

    const { exitCode, stderr } = await run(["init"], { cwd });

    expect(exitCode).toBe(2);
    expect(stderr).toContain("README.md already");
    expect(readdirSync(cwd)).toEqual(["README.md"]);
    expect(readFileSync(join(cwd, "README.md"), "utf8")).toBe("mine");
  });

  it("refuses what it cannot make, and a librarian without a folder", async () => {
    const cwd = folderWith({});

    const unknown = await run(["init", "mash"], { cwd });
    const nameless = await run(["init", "librarian"], { cwd });

    expect([unknown.exitCode, nameless.exitCode]).toEqual([2, 2]);
    expect(nameless.stderr).toContain("constellation init librarian my-librarian");
  });
});
