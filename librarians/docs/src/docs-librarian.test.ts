import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Context, Response } from "@constellation/core";
import { itBehavesLikeALibrarian, testContext } from "@constellation/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { z } from "zod";
import { pagesOf } from "../test/pages-of.js";
import { createDocsLibrarian } from "./docs-librarian.js";
import type { NavigatorResponse } from "./navigator/navigator-response.js";
import { navigatorResponseSchema } from "./navigator/navigator-response.schema.js";
import type { DocsLibrarianOptions } from "./options.js";

const runbooks = {
  "roll-back.md": `# Roll back a release

Roll back first, find the cause later.

## Roll back to the previous revision

Undo the last revision and wait for it:

\`\`\`sh
kubectl rollout undo deployment/checkout
\`\`\`

## Tell the others

Write the revision into the channel.
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

const k8s = { id: "k8s", description: "Reads the cluster: pods that are pending or crash." };

function docs(options: Partial<DocsLibrarianOptions> = {}) {
  return createDocsLibrarian({
    pages: pagesOf(runbooks),
    description: "Runbooks of checkout: releases, memory and DNS.",
    domain: "running checkout: releases, memory and DNS",
    ...options,
  });
}

function ask(query: string, context?: Context, options?: Partial<DocsLibrarianOptions>) {
  return docs(options).librarian(query, context);
}

function hitsOf(metadata: Response["metadata"]) {
  const { hits } = z
    .object({
      hits: z.array(z.object({ file: z.string(), section: z.string(), score: z.number() })),
    })
    .parse(metadata?.retrieval);
  return hits;
}

function navigatorOf({ metadata }: Response): NavigatorResponse {
  return navigatorResponseSchema.parse(metadata?.navigator);
}

describe("createDocsLibrarian", () => {
  itBehavesLikeALibrarian({
    create: docs,
    query: "how do I roll back a release?",
    unanswerable: "what did the vendor promise about memory of passport scanners in Antarctica?",
    outOfDomain: { query: "which pods are pending in the cluster?", delegate: k8s },
    failing: (thrown) =>
      docs({ pages: { ...pagesOf(runbooks), read: () => Promise.reject(thrown) } }),
    hanging: () =>
      docs({ pages: { ...pagesOf(runbooks), read: () => new Promise<never>(() => {}) } }),
    withOptions: (options) => docs(options),
  });

  it("NAV-011 answers with the section's own words, its command too, under page and heading", async () => {
    const { answer } = await ask("undo the previous revision");

    expect(answer).toBe(
      [
        "**Roll back a release › Roll back to the previous revision** (`roll-back.md`)",
        "Undo the last revision and wait for it:",
        "```sh\nkubectl rollout undo deployment/checkout\n```",
      ].join("\n\n"),
    );
  });

  it("estimates from its pages how well it could answer, once they are read", async () => {
    const { canAnswer, start, health } = docs();
    const probe = async (query: string) => {
      const { signal } = new AbortController();
      return await canAnswer?.({ query, signal, deadline: Number.POSITIVE_INFINITY });
    };

    expect(await probe("exit code 137")).toBeUndefined();
    await start?.(new AbortController().signal);
    await vi.waitFor(
      async () =>
        expect(await health?.(new AbortController().signal)).toMatchObject({ status: "up" }),
      10_000,
    );
    const [known, other] = [
      await probe("what does exit code 137 mean?"),
      await probe("bake a cake"),
    ];
    expect(known?.chance).toBeGreaterThan(0.5);
    expect(known?.coverage).toBeGreaterThan(0.5);
    expect(known?.version).toBe(other?.version);
    expect(other).toMatchObject({ chance: 0, matches: 0 });
    expect(JSON.stringify(known)).not.toContain("memory");
  });

  it("CORE-030 names in its answer what it is about, so that it can be read alone", async () => {
    const { answer } = await ask("exit code 137");

    expect(answer).toContain("OOMKilled");
    expect(answer).toContain("Exit code 137 means that the kernel killed the container.");
  });

  it("CORE-033 gives its sources no url, since pages of a folder have none", async () => {
    const { sources = [] } = await ask("roll back a release");

    expect(sources.length).toBeGreaterThan(0);
    expect(sources.every((source) => !("url" in source))).toBe(true);
  });

  it("NAV-043 cites file and heading, the most relevant first, as relevant as the search scores it", async () => {
    const { sources = [], metadata } = await ask("roll back to the previous revision");
    const hits = hitsOf(metadata);

    expect(sources[0]).toMatchObject({
      name: "roll-back.md#Roll back to the previous revision",
      type: "document",
    });
    for (const { name, relevance } of sources) {
      const hit = hits.find(({ file, section }) => `${file}#${section}` === name);
      expect(relevance).toBe(hit?.score);
    }
  });

  it("NAV-001 NAV-003 has a valid navigator response for whatever it is asked, without a model", async () => {
    const responses = await Promise.all(
      [
        "how do I roll back a release?",
        "what did the vendor promise about memory of passport scanners in Antarctica?",
        "bake a cake",
      ].map((query) => ask(query)),
    );

    const navigators = responses.map(navigatorOf);
    expect(navigators.map(({ sources, outOfDomain }) => [sources.length > 0, outOfDomain])).toEqual(
      [
        [true, false],
        [false, false],
        [false, true],
      ],
    );
  });

  it("NAV-012 NAV-026 NAV-030 NAV-044 CORE-055 says what it has no information about, and that it searched everything", async () => {
    const response = await ask(
      "what did the vendor promise about memory of passport scanners in Antarctica?",
    );
    const navigator = navigatorOf(response);

    expect(response.answer).toBeUndefined();
    expect(response.error).toMatchObject({
      code: "NOT_FOUND",
      message: navigator.answer,
      details: { reason: "no-information" },
    });
    expect(response.error?.suggestion).toContain("DNS; Out of memory; Roll back a release");
    expect(navigator.answer).toMatch(/^I don't have information about .*scanners.*Antarctica/);
    expect(navigator).toMatchObject({ confidence: "high", sources: [], outOfDomain: false });
  });

  it("NAV-025 NAV-028 NAV-044 says that a question is outside its domain, and whom to ask", async () => {
    const response = await ask("which index speeds up joins of a table?");
    const navigator = navigatorOf(response);

    expect(response.error).toMatchObject({
      code: "NOT_FOUND",
      message: navigator.answer,
      details: { reason: "out-of-domain" },
    });
    expect(navigator).toMatchObject({ sources: [], outOfDomain: true, confidence: "high" });
    expect(navigator.answer).toContain("outside my domain");
    expect(navigator.answer).toContain("running checkout: releases, memory and DNS");
    expect(navigator.answer).toContain("You might want to ask");
  });

  it("says NOT_FOUND where there are no pages, and when a query has no word that says anything", async () => {
    const none = await ask("roll back", undefined, { pages: pagesOf({}) });
    const nothing = await ask("what about it?");

    expect([none.error?.code, nothing.error?.code]).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  });

  it.each(["", " \n", undefined, 42])(
    "CORE-053 says INVALID_QUERY for the query %j, and reads nothing",
    async (query) => {
      const list = vi.fn(pagesOf(runbooks).list);

      const { error } = await ask(query as string, undefined, {
        pages: { ...pagesOf(runbooks), list },
      }); // as from plain JavaScript

      expect(error?.code).toBe("INVALID_QUERY");
      expect(list).not.toHaveBeenCalled();
    },
  );

  it("CORE-031 answers in at most 4,000 characters, however long the sections are", async () => {
    const long = (word: string) =>
      `# ${word} limits\n\n${`The limits of ${word} are strict. `.repeat(400)}`;
    const code = `# Limits as code\n\n\`\`\`yaml\n${"limits: strict\n".repeat(400)}\`\`\`\n`;

    const { answer = "" } = await ask("strict limits of pods, as code", undefined, {
      pages: pagesOf({ "a.md": long("Pods"), "b.md": code, "c.md": long("Nodes") }),
    });

    expect(answer).not.toBe("");
    expect(answer.length).toBeLessThanOrEqual(4_000);
    expect(answer.split("```").length % 2).toBe(1); // the code block it cut is closed
  });

  it("CORE-071 NAV-041 delegates what is outside its domain to whose description fits, saying why", async () => {
    const { delegate } = await ask("which pods are pending?", {
      availableDelegates: [{ id: "weather", description: "Forecasts rain." }, k8s],
    });

    expect(delegate).toEqual({ to: "k8s", context: { reason: expect.stringContaining("k8s") } });
    expect(
      await ask("how do I attach an IAM policy to a role?", {
        availableDelegates: [
          { id: "aws", description: "Answers about AWS: IAM policies, roles, S3." },
        ],
      }),
    ).toMatchObject({ delegate: { to: "aws" } });
  });

  it("keeps a query that is its own by its description: it shows the nearest sections, and names who may have it", async () => {
    const availableDelegates = [{ id: "zoo", description: "Knows memory and giraffes." }];
    const response = await ask("where do giraffes keep their heap in memory?", {
      availableDelegates,
    });
    const navigator = navigatorOf(response);

    expect(response).toMatchObject({ confidence: 0.4, partial: true });
    expect(response.delegate).toBeUndefined();
    expect(navigator).toMatchObject({ confidence: "low", outOfDomain: false });
    expect(navigator.sources.length).toBeGreaterThan(0);
    expect(navigator.confidenceReason).toContain('The librarian "zoo" may have it.');
  });

  it("names no other librarian where none knows the words of the question", async () => {
    const { error } = await ask(
      "what did the vendor promise about memory of passport scanners in Antarctica?",
      {
        availableDelegates: [{ id: "bakery", description: "Knows bread." }],
      },
    );

    expect(error?.message).not.toContain("bakery");
  });

  it("says whom to ask when no one may be delegated to", async () => {
    const { error } = await ask("bake a cake", { availableDelegates: [] });

    expect(error?.message).toContain("You might want to ask");
  });

  it("CORE-064 says DATA_SOURCE_ERROR when pages cannot be read, without what the source said", async () => {
    const { error } = await ask("roll back", undefined, {
      root: "/does/not/exist",
      pages: undefined,
    });

    expect(error?.code).toBe("DATA_SOURCE_ERROR");
    expect(JSON.stringify(error)).not.toContain("/does/not");
  });

  it("ends at a deadline that comes without a signal", async () => {
    const pages = { ...pagesOf(runbooks), read: () => new Promise<never>(() => {}) };

    const { error } = await ask("roll back", { deadline: Date.now() + 20 }, { pages });

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
  });

  it("gives a definition that a router can register as it is", () => {
    expect(docs({ id: "ops", capabilities: ["docs.ops"], delegatesTo: [] })).toMatchObject({
      id: "ops",
      description: "Runbooks of checkout: releases, memory and DNS.",
      capabilities: ["docs.ops"],
      delegatesTo: [],
      librarian: expect.any(Function),
      start: expect.any(Function),
      close: expect.any(Function),
      health: expect.any(Function),
    });
  });
});

