import { createRouter, type LibrarianDefinition, type Router } from "@constellation/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createTriageLibrarian } from "../triage-librarian.js";

const answering = (id: string, description: string): LibrarianDefinition => ({
  id,
  description,
  librarian: async (query) => ({ answer: `${id}: ${query}`, confidence: 1 }),
});

function meshOf(...members: readonly LibrarianDefinition[]): Router {
  const router = createRouter({ entry: "triage" });
  const ids = members.map(({ id }) => id);
  router.register(createTriageLibrarian({ delegatesTo: ["operations", "reading"] }));
  router.register(
    createTriageLibrarian({ id: "operations", delegatesTo: ids.filter((id) => id !== "docs") }),
  );
  router.register(createTriageLibrarian({ id: "reading", delegatesTo: ["docs"] }));
  for (const member of members) router.register(member);
  return router;
}

const k8s = answering("k8s", "Reads the cluster: pods and nodes that crash.");
const docs = answering("docs", "Answers from runbooks: certificates, backups, releases.");

afterEach(() => {
  vi.useRealTimers();
});

describe("a triage over triages", () => {
  it("finds a group by the words of its members", async () => {
    const router = meshOf(k8s, docs);

    const run = router.start("Which pods crash on which nodes, and which runbooks are on backups?");
    const { answer } = await run.response;

    expect(answer).toContain("k8s: Which pods crash on which nodes?");
    expect(answer).toContain("docs: Which runbooks are on backups?");
    const reasons = run.explain().hops.map(({ to, reason }) => `${to}: ${reason ?? ""}`);
    expect(reasons).toContainEqual(
      expect.stringMatching(/^operations: it knows about pods, crash/),
    );
    await router.close();
  });

  it("asks groups for their members once a minute, and then knows a new one", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const router = meshOf(k8s, docs, answering("ledger", "Knows the ledger and its postings."));
    const asksOf = async (query: string) => {
      const run = router.start(query);
      const { answer } = await run.response;
      return { answer, asked: run.explain().hops.filter(({ via }) => via === "ask").length };
    };
    router.unregister("ledger");

    const first = await asksOf("which postings has the ledger");
    const again = await asksOf("which pods crash");
    router.register(answering("ledger", "Knows the ledger and its postings."));
    vi.advanceTimersByTime(61_000);
    const later = await asksOf("which postings has the ledger");

    expect([first.answer?.startsWith("ledger"), first.asked]).toEqual([false, 2]);
    expect([again.answer, again.asked]).toEqual(["k8s: which pods crash", 0]);
    expect([later.answer, later.asked]).toEqual(["ledger: which postings has the ledger", 2]);
    await router.close();
  });

  it("names the members of groups when it is asked what it can do", async () => {
    const router = meshOf(k8s, docs);

    const { answer } = await router.ask("What can you do?");

    expect(answer).toContain("operations/k8s");
    expect(answer).toContain("reading/docs");
    await router.close();
  });

  it("matches a group that does not list its members by its own description", async () => {
    const router = createRouter({ entry: "triage" });
    router.register(createTriageLibrarian());
    router.register({
      ...answering("tides", "Knows the tides of every harbour."),
      capabilities: ["delegation.members"],
    });

    expect((await router.ask("tides of the harbour")).answer).toContain("tides:");
    await router.close();
  });
});
