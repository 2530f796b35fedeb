import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { collectingIO, run } from "../../test/run.js";
import { ask } from "./ask.js";

const require = createRequire(import.meta.url);

const operatorMesh = {
  "mesh.yaml": "journal: .constellation/journal.db\nlibrarians: [{ use: ./operator.js }]",
  "operator.js": `import { appendFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "${pathToFileURL(require.resolve("zod"))}";
const log = join(dirname(fileURLToPath(import.meta.url)), "restarts.log");
export const createLibrarian = () => ({
  id: "operator",
  description: "Restarts what people allow.",
  librarian: async (query, context) => {
    if (query.startsWith("which")) {
      const { outcome, value } = await context.askUser("Which one?", z.string());
      return { answer: outcome + ": " + value };
    }
    const { approved, outcome, by } = await context.approve({
      what: "Restart " + query + "\\u001b[2J",
      by: { users: ["ann"] },
    });
    if (approved) await context.step("restart", () => appendFileSync(log, query + "\\n"));
    return { answer: outcome + " by " + by };
  },
});`,
};
const restartsIn = (cwd: string) => {
  const log = join(cwd, "restarts.log");
  return existsSync(log) ? readFileSync(log, "utf8") : "";
};

describe("constellation approvals", () => {
  it("lists what earlier commands left waiting, approves it for whom it names, and does it once", async () => {
    const cwd = folderWith(operatorMesh);
    const asked = await run(["ask", "checkout", "--json", "-q"], { cwd });
    const { response } = JSON.parse(asked.stdout);
    const [{ runId }] = response.metadata.waiting;
    const short = runId.slice(0, 8);

    const listed = await run(["approvals"], { cwd });
    const other = await run(["approvals", "approve", short, "--as", "bob"], { cwd });
    const before = restartsIn(cwd);
    const approved = await run(["approvals", "approve", short, "--as", "ann"], { cwd });
    const again = await run(["approvals", "approve", short, "--as", "ann"], { cwd });
    const empty = await run(["approvals"], { cwd });

    expect(listed.stdout).toBe(`${short}  approval (operator): Restart checkout, from ann\n`);
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toMatch(/may not answer .*\. It needs an answer from ann: --as NAME, /);
    expect(before).toBe("");
    expect(approved).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("approved by ann"),
    });
    expect(again).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("No wait has the id"),
    });
    expect(empty.stderr).toContain("Nothing waits.");
    expect(restartsIn(cwd)).toBe("checkout\n");
    const { runs } = JSON.parse(
      (await run(["runs", "--json", "--journal", ".constellation/journal.db"], { cwd })).stdout,
    );
    expect(runs).toMatchObject([{ runId, stopReason: "answered" }]);
  });

  it("finds with every command the journal that the mesh file names", async () => {
    const mesh = operatorMesh["mesh.yaml"].replace(
      ".constellation/journal.db",
      `\${PLACE:-runs.db}`,
    );
    const cwd = folderWith({
      ...operatorMesh,
      "mesh.yaml": `${mesh}\nentry: \${NOT_SET_HERE:-operator}`,
    });
    await run(["ask", "checkout", "-q", "--thread", "outage"], { cwd });

    const [waits, kept, threads] = await Promise.all(
      ["approvals", "runs", "threads"].map((command) => run([command, "--json"], { cwd })),
    );

    expect(JSON.parse(waits?.stdout ?? "").waiting).toHaveLength(1);
    expect(JSON.parse(kept?.stdout ?? "").runs).toHaveLength(1);
    expect(JSON.parse(threads?.stdout ?? "").threads).toHaveLength(1);
    expect(existsSync(join(cwd, ".constellation"))).toBe(false);
  });

  it.each(["approvals", "runs", "threads"])(
    "makes no journal where %s only reads",
    async (command) => {
      const cwd = folderWith({ "mesh.yaml": `journal: \${PLACE}\nlibrarians: []` });

      const unset = await run([command], { cwd, env: {} });
      const missing = await run([command], { cwd, env: { PLACE: "none.db" } });

      expect([unset.exitCode, missing.exitCode]).toEqual([2, 2]);
      expect(unset.stderr).toContain(
        "mesh.yaml: journal: the environment variable PLACE is not set.",
      );
      expect(missing.stderr).toContain("No journal here (none.db): `constellation ask`, ");
      expect(existsSync(join(cwd, "none.db"))).toBe(false);
    },
  );

  it("refuses, and answers questions, of several runs", async () => {
    const cwd = folderWith(operatorMesh);
    await run(["ask", "checkout", "-q"], { cwd });
    await run(["ask", "which", "-q"], { cwd });
    const { waiting } = JSON.parse((await run(["approvals", "--json"], { cwd })).stdout);
    const idOf = (kind: string): string =>
      waiting.find((wait: { readonly kind: string }) => wait.kind === kind).runId;

    const all = await run(["approvals", "refuse", ""], { cwd });
    const answered = await run(["approvals", "answer", idOf("question"), "the", "first"], { cwd });
    const refused = await run(
      ["approvals", "refuse", idOf("approval"), "--as", "ann", "--comment", "no"],
      { cwd },
    );

    expect(all.stderr).toContain("Several waits have the id");
    expect(answered.stdout).toContain("answered: the first");
    expect(refused.stdout).toContain("refused by ann");
    expect(restartsIn(cwd)).toBe("");
  });

  it.each([
    { argv: ["approve"], problem: "expected the id of a run" },
    { argv: ["answer", "5f0c"], problem: "expected the answer after the id" },
    { argv: ["approve", "5f0c", "now"], problem: "expected one id, got 2" },
    { argv: ["approve", "5f0c"], problem: 'No wait has the id "5f0c"' },
  ])("says what is missing in $argv", async ({ argv, problem }) => {
    const { exitCode, stderr } = await run(["approvals", ...argv], {
      cwd: folderWith(operatorMesh),
    });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(problem);
  });
});

describe("a question on a terminal", () => {
  it("asks for what the run waits for, and continues it, without a journal too", async () => {
    const { "mesh.yaml": _, ...files } = operatorMesh;
    const cwd = folderWith({ ...files, "mesh.yaml": "librarians: [{ use: ./operator.js }]" });
    const answer = async (stdin: string) => {
      const { io, stdout } = collectingIO({ cwd, stdin, isTTY: true });
      const terminal = { ...io, stdin: Object.assign(io.stdin, { isTTY: true }) };
      await ask(["checkout"], { as: { id: "ann" }, output: "table", quiet: true }, terminal);
      return stdout.join("");
    };

    expect(await answer("n\n")).toContain("refused by ann");
    expect(restartsIn(cwd)).toBe("");
    expect(await answer("\n")).not.toContain(" by ann");
    expect(await answer("y\n")).toContain("approved by ann");
    expect(restartsIn(cwd)).toBe("checkout\n");
  });
});
