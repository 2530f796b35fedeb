import type { Context, Response } from "@constellation/core";
import { itBehavesLikeALibrarian, testContext } from "@constellation/core/testing";
import { describe, expect, it, vi } from "vitest";
import { createDocsLibrarian } from "./docs-librarian.js";
import type { DocsLibrarianOptions } from "./options.js";
import type { PageReader } from "./page-reader.js";

const runbooks = {
  "roll-back.md": `# Roll back a release

Roll back first, find the cause later.

## Roll back to the previous revision

Undo the last revision and wait for it:

\`\`\`sh
kubectl rollout undo deployment/checkout
\`\`\`
`,
  "memory.md": `# Out of memory

## OOMKilled

Exit code 137 means that the kernel killed the container. It used more than its limit. Look at the
metrics of the node.

## Heap

The heap gets three quarters of the limit.
`,
  "dns.md": "# DNS\n\nA name that does not exist gives NXDOMAIN.\n",
};

/** Pages in memory; a page's version is its text. */
function pagesOf(texts: Readonly<Record<string, string>>): PageReader {
  return {
    async *list() {
      for (const [path, text] of Object.entries(texts)) {
        yield { path, bytes: text.length, version: text };
      }
    },
    read: async (path) => texts[path],
  };
}

function docs(options: Partial<DocsLibrarianOptions> = {}) {
  return createDocsLibrarian({
    pages: pagesOf(runbooks),
    description: "Runbooks of checkout: releases, memory and DNS.",
    ...options,
  });
}

function ask(query: string, context?: Context, options?: Partial<DocsLibrarianOptions>) {
  return docs(options).librarian(query, context);
}

