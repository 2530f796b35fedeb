import type { Delegate } from "@constellation/core";
import type { Embedder } from "@constellation/retrieval";
import { testContext } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { createTriageLibrarian } from "../triage-librarian.js";
import type { TriageReport } from "../triage-report.js";

/** Knows three subjects by a few words each. */
const subjects = [/pod|dying|cluster/i, /runbook|written|manual/i, /poem|sonnet/i];

function embedderOf(change: Partial<Embedder> = {}): Embedder & { readonly texts: string[] } {
  const texts: string[] = [];
  return {
    id: "subjects",
    dimensions: 4,
    texts,
    async embed(given) {
      texts.push(...given);
      return given.map((text) => [0.2, ...subjects.map((subject) => (subject.test(text) ? 1 : 0))]);
    },
    ...change,
  };
}

const k8s: Delegate = Object.freeze({ id: "k8s", description: "Reads the cluster: pods." });
const docs: Delegate = Object.freeze({ id: "docs", description: "Answers from runbooks." });
const others = (count: number) =>
  Array.from(
    { length: count },
    (_, n): Delegate =>
      Object.freeze({ id: `other-${n}`, description: `Writes a poem about tide ${n}.` }),
  );

function mesh(embedder: Embedder, delegates: readonly Delegate[] = [k8s, docs]) {
  const { librarian, close } = createTriageLibrarian({ embedder });
  const context = testContext({ availableDelegates: delegates });
  const ask = (query: string) => librarian(query, context);
  return {
    ask,
    close: () => close?.(new AbortController().signal),
    async ready() {
      for (let tries = 0; tries < 5_000; tries++) {
        const { metadata } = await ask("where do penguins nest");
        const triage = metadata?.triage as TriageReport | undefined;
        if (triage?.meaning === "used") return;
        await new Promise(setImmediate);
      }
      throw new Error("The librarians were not embedded.");
    },
  };
}

describe("triage with an embedder", () => {
  it("lets it keep the vectors of librarians between runs, and of no query", async () => {
    const kept = new Map<string, boolean>();
    const embedder = embedderOf();
    const { ready } = mesh({
      ...embedder,
      embed(texts, options) {
        for (const text of texts) kept.set(text, options?.isKept === true);
        return embedder.embed(texts, options);
      },
    });
    await ready();

    expect(kept.get("where do penguins nest")).toBe(false);
    expect(kept.get("docs: Answers from runbooks.")).toBe(true);
  });

  it("finds who is near in meaning where no word is shared", async () => {
    const { ask, ready } = mesh(embedderOf());
    await ready();

    const { delegate, metadata } = await ask("our shop backend keeps dying");

    expect(delegate).toMatchObject({
      to: "k8s",
      context: {
        reason: expect.stringMatching(/^it is close in meaning or content \(match [01]\.\d\d\)$/),
      },
    });
    expect(metadata?.triage).toMatchObject({ meaning: "used" });
  });

  it("reads no meaning where a query is an example of a librarian", async () => {
    const embedder = embedderOf();
    const asked = Object.freeze({ ...k8s, examples: ["Which pods of the cluster crash?"] });
    const { ask, ready } = mesh(embedder, [asked, docs]);
    await ready();
    embedder.texts.length = 0;

    expect((await ask("which pods crash of the cluster")).delegate).toMatchObject({ to: "k8s" });
    expect(embedder.texts).toEqual([]);
  });

  it("refuses what is near to no one, unless someone covers that", async () => {
    const without = mesh(embedderOf());
    const poet: Delegate = Object.freeze({ id: "poet", description: "Writes poems." });
    const covered = mesh(embedderOf(), [k8s, poet]);
    await Promise.all([without.ready(), covered.ready()]);

    expect((await without.ask("i need a sonnet")).error?.code).toBe("NOT_FOUND");
    expect((await covered.ask("i need a sonnet")).delegate).toMatchObject({ to: "poet" });
  });

  it("compares each part of a question that words do not settle", async () => {
    const { ask, ready } = mesh(embedderOf());
    await ready();

    const { delegate } = await ask("Why is our shop dying, and where is it written down?");

    expect([delegate].flat().map((each) => each?.to)).toEqual(["k8s", "docs"]);
  });

  it("decides by words while vectors are made, when the embedder fails, and after it hangs", async () => {
    const never = () => new Promise<never>(() => {});
    const fails = () => Promise.reject(new Error("no"));
    for (const [embed, meaning] of [
      [never, "failed"],
      [fails, "failed"],
    ] as const) {
      const { librarian } = createTriageLibrarian({
        embedder: embedderOf({ embed }),
        embedderStartTimeoutMs: 5,
        embeddingTimeoutMs: 5,
      });
      const context = testContext({ availableDelegates: [k8s, docs] });

      expect((await librarian("pods of the cluster", context)).delegate).toMatchObject({
        to: "k8s",
      });
      const { error, metadata } = await librarian("our shop backend keeps dying", context);
      expect(error?.code).toBe("NOT_FOUND");
      expect(metadata?.triage).toMatchObject({ meaning });
    }
  });

  it("waits for an embedder that starts slowly where words settle nothing", async () => {
    const embedder = embedderOf();
    let start = () => {};
    const started = new Promise<void>((resolve) => {
      start = resolve;
    });
    const { librarian, health } = createTriageLibrarian({
      embeddingTimeoutMs: 5,
      embedder: {
        ...embedder,
        embed: async (texts, options) => {
          await started;
          return embedder.embed(texts, options);
        },
      },
    });
    const context = testContext({ availableDelegates: [k8s, docs] });

    const settled = await librarian("pods of the cluster", context);
    const waiting = librarian("our shop backend keeps dying", context);
    const checked = health?.(new AbortController().signal, { librarians: [k8s, docs] });
    start();

    expect(settled.delegate).toMatchObject({ to: "k8s" });
    expect((await waiting).delegate).toMatchObject({ to: "k8s" });
    expect(await checked).toEqual({ status: "up" });
  });

  it("is degraded while it reads longer than a health check has time for, then up", async () => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const embedder = embedderOf();
    const { health } = createTriageLibrarian({
      embedder: {
        ...embedder,
        embed: async (texts, options) => {
          await released;
          return embedder.embed(texts, options);
        },
      },
    });
    const check = (deadline?: number) =>
      health?.(new AbortController().signal, { librarians: [k8s, docs], deadline });

    expect(await check(Date.now() + 1)).toEqual({
      status: "degraded",
      message: "Reading 2 librarians.",
    });
    release();
    expect(await check()).toEqual({ status: "up" });
  });

  it("finds the nearest of many by their sketches", async () => {
    const { ask, ready } = mesh(embedderOf(), [...others(600), k8s, docs]);
    await ready();

    expect((await ask("our shop backend keeps dying")).delegate).toMatchObject({ to: "k8s" });
  });

  it("stops making vectors when it is closed", async () => {
    const embedder = embedderOf();
    const { ask, close } = mesh(embedder, others(100));
    await ask("tides");
    await close();
    const { length } = embedder.texts;
    await new Promise((resolve) => setTimeout(resolve, 10));

    expect(embedder.texts.length).toBeLessThanOrEqual(length + 2);
  });
});
