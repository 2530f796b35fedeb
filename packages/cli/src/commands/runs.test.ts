import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSqliteStore } from "@constellation/journal";
import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

interface Stored {
  readonly id: string;
  readonly query: string;
  readonly answer?: string;
  readonly code?: string;
  /** Its hop is a retry, whose model was asked again. */
  readonly again?: boolean;
  /** No model was called. */
  readonly isFree?: boolean;
}

/** A folder with a journal that has these runs, oldest first. */
async function folderOfRuns(runs: readonly Stored[]): Promise<string> {
  const cwd = folderWith({});
  const store = createSqliteStore({ file: join(cwd, ".constellation/journal.db") });
  await store.open();
  for (const [index, { id, query, answer, code, again, isFree }] of runs.entries()) {
    const startedAt = 1_790_000_000_000 + index * 1_000;
    const error = code === undefined ? undefined : { code, message: "nothing is known" };
    const used = { inputTokens: 1_000, outputTokens: 200, costUsd: 0.5, modelCalls: 1 };
    const usage = isFree ? undefined : used;
    const call = { id: 1, method: "complete", model: "model-1", startMs: 1, durationMs: 9 };
    const hop = {
      id: 1,
      to: "desk",
      depth: 0,
      via: "entry",
      query,
      startMs: 0,
      durationMs: 20,
      attempt: 1,
      outcome: error === undefined ? "answer" : "error",
      error,
      usage,
      modelCalls: [
        {
          ...call,
          usage: { inputTokens: 1_000, outputTokens: 200, retries: 2 },
          ...(again && { attempt: 2 }),
          content: {
            prompt: "the prompt",
            reply: "the\u001b[2J reply",
            ...(again && { again: "It cites no source." }),
          },
        },
      ],
      remote: { mesh: "cluster", host: "node-7\u001b[2J", runId: "r7", durationMs: 9, hops: [] },
      content: {
        answer,
        progress: [{ atMs: 3, message: "reading" }],
        ...(again && { errorDetails: '{"status": 503}' }),
      },
      ...(again && { again: { kind: "retry", hopId: 1 } }),
    };
    const record = {
      runId: id,
      query,
      to: "desk",
      startedAt,
      durationMs: 20,
      stopReason: error === undefined ? "answered" : "not-found",
      error,
      unsettled: 0,
      usage,
      hops: [hop],
    };
    const stored = { run: record, response: answer === undefined ? { error } : { answer } };
    const line = { runId: id, query, to: "desk", startedAt, durationMs: 20, hops: 1, usage };
    const outcome = { stopReason: record.stopReason, code };
    const document = { type: "put-document", id, user: undefined, at: startedAt } as const;
    await store.write([
      { ...document, collection: "runs", body: JSON.stringify(stored) },
      {
        ...document,
        collection: "run-lines",
        body: JSON.stringify({ line: { ...line, ...outcome }, bytes: 1 }),
      },
    ]);
  }
  await store.close();
  return cwd;
}

const three = [
  { id: "aa11", query: "Why is checkout down?", answer: "The pod\nhas no memory." },
  { id: "bb22", query: "Who is on call?", code: "NOT_FOUND" },
  { id: "bb33", query: "Why is checkout down?", answer: "The pod\nhas no disk." },
];