describe("createDocsLibrarian", () => {
  itBehavesLikeALibrarian({
    create: docs,
    query: "how do I roll back a release?",
    unanswerable: "how do I renew a passport?",
    foreign: {
      query: "which pods are pending in the cluster?",
      delegate: { id: "k8s", description: "Reads the cluster: pods that are pending or crash." },
    },
    failing: (thrown) =>
      docs({
        pages: {
          list: async function* () {
            yield { path: "a.md", bytes: 1, version: "1" };
            throw thrown;
          },
          read: () => Promise.reject(thrown),
        },
      }),
    hanging: () =>
      docs({ pages: { ...pagesOf(runbooks), read: () => new Promise<never>(() => {}) } }),
  });

  it("answers with the section's own words, under its page and heading", async () => {
    const { answer } = await ask("undo the previous revision");

    expect(answer).toBe(
      [
        "**Roll back a release › Roll back to the previous revision** (`roll-back.md`)",
        "Undo the last revision and wait for it:",
        "```sh\nkubectl rollout undo deployment/checkout\n```",
      ].join("\n\n"),
    );
  });

  it("cites page and heading, the most relevant first, and tells their lines", async () => {
    const { sources, metadata } = await ask("roll back a release");

    expect(sources?.map(({ name }) => name)).toEqual([
      "roll-back.md#Roll back a release",
      "roll-back.md#Roll back to the previous revision",
    ]);
    expect(sources?.[0]).toMatchObject({ type: "document", relevance: 0.95 });
    expect(metadata?.sections).toEqual([
      { file: "roll-back.md", heading: "Roll back a release", line: 1, endLine: 3 },
      { file: "roll-back.md", heading: "Roll back to the previous revision", line: 5, endLine: 11 },
    ]);
  });

  it("quotes only the sentences that bear on the query", async () => {
    const { answer } = await ask("exit code 137");

    expect(answer).toContain("Exit code 137 means that the kernel killed the container.");
    expect(answer).not.toContain("Look at the metrics");
  });

  it("is as confident as the query's words are covered", async () => {
    const all = await ask("NXDOMAIN");
    const half = await ask("NXDOMAIN giraffe", undefined, { minConfidence: 0 });

    expect(all.confidence).toBe(0.95);
    expect(half.confidence).toBeGreaterThan(0.2);
    expect(half).toMatchObject({ partial: true, confidence: expect.closeTo(0.4, 0) });
  });

  it("says NOT_FOUND below minConfidence, and what the pages are about", async () => {
    const { error, answer } = await ask("NXDOMAIN giraffe zebra lion");

    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "no-information" } });
    expect(error?.suggestion).toContain("Roll back a release; Out of memory; DNS");
  });

  it("says NOT_FOUND where there are no pages, and when a query has no word that says anything", async () => {
    const none = await ask("roll back", undefined, { pages: pagesOf({}) });
    const nothing = await ask("what about it?");

    expect([none.error?.code, nothing.error?.code]).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  });

  it.each(["", " \n", undefined, 42])("says INVALID_QUERY for the query %j", async (query) => {
    const { error } = await ask(query as string); // as from plain JavaScript

    expect(error?.code).toBe("INVALID_QUERY");
  });

  it("answers in at most 4,000 characters, however long the sections are", async () => {
    const long = (word: string) =>
      `# ${word} limits\n\n${`The limits of ${word} are strict. `.repeat(400)}`;
    const code = `# Limits as code\n\n\`\`\`yaml\n${"limits: strict\n".repeat(400)}\`\`\`\n`;

    const { answer = "" } = await ask("strict limits", undefined, {
      pages: pagesOf({ "a.md": long("Pods"), "b.md": code, "c.md": long("Nodes") }),
    });

    expect(answer.length).toBeLessThanOrEqual(4_000);
    expect(answer.split("```")).toHaveLength(3); // the code block it cut is closed
  });

  it("delegates what its pages do not know to whose description fits, saying why", async () => {
    const k8s = { id: "k8s", description: "Reads the cluster: pods that are pending or crash." };

    const { delegate } = await ask("which pods are pending?", {
      availableDelegates: [{ id: "weather", description: "Forecasts rain." }, k8s],
    });

    expect(delegate).toEqual({ to: "k8s", context: { reason: expect.stringContaining("100 %") } });
  });

  it("keeps a query that is its own by its description, although the pages do not answer it", async () => {
    const { error } = await ask("releases of memory giraffes", {
      availableDelegates: [{ id: "zoo", description: "Knows memory and giraffes." }],
    });

    expect(error?.code).toBe("NOT_FOUND");
  });

  it("reads pages once, and again only those that changed", async () => {
    const texts: Record<string, string> = { ...runbooks };
    const read = vi.fn(pagesOf(texts).read);
    const { librarian } = docs({ pages: { ...pagesOf(texts), read }, refreshMs: 0 });
    await librarian("roll back");
    await librarian("roll back");
    expect(read).toHaveBeenCalledTimes(3);

    texts["dns.md"] = "# DNS\n\nSERVFAIL means that the upstream failed.\n";
    const { answer } = await librarian("servfail");

    expect(answer).toContain("SERVFAIL means that the upstream failed.");
    expect(read).toHaveBeenCalledTimes(4);
  });

  it("forgets a page that is gone", async () => {
    const texts: Record<string, string> = { ...runbooks };
    const { librarian } = docs({ pages: pagesOf(texts), refreshMs: 0 });
    await librarian("NXDOMAIN");

    delete texts["dns.md"];

    expect((await librarian("NXDOMAIN")).error?.code).toBe("NOT_FOUND");
  });

  it("does not look at the pages again within refreshMs", async () => {
    const list = vi.fn(pagesOf(runbooks).list);
    const { librarian } = docs({ pages: { ...pagesOf(runbooks), list }, refreshMs: 60_000 });

    await librarian("roll back");
    await librarian("NXDOMAIN");

    expect(list).toHaveBeenCalledTimes(1);
  });

  it("reads pages once for queries that come at the same time", async () => {
    const read = vi.fn(pagesOf(runbooks).read);
    const { librarian } = docs({ pages: { ...pagesOf(runbooks), read } });

    const responses = await Promise.all([librarian("roll back"), librarian("NXDOMAIN")]);

    expect(responses.every(({ answer }) => answer !== undefined)).toBe(true);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it("goes on reading for others when one caller leaves, and stops when the last one does", async () => {
    const signals: AbortSignal[] = [];
    const { librarian } = docs({
      pages: {
        ...pagesOf(runbooks),
        read: (_path, signal) => {
          signals.push(signal);
          return new Promise<never>(() => {});
        },
      },
    });
    const [first, second] = [testContext(), testContext()];
    const responses = [librarian("roll back", first), librarian("roll back", second)];
    await vi.waitFor(() => expect(signals).toHaveLength(1));

    first.cancel();
    const left: Response | undefined = await responses[0];
    expect(left?.error).toMatchObject({ code: "TIMEOUT", details: { reason: "cancelled" } });
    expect(signals[0]?.aborted).toBe(false);

    second.cancel();
    await responses[1];
    expect(signals[0]?.aborted).toBe(true);
  });

  it("ends at a deadline that comes without a signal", async () => {
    const { error } = await ask(
      "roll back",
      { deadline: Date.now() + 20 },
      {
        pages: { ...pagesOf(runbooks), read: () => new Promise<never>(() => {}) },
      },
    );

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
  });

  it("reports how far it is while it reads", async () => {
    const context = testContext();

    await ask("roll back", context);

    expect(context.reported).toEqual(["reading 3 pages", "indexed 3 pages"]);
  });

  it("says DATA_SOURCE_ERROR when the pages cannot be listed, without what the source said", async () => {
    const { error } = await ask("roll back", undefined, {
      root: "/does/not/exist",
      pages: undefined,
    });

    expect(error?.code).toBe("DATA_SOURCE_ERROR");
    expect(JSON.stringify(error)).not.toContain("/does/not");
  });

  it("leaves out a page that cannot be read, tells so, and tries it again", async () => {
    const read = vi.fn(pagesOf(runbooks).read);
    read.mockRejectedValueOnce(new Error("EIO"));
    const { librarian, health } = docs({ pages: { ...pagesOf(runbooks), read }, refreshMs: 0 });

    expect((await librarian("roll back")).error?.suggestion).toContain("roll-back.md");
    expect((await librarian("roll back")).answer).toBeDefined();
    expect(await health?.(new AbortController().signal)).toEqual({
      status: "up",
      message: "3 pages.",
    });
  });

  it.each([
    [{ maxFiles: 1 }, "memory.md (too-many-files)"],
    [{ maxFileBytes: 60 }, "roll-back.md (too-large) and 1 more"],
    [{ maxBytes: 200 }, "memory.md (too-many-bytes)"],
  ])("leaves out what goes beyond %j, and says so in its health", async (limits, message) => {
    const { health } = docs(limits);

    expect(await health?.(new AbortController().signal)).toMatchObject({
      status: "degraded",
      message: expect.stringContaining(message),
    });
  });

  it("gives a definition that a router can register as it is", () => {
    expect(docs({ id: "ops", capabilities: ["docs.ops"], delegatesTo: [] })).toMatchObject({
      id: "ops",
      description: "Runbooks of checkout: releases, memory and DNS.",
      capabilities: ["docs.ops"],
      delegatesTo: [],
      librarian: expect.any(Function),
    });
  });
});
