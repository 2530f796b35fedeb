import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

const mesh = {
  "mesh.yaml": "librarians: [{ use: ./desk.js }]",
  "desk.js": `export const createLibrarian = () => ({
    id: "desk",
    description: "Repeats the question.",
    librarian: async (query) => ({ answer: "Answer to " + query }),
  });`,
};

/** A folder whose journal has a thread of Ann and one of Bob. */
async function folderOfThreads() {
  const options = { cwd: folderWith(mesh), env: { CONSTELLATION_JOURNAL: "journal.db" } };
  const ask = (...words: string[]) => run(["ask", "-q", ...words], options);
  await ask("--thread", "outage", "--as", "ann", "Is checkout healthy?");
  await ask("--thread", "outage", "--as", "ann", "since when?");
  await ask("--thread", "other", "--as", "bob", "Hello");
  const threads = (...words: string[]) => run(["threads", ...words], options);
  return { ask, threads, runs: () => run(["runs", "--json"], options) };
}

describe("constellation threads", () => {
  it("lists those of a user, or of all, and shows what was asked and answered", async () => {
    const { threads, ask } = await folderOfThreads();

    expect((await threads()).stdout).toMatch(/other .*bob .*Hello\n.*outage .*ann .*Is checkout/);
    expect((await threads("--as", "bob")).stdout).not.toContain("outage");
    const shown = await threads("show", "out");
    expect(shown.stdout).toContain("Answer to Is checkout healthy?");
    expect(shown.stdout).toContain("since when?");
    expect(shown.stdout).toContain("(asked: Is checkout healthy: since when?)");
    expect(shown.stdout).toContain("Answer to Is checkout healthy: since when?");
    const refused = await ask("--thread", "outage", "--as", "bob", "Mine?");
    expect(refused.exitCode).toBe(1);
    const hidden = await threads("show", "outage", "--as", "bob");
    expect(hidden).toMatchObject({ exitCode: 2, stdout: "" });
    expect(hidden.stderr).toContain('Thread "outage" not found.');
  });

  it("renames, exports and deletes, with the runs", async () => {
    const { threads, runs } = await folderOfThreads();

    expect((await threads("rename", "outage", "Checkout", "in", "May")).stdout).toBe(
      "outage  Checkout in May\n",
    );
    expect(JSON.parse((await threads("export", "outage")).stdout)).toMatchObject({
      title: "Checkout in May",
      user: "ann",
      turns: [{ query: "Is checkout healthy?", librarians: ["desk"] }, { query: "since when?" }],
    });
    expect((await threads("delete", "outage")).stdout).toBe("Deleted outage and its runs.\n");
    expect(JSON.parse((await threads("--json")).stdout)).toMatchObject({
      threads: [{ id: "other" }],
    });
    expect(JSON.parse((await runs()).stdout)).toMatchObject({ runs: [{ query: "Hello" }] });
  });

  it.each([
    [["delete"], "threads delete: expected one id, got 0."],
    [["rename", "t"], "threads rename: expected an id and a title, got 1."],
    [["list", "t"], "threads list: expected no id, got 1."],
    [["show", "nope"], 'Thread "nope" not found.'],
  ])("refuses %j", async (words, problem) => {
    const { threads } = await folderOfThreads();

    expect((await threads(...words)).stderr).toContain(problem);
  });
});
