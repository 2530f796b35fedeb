import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunRecord } from "@constellation/core";
import { createSqliteStore } from "@constellation/journal";
import type { RunStats, StatsGroup } from "@constellation/server";
import { openStoredRuns } from "@constellation/server";
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
    {
      argv: ["runs", "lst"],
      says: 'Unknown action "lst". Did you mean "list"? Valid: list, stats, show,',
    },
    { argv: ["runs", "--nope"], says: "(see constellation runs --help)" },
  ])("$argv is refused with what to do", async ({ argv, says }) => {
    const { exitCode, stderr } = await run(argv, { cwd: await folderOfRuns(three) });

    expect(exitCode).toBe(2);
    expect(stderr).toContain(says);
  });
});

interface Counted {
  readonly hoursAgo: number;
  readonly user: string;
  readonly durationMs: number;
  readonly stopReason: string;
  readonly to?: string;
  readonly costUsd?: number;
}

/** A folder whose journal has runs that began some hours ago, each with one hop and one call of a model. */
async function folderOfCounted(runs: readonly Counted[]): Promise<string> {
  const cwd = folderWith({});
  const store = createSqliteStore({ file: join(cwd, ".constellation/journal.db") });
  await store.open();
  const stored = openStoredRuns(store, { maxBytes: 1e9, maxAgeMs: 1e12 });
  for (const [index, each] of runs.entries()) {
    const { hoursAgo, user, durationMs, stopReason, to = "docs", costUsd } = each;
    const isFailed = stopReason !== "answered";
    const used = { inputTokens: 90, outputTokens: 10, ...(costUsd !== undefined && { costUsd }) };
    const error = { code: "NOT_FOUND", message: "nothing" };
    const call = { id: 1, method: "complete", model: "m-1", startMs: 0, durationMs, usage: used };
    const record = {
      ...{ runId: `r${index}`, query: "q", to, startedAt: Date.now() - hoursAgo * 3_600_000 },
      ...{ durationMs, stopReason, unsettled: 0, usage: { ...used, modelCalls: 1 } },
      ...(isFailed && { error }),
      hops: [
        {
          ...{ id: 1, to, depth: 0, via: "entry", query: "q", startMs: 0, durationMs, attempt: 1 },
          outcome: isFailed ? "error" : "answer",
          ...{ usage: { ...used, modelCalls: 1 }, modelCalls: [call] },
        },
      ],
    };
    stored.save({ record: record as unknown as RunRecord, user: { id: user } });
  }
  await stored.close();
  await store.close();
  return cwd;
}

const answered = { user: "ann", durationMs: 100, stopReason: "answered", costUsd: 0.01 };

describe("constellation runs stats", () => {
  async function statsOf(runs: readonly Counted[], ...words: string[]) {
    const { stdout } = await run(["runs", "stats", "--json", ...words], {
      cwd: await folderOfCounted(runs),
    });
    return JSON.parse(stdout) as RunStats;
  }

  it("counts outcomes, times, tokens and cost, beside the time before", async () => {
    const { total } = await statsOf([
      { ...answered, hoursAgo: 1 },
      { ...answered, hoursAgo: 2, durationMs: 300 },
      { ...answered, hoursAgo: 3, durationMs: 200, stopReason: "not-found" },
      { ...answered, hoursAgo: 4, durationMs: 400, stopReason: "failed" },
      { ...answered, hoursAgo: 5, durationMs: 50, stopReason: "refused" },
      { ...answered, hoursAgo: 30 },
      { ...answered, hoursAgo: 60 },
    ]);

    expect(total).toMatchObject({
      ...{ count: 5, answered: 2, notFound: 1, refused: 1, errors: 1 },
      ...{ p50: 200, p95: 400, tokens: 500 },
      before: { count: 1, answered: 1, p95: 100, costUsd: 0.01 },
    });
    expect(total.costUsd).toBeCloseTo(0.05);
  });

  it("does not know the cost where the price of one call is not known", async () => {
    const { total } = await statsOf([
      { ...answered, hoursAgo: 1 },
      { user: "ann", durationMs: 1, stopReason: "answered", hoursAgo: 1 },
    ]);

    expect(total).not.toHaveProperty("costUsd");
  });

  it.each([
    ["user", ["ann", "bob"]],
    ["librarian", ["docs", "k8s"]],
    ["model", ["m-1"]],
  ])("groups by %s, the largest first", async (by, names) => {
    const runs = [
      { ...answered, hoursAgo: 1 },
      { ...answered, hoursAgo: 2 },
      { ...answered, hoursAgo: 3, user: "bob", to: "k8s" },
    ];

    const { groups } = await statsOf(runs, "--by", by);
    const found = groups[by as StatsGroup] ?? [];

    expect(found.map(({ name }) => name)).toEqual(names);
    expect(found.reduce((sum, { count }) => sum + count, 0)).toBe(3);
  });

  it("groups by day, in order, and looks back as far as it is asked to", async () => {
    const runs = [1, 25, 49, 500].map((hoursAgo) => ({ ...answered, hoursAgo }));

    const { groups } = await statsOf(runs, "--by", "day", "--since", "3d");
    const days = groups.day ?? [];

    expect(days.map(({ count }) => count)).toEqual([1, 1, 1]);
    expect(days.map(({ name }) => name)).toEqual(days.map(({ name }) => name).sort());
  });

  it("names what has changed", async () => {
    const runs = Array.from({ length: 10 }, (_, index) => ({
      ...{ ...answered, hoursAgo: index < 5 ? 1 : 30 },
      ...(index < 2 && { durationMs: 900, stopReason: "failed" }),
    }));
    const cwd = await folderOfCounted([...runs, { ...answered, hoursAgo: 1, to: "k8s" }]);

    const { stdout } = await run(["runs", "stats", "--by", "librarian"], { cwd });

    expect(stdout).toMatch(/docs .*errors 40 %, was 0 %, p95 900 ms, was 100 ms/);
    expect(stdout).toMatch(/k8s .*new/);
  });

  it("lists and counts those that meet every condition", async () => {
    const cwd = await folderOfCounted([
      { ...answered, hoursAgo: 1 },
      { ...answered, hoursAgo: 2, user: "bob", durationMs: 3_000, costUsd: 0.5 },
      { ...answered, hoursAgo: 3, to: "k8s", stopReason: "not-found" },
      { ...answered, hoursAgo: 40 },
    ]);
    const listed = async (...words: string[]) => {
      const { stdout } = await run(["runs", "--json", ...words], { cwd });
      return (JSON.parse(stdout) as { runs: { runId: string }[] }).runs.map(({ runId }) => runId);
    };

    expect(await listed("--since", "24h")).toEqual(["r0", "r1", "r2"]);
    expect(await listed("--user", "bob")).toEqual(["r1"]);
    expect(await listed("--librarian", "k8s")).toEqual(["r2"]);
    expect(await listed("--slower", "2s")).toEqual(["r1"]);
    expect(await listed("--cost", "0.1")).toEqual(["r1"]);
    expect(await listed("--error", "not_found")).toEqual(["r2"]);
    expect(await listed("--user", "ann", "--since", "24h", "--librarian", "docs")).toEqual(["r0"]);
    const refused = await run(["runs", "--since", "24"], { cwd });
    expect(refused).toMatchObject({ exitCode: 2 });
  });
});