describe("the pages of a docs librarian", () => {
  it("are read once, and again only where they changed", async () => {
    const texts: Record<string, string> = { ...runbooks };
    const read = vi.fn(pagesOf(texts).read);
    const { librarian } = docs({ pages: { ...pagesOf(texts), read }, refreshMs: 0 });
    await librarian("roll back");
    await librarian("roll back");
    expect(read).toHaveBeenCalledTimes(3);

    texts["dns.md"] = "# DNS\n\nSERVFAIL means that the upstream failed.\n";
    await vi.waitFor(async () => {
      const { answer } = await librarian("servfail");
      expect(answer).toContain("SERVFAIL means that the upstream failed.");
    }, 20_000);
    expect(read).toHaveBeenCalledTimes(4);
  });

  it("are listed again beside the query, which waits for no folder", async () => {
    let isSlow = false;
    const pages = pagesOf(runbooks);
    const list: typeof pages.list = () => (isSlow ? new Promise(() => {}) : pages.list());
    const { librarian } = docs({ pages: { ...pages, list }, refreshMs: 0 });
    await librarian("roll back");
    isSlow = true;

    expect((await librarian("NXDOMAIN")).answer).toContain("NXDOMAIN");
    expect((await librarian("roll back")).answer).toContain("kubectl rollout undo");
  });

  it("answer from their last state when they can no longer be listed, and health says so", async () => {
    let isGone = false;
    const pages = pagesOf(runbooks);
    const list: typeof pages.list = () =>
      isGone ? Promise.reject(new Error("no such folder")) : pages.list();
    const { librarian, health } = docs({ pages: { ...pages, list }, refreshMs: 0 });
    await librarian("roll back");
    isGone = true;

    expect((await librarian("NXDOMAIN")).answer).toContain("NXDOMAIN");
    await vi.waitFor(async () => {
      expect(await health?.(new AbortController().signal)).toMatchObject({
        status: "degraded",
        message: "3 pages; the last refresh failed; answers use the pages read before.",
      });
    }, 20_000);
  });

  it("make its health down at once when their folder is gone, and answer from their last state", async () => {
    const root = await mkdtemp(join(tmpdir(), "docs-pages-"));
    onTestFinished(() => rm(root, { recursive: true, force: true }));
    await writeFile(join(root, "dns.md"), runbooks["dns.md"] ?? "");
    const { librarian, health } = docs({ root, pages: undefined });
    expect((await librarian("NXDOMAIN")).answer).toContain("NXDOMAIN");
    expect(await health?.(new AbortController().signal)).toMatchObject({ status: "up" });

    await rm(root, { recursive: true });

    expect(await health?.(new AbortController().signal)).toEqual({
      status: "down",
      message: "The folder of pages cannot be read; answers use the pages read before.",
    });
    expect((await librarian("NXDOMAIN")).answer).toContain("NXDOMAIN");
  });

  it("are degraded, not down, while they are read for the first time", async () => {
    const pages = { ...pagesOf(runbooks), read: () => new Promise<never>(() => {}) };
    const { health } = docs({ pages });

    expect(await health?.(new AbortController().signal)).toEqual({
      status: "degraded",
      message: "Listing the pages.",
    });
  });

  it("are answered from though the cache cannot be saved, and health says so", async () => {
    const cache = await mkdtemp(join(tmpdir(), "docs-cache-"));
    onTestFinished(() => rm(cache, { recursive: true }));
    const file = join(cache, "file");
    await writeFile(file, "");
    const { librarian, health } = docs({ cache: join(file, "below") });

    expect((await librarian("NXDOMAIN")).answer).toContain("NXDOMAIN");
    await vi.waitFor(async () => {
      expect(await health?.(new AbortController().signal)).toMatchObject({
        status: "degraded",
        message: "3 pages; the index could not be saved in the cache.",
      });
    }, 20_000);
  });

  it("are forgotten when they are gone", async () => {
    const texts: Record<string, string> = { ...runbooks };
    const { librarian } = docs({ pages: pagesOf(texts), refreshMs: 0 });
    expect((await librarian("NXDOMAIN")).answer).toBeDefined();

    delete texts["dns.md"];

    await vi.waitFor(async () => {
      expect((await librarian("NXDOMAIN")).error?.code).toBe("NOT_FOUND");
    }, 20_000);
  });

  it("are not looked at again within refreshMs", async () => {
    const list = vi.fn(pagesOf(runbooks).list);
    const { librarian } = docs({ pages: { ...pagesOf(runbooks), list }, refreshMs: 60_000 });

    await librarian("roll back");
    await librarian("NXDOMAIN");

    expect(list).toHaveBeenCalledTimes(1);
  });

  it("are read once for queries that come at the same time", async () => {
    const read = vi.fn(pagesOf(runbooks).read);
    const { librarian } = docs({ pages: { ...pagesOf(runbooks), read } });

    const responses = await Promise.all([librarian("roll back"), librarian("NXDOMAIN")]);

    expect(responses.every(({ answer }) => answer !== undefined)).toBe(true);
    expect(read).toHaveBeenCalledTimes(3);
  });

  it("are read on when callers leave, until the librarian is closed", async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { librarian, close } = docs({
      pages: {
        ...pagesOf(runbooks),
        read: (_file, signal) => {
          signals.push(signal);
          return new Promise<never>(() => {});
        },
      },
    });
    const [first, second] = [testContext(), testContext()];
    const responses = [librarian("roll back", first), librarian("roll back", second)];
    await vi.waitFor(() => expect(signals.length).toBeGreaterThan(0), 20_000);

    first.cancel();
    const left: Response | undefined = await responses[0];
    expect(left?.error).toMatchObject({ code: "TIMEOUT", details: { reason: "cancelled" } });
    expect(signals[0]?.aborted).toBe(false);

    second.cancel();
    await responses[1];
    expect(signals[0]?.aborted).toBe(false);

    await close?.(new AbortController().signal);
    await vi.waitFor(() => expect(signals[0]?.aborted).toBe(true), 20_000);
  });

  it("are reported on while they are read", async () => {
    const context = testContext();

    await ask("roll back", context);

    expect(context.reported).toEqual(["read 3 of 3 pages", "indexed 3 pages"]);
  });

  it("are read at the start, and released at the end", async () => {
    const list = vi.fn(pagesOf(runbooks).list);
    const { start, close, librarian } = docs({ pages: { ...pagesOf(runbooks), list } });
    const { signal } = new AbortController();

    await start?.(signal);
    await librarian("roll back");
    expect(list).toHaveBeenCalledTimes(1);

    await close?.(signal);
    await librarian("roll back");
    expect(list).toHaveBeenCalledTimes(2);
  });

  it.each([
    ["nothing", 0, 0],
    ["pages", 3, 0],
    ["embeddings", 3, 1],
  ] as const)("delay the start until %s", async (startWaitsFor, pagesRead, batches) => {
    const pages = pagesOf(runbooks);
    const read = vi.fn(async (file: string) => {
      await nextTurn();
      return pages.read(file);
    });
    const embedded = vi.fn();
    const embed = async (texts: readonly string[]) => {
      await nextTurn();
      embedded();
      return texts.map(() => [1, 0]);
    };
    const embedder = { id: "slow-1", dimensions: 2, embed };
    const { start, close } = docs({ pages: { ...pages, read }, embedder, startWaitsFor });
    const { signal } = new AbortController();

    await start?.(signal);
    const done = [read.mock.calls.length, embedded.mock.calls.length];
    await close?.(signal);

    expect(done).toEqual([pagesRead, batches]);
  });

  it("do not delay the start for an embedder that fails, which health reports", async () => {
    const embed = () => Promise.reject(new Error("broken"));
    const embedder = { id: "broken-1", dimensions: 2, embed };
    const { start, health, librarian } = docs({ embedder, startWaitsFor: "embeddings" });
    const { signal } = new AbortController();

    await start?.(signal);

    expect(await health?.(signal)).toEqual({
      status: "degraded",
      message: '3 pages; words alone rank: The embedder "broken-1" failed.',
    });
    expect((await librarian("roll back")).error).toBeUndefined();
  });

  it("fail the start that waits for them when they cannot be listed, or its time is over", async () => {
    const list = () => Promise.reject(new Error("no such folder"));
    const never = () => new Promise<never>(() => {});
    const startWaitsFor = "pages";
    const { signal } = new AbortController();

    await expect(
      docs({ pages: { ...pagesOf({}), list }, startWaitsFor }).start?.(signal),
    ).rejects.toMatchObject({ code: "DATA_SOURCE_ERROR" });
    await expect(
      docs({ pages: { ...pagesOf({}), list: never }, startWaitsFor }).start?.(
        AbortSignal.timeout(1),
      ),
    ).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("are kept between runs in the folder `cache`, and only changed ones read again", async () => {
    const cache = await mkdtemp(join(tmpdir(), "docs-cache-"));
    onTestFinished(() => rm(cache, { recursive: true }));
    const texts: Record<string, string> = { ...runbooks };
    const read = vi.fn(pagesOf(texts).read);
    const run = async (query: string) => {
      const { librarian, close } = docs({ pages: { ...pagesOf(texts), read }, cache });
      const { answer } = await librarian(query);
      await close?.(new AbortController().signal);
      return answer;
    };

    expect(await run("NXDOMAIN")).toContain("NXDOMAIN");
    expect(await run("NXDOMAIN")).toContain("NXDOMAIN");
    expect(read).toHaveBeenCalledTimes(3);

    texts["dns.md"] = "# DNS\n\nSERVFAIL means that the upstream failed.\n";
    expect(await run("servfail")).toContain("the upstream failed");
    expect(read).toHaveBeenCalledTimes(4);
  });

  it("make its health degraded where some cannot be read", async () => {
    const health = async (pages: DocsLibrarianOptions["pages"]) =>
      docs({ pages }).health?.(new AbortController().signal);
    const pages = pagesOf(runbooks);
    const omission = {
      file: "big.md",
      reason: "too-large",
      message: "big.md is too large.",
    } as const;

    expect(await health(pages)).toEqual({ status: "up", message: "3 pages." });
    expect(await health(pagesOf({}))).toMatchObject({ status: "degraded" });
    expect(
      await health({
        ...pages,
        list: async () => ({ ...(await pages.list()), omissions: [omission] }),
      }),
    ).toEqual({ status: "degraded", message: "3 pages; left out: big.md (too-large)." });
  });
});

describe("other formats", () => {
  const pages = pagesOf({
    "restart.adoc": "= Restart\n\nDrain the queue before the restart.\n",
    "broken.adoc": "= Broken\n",
  });
  const toMarkdown = (text: string) => {
    if (text.includes("Broken")) throw new Error("not AsciiDoc");
    return text.replace(/^= /, "# ");
  };

  it("are read as Markdown, and a page that its format refuses is left out", async () => {
    const definition = createDocsLibrarian({
      pages,
      description: "x",
      formats: { ".adoc": toMarkdown },
    });
    const { sources } = await definition.librarian("What do I do before the restart?");

    expect(sources?.[0]?.name).toBe("restart.adoc#Restart");
    expect(await definition.health?.(AbortSignal.timeout(5_000))).toMatchObject({
      status: "degraded",
    });
  });

  it("are refused by a wrong ending", () => {
    expect(() =>
      createDocsLibrarian({ pages, description: "x", formats: { adoc: toMarkdown } }),
    ).toThrow(/formats.*ending of a file/);
  });
});

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