describe("constellation runs", () => {
  it("lists them, newest first, searched and filtered", async () => {
    const cwd = await folderOfRuns(three);

    const all = await run(["runs"], { cwd });
    const failed = await run(["runs", "list", "--failed"], { cwd });
    const found = await run(["runs", "list", "--search", "CHECKOUT", "--limit", "1", "--json"], {
      cwd,
    });

    expect(all.stdout.match(/aa11|bb22|bb33/g)).toEqual(["bb33", "bb22", "aa11"]);
    expect(all.stdout).toContain("1,200 tokens, $0.5000");
    expect(failed.stdout).toContain("NOT_FOUND");
    expect(failed.stdout).not.toContain("checkout");
    expect(JSON.parse(found.stdout)).toMatchObject({ runs: [{ runId: "bb33" }] });
  });

  it("says that none is stored yet, or that none matches", async () => {
    const none = await folderOfRuns([]);

    const empty = await run(["runs"], { cwd: none });
    const unmatched = await run(["runs", "--failed"], { cwd: none });

    expect(empty.stderr).toBe("No run is stored yet.\n");
    expect(unmatched.stderr).toBe("No run matches.\n");
  });

  it("shows one: question, answer, tree, and with --hops what was said in each", async () => {
    const cwd = await folderOfRuns(three);

    const { stdout } = await run(["runs", "show", "last", "--hops"], { cwd });

    expect(stdout).toMatch(/^Why is checkout down\?\n\nThe pod\nhas no disk\./);
    expect(stdout).toMatch(/1\. desk, answer, 20 ms, 1,200 tokens/);
    expect(stdout).toContain("ran in cluster on node-7");
    expect(stdout).toContain("model-1, 9 ms, 1000 tokens in, 200 out, sent again 2 times");
    expect(stdout).toContain("prompt the prompt");
    expect(stdout).toContain("reply the reply");
    expect(stdout).toContain("3 ms reading");
  });

  it("shows why a librarian and a model were asked again", async () => {
    const again = [{ id: "cc44", query: "Why?", answer: "Because.", again: true }];
    const cwd = await folderOfRuns(again);

    const { stdout } = await run(["runs", "show", "last", "--hops"], { cwd });

    expect(stdout).toContain("again hop 1 failed in a way that may pass");
    expect(stdout).toContain("model-1, attempt 2, 9 ms");
    expect(stdout).toContain("again It cites no source.");
    expect(stdout).toContain('details {"status": 503}');
  });

  it("compares two: outcome, hops, and the lines of the answer that differ", async () => {
    const cwd = await folderOfRuns(three);

    const { stdout } = await run(["runs", "diff", "aa11", "last"], { cwd });
    const failed = await run(["runs", "diff", "bb22", "bb22"], { cwd });

    expect(stdout).toContain("  The pod\n- has no memory.\n+ has no disk.\n");
    expect(stdout).toMatch(/desk\s+answer, 20 ms/);
    expect(failed.stdout).toBe("Both are run bb22: nothing differs.\n");
  });

  it("compares without a line for what neither run has", async () => {
    const cwd = await folderOfRuns([
      { id: "aa11", query: "Why?", answer: "Because.", isFree: true },
      { id: "bb22", query: "Why?", answer: "Because.", isFree: true },
    ]);

    const { stdout } = await run(["runs", "diff", "aa11", "bb22"], { cwd });

    expect(stdout).toMatch(/^Time +20 ms +20 ms$/m);
    expect(stdout).not.toContain("Used");
    expect(stdout).toContain("Answer: the same");
  });

  it("exports one as what replay reads, and as Mermaid", async () => {
    const cwd = await folderOfRuns(three);

    const exported = await run(["runs", "export", "bb33"], { cwd });
    writeFileSync(join(cwd, "run.json"), exported.stdout);
    const replayed = await run(["replay", "run.json"], { cwd });
    const chart = await run(["runs", "export", "bb33", "--mermaid"], { cwd });

    expect(replayed.stdout).toContain("has no disk.");
    expect(chart.stdout).toMatch(/^flowchart TD/);
  });

  it.each([
    { argv: ["runs", "show", "zz"], says: 'Run "zz" not found' },
    { argv: ["runs", "show", "bb"], says: 'Several runs begin with "bb": bb33, bb22' },
    { argv: ["runs", "diff", "aa11"], says: "runs diff: expected two ids, got 1." },
    { argv: ["runs", "--journal", "nowhere"], says: "nowhere: file not found." },
    { argv: ["runs", "--runs", "old"], says: "--runs was replaced: write --journal FILE." },
    {
      argv: ["runs", "lst"],
      says: 'Unknown action "lst". Did you mean "list"? Valid: list, show,',
    },
    { argv: ["runs", "--nope"], says: "(see constellation runs --help)" },
  ])("$argv is refused with what to do", async ({ argv, says }) => {
    const { exitCode, stderr } = await run(argv, { cwd: await folderOfRuns(three) });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
  });
});
