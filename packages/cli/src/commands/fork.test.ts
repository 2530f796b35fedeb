import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

const librarian = (id: string, answer: string) => `import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
const log = join(dirname(fileURLToPath(import.meta.url)), "calls.log");
export const createLibrarian = () => ({
  id: "${id}",
  description: "Answers.",
  librarian: async (query, context) => {
    appendFileSync(log, "${id} ");
    return ${answer};
  },
});`;

const mesh = {
  "mesh.yaml":
    "journal: runs.db\nentry: desk\nlibrarians: [{ use: ./desk.js }, { use: ./shop.js }, { use: ./stock.js }]",
  "calls.log": "",
  "desk.js": librarian(
    "desk",
    '{ answer: (await context.ask(query, { to: "stock" })).answer + ", " + (await context.ask(query, { to: "shop" })).answer }',
  ),
  "stock.js": librarian("stock", '{ answer: "12 loaves" }'),
  "shop.js": librarian("shop", '{ answer: "2 euros" }'),
  "cheaper.js": librarian("shop", '{ answer: "1 euro" }'),
};
const callsIn = (cwd: string) => readFileSync(join(cwd, "calls.log"), "utf8").trim();

describe("a journaled run", () => {
  it("is replayed without a call, forked at a librarian with another one, and compared", async () => {
    const cwd = folderWith(mesh);
    await run(["ask", "bread?", "-q"], { cwd });
    expect(callsIn(cwd)).toBe("desk stock shop");

    const replayed = await run(["replay", "last", "--offline"], { cwd });
    expect(replayed).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("12 loaves, 2 euros"),
    });
    expect(callsIn(cwd)).toBe("desk stock shop");

    const argv = ["fork", "last", "--at", "shop", "--with", "shop=./cheaper.js"];
    const forked = await run(argv, { cwd });
    expect(forked).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("12 loaves, 1 euro"),
    });
    expect(callsIn(cwd)).toBe("desk stock shop desk shop");

    const other = await run(["fork", "last~1", "--at", "shop", "--query", "rolls?"], { cwd });
    expect(other).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("2 euros") });

    const exported = await run(
      ["runs", "export", "last~1", "--replayable", "--journal", "runs.db"],
      { cwd },
    );
    writeFileSync(join(cwd, "saved.json"), exported.stdout);
    const offline = await run(["replay", "saved.json", "--offline"], { cwd });
    expect(offline.stdout).toContain("12 loaves, 1 euro");
    expect(callsIn(cwd)).toBe("desk stock shop desk shop desk shop");

    const compared = await run(["runs", "diff", "last~2", "last~1", "--journal", "runs.db"], {
      cwd,
    });
    expect(compared.stdout).toContain("1 euro");
    expect(compared.stdout).toContain("2 euros");
  });

  it.each([
    { argv: ["fork", "none", "--at", "shop"], problem: 'Run "none" is not in the journal.' },
    { argv: ["fork", "last", "--at", "absent"], problem: "hop absent" },
    {
      argv: ["fork", "last", "--at", "shop", "--with", "shop"],
      problem: "expected librarian=module",
    },
    {
      argv: ["fork", "last", "--at", "shop", "--with", "x=./cheaper.js"],
      problem: '--with: the librarian "x"',
    },
    { argv: ["replay", "none", "--offline"], problem: 'Run "none" is not in the journal.' },
  ])("says what is wrong with $argv", async ({ argv, problem }) => {
    const cwd = folderWith(mesh);
    await run(["ask", "bread?", "-q"], { cwd });

    const { exitCode, stderr } = await run(argv, { cwd });

    expect(stderr).toContain(problem);
    expect(exitCode).toBe(2);
  });
});
