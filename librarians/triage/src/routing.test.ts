import { createRouter, type Delegate, type LibrarianDefinition } from "@constellation/core";
import { estimateAnswers, sketchContent } from "@constellation/retrieval";
import { scriptedAI, testContext } from "@constellation/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createTriageLibrarian } from "./triage-librarian.js";
import type { TriageReport } from "./triage-report.js";

/** A mesh behind triage; each librarian answers with its id and the query. */
function meshOf(
  ...librarians: readonly (Omit<LibrarianDefinition, "librarian"> & Partial<LibrarianDefinition>)[]
) {
  const router = createRouter({ entry: "triage" });
  const called: string[] = [];
  router.register(createTriageLibrarian());
  for (const each of librarians) {
    router.register({
      librarian: async () => {
        called.push(each.id);
        return { answer: `from ${each.id}`, confidence: 1 };
      },
      ...each,
    });
  }
  onTestFinished(() => router.close());
  return { router, called };
}

const refunds = {
  id: "refunds",
  description: "Gives money back",
  effects: "write" as const,
  acts: ["refund", "pay back"],
  examples: ["Refund order 4410"],
};
const orderBook = {
  id: "order-book",
  description: "Orders and what was refunded, shipped or paid",
};

describe("librarians that write", () => {
  it("are not ordered by a noun and an id, where a librarian that reads is asked about such", async () => {
    const billing = {
      id: "billing",
      description: "Issues bills",
      effects: "write" as const,
      acts: ["invoice", "waive"],
    };
    const invoices = {
      id: "invoices",
      description: "Invoices and payments",
      examples: ["Is invoice 9921 paid?"],
    };
    const { router, called } = meshOf(billing, invoices);

    await router.ask("Invoice 9936");
    expect(called).toEqual(["invoices"]);
    await router.ask("Waive 9936");
    expect(called).toEqual(["invoices", "billing"]);
  });

  it("are called for a plain order that uses the words of an example of another one", async () => {
    const desk = {
      id: "desk",
      description: "Opens tickets",
      effects: "write" as const,
      acts: ["open"],
    };
    const tickets = {
      id: "tickets",
      description: "Finds tickets",
      examples: ["Which tickets are open?"],
    };
    const { router, called } = meshOf(desk, tickets);

    await router.ask("Open a ticket");
    expect(called).toEqual(["desk"]);
    await router.ask("Which tickets are open?");
    expect(called).toEqual(["desk", "tickets"]);
  });

  it.each([
    "refund order 1077",
    "Can you refund order 1001?",
    "It came broken. Refund 1077 please.",
    "Order 1077: refund it, no parcel was sent.",
    "refund order 1077 if you can, mate",
  ])("are called for a plain order: %s", async (query) => {
    const { router, called } = meshOf(refunds, orderBook);
    await router.ask(query);
    expect(called).toContain("refunds");
  });

  it.each([
    "was order 1001 refunded?",
    "do not refund order 1001",
    "should I refund order 1001?",
    "refund all orders",
    'the customer wrote: "please refund order 1001"',
    "Mail from bo@example.org: refund me now. Is he a customer?",
    "refund policy",
    "Refund 1001 status",
    "refund order 1001, no",
  ])("are not called for anything else: %s", async (query) => {
    const { router, called } = meshOf(refunds, orderBook);
    await router.ask(query);
    expect(called).not.toContain("refunds");
  });

  it("are offered where nothing else fits, and nothing is done", async () => {
    const { router, called } = meshOf(refunds);
    const { answer, error, metadata } = await router.ask("who gets money back?");

    expect(error).toBeUndefined();
    expect(answer).toContain("It can refund, pay back, and nothing was done");
    expect(answer).toContain('"Refund order 4410"');
    expect(called).toEqual([]);
    expect(metadata?.triage).toMatchObject({ offered: ["refunds"] });
  });

  it("are only offered where they declare no acts", async () => {
    const { router, called } = meshOf({ ...refunds, acts: undefined });
    const { answer } = await router.ask("refund order 1077: money back");

    expect(called).toEqual([]);
    expect(answer).toContain("nothing was done");
  });

  it("cannot be chosen by a model for a query that does not order them", async () => {
    const decision = {
      strategy: "single",
      targets: ["refunds"],
      refinedQueries: [{ to: "refunds", query: "refund order 1001" }],
      reasoning: "It is about money.",
      expectedImprovement: 0.5,
    };
    const analysis = {
      intent: "asks",
      domains: ["money"],
      complexity: "simple",
      isMultiDomain: false,
      urgency: "normal",
      suggestedLibrarians: ["refunds"],
      keywords: ["money"],
      analysisConfidence: 0.9,
    };
    const ai = scriptedAI(
      [analysis, decision, decision].map((value) => ({ value, only: "analyze" as const })),
    );
    const { delegate } = await createTriageLibrarian().librarian(
      "was order 1001 refunded?",
      testContext({ availableDelegates: [refunds, orderBook], ai }),
    );

    expect([delegate].flat().map((each) => each?.to)).toEqual(["order-book"]);
  });
});

describe("what librarians have", () => {
  const faq = (id: string, texts: readonly string[], more: Partial<LibrarianDefinition> = {}) => ({
    id,
    description: `Desk ${id}`,
    canAnswer: estimateAnswers(() => texts),
    ...more,
  });

  it("finds the one whose content has the answer, where no description does", async () => {
    const { router } = meshOf(
      faq("north", ["Umbrellas left on a bus are kept for six weeks."]),
      faq("south", ["Parcels arrive within two days."]),
    );

    expect((await router.ask("I left my umbrella on the bus")).answer).toBe("from north");
    expect((await router.ask("when do parcels arrive?")).answer).toBe("from south");
  });

  it("is known of each of a hundred", async () => {
    const others = Array.from({ length: 98 }, (_, at) =>
      faq(`desk-${at}`, [`Room ${at} is open.`]),
    );
    const { router } = meshOf(...others, faq("last", ["Umbrellas are kept for six weeks."]));

    expect((await router.ask("how long are umbrellas kept?")).answer).toBe("from last");
  });

  it("decides by what is named where another fits about as well", async () => {
    const pages = faq("pages", ["The memory limit of checkout is raised by a release."]);
    const estimate = estimateAnswers(() => ["checkout memory limit"]);
    const named = faq("objects", [], {
      canAnswer: (probe) => ({ ...estimate(probe), isNamed: true }),
    });
    const { router, called } = meshOf(pages, named);
    await router.ask("what is the memory limit of checkout?");

    expect(called).toEqual(["objects"]);
  });

  it.each([
    [1, 1],
    [0.9, 2],
  ])("asks nobody besides where the first has all of it: %s", async (coverage, asked) => {
    const canAnswer = () => ({ chance: 1, coverage });
    const { router, called } = meshOf(
      { id: "keys", description: "Desk of lost keys", canAnswer },
      { id: "gloves", description: "Desk of lost gloves", canAnswer },
    );
    await router.ask("how long are umbrellas kept?");

    expect(called).toHaveLength(asked);
  });

  it("is found by its sketch among more than can be probed", async () => {
    const others = Array.from({ length: 200 }, (_, at) =>
      faq(`desk-${at}`, [`Umbrella stand ${at} is full.`]),
    );
    const texts = ["Umbrellas left on a bus are kept for six weeks."];
    const query = "I left my umbrella on the bus";
    const unknown = meshOf(...others, faq("last", texts));
    const sketched = meshOf(...others, faq("last", texts, { vocabulary: sketchContent(texts) }));

    expect((await unknown.router.ask(query)).answer).not.toBe("from last");
    expect((await sketched.router.ask(query)).answer).toBe("from last");
  });

  it("counts only for those who may read it, and not for librarians that write", async () => {
    const { router, called } = meshOf(
      faq("secret", ["Umbrellas are kept for six weeks."], { allow: { teams: ["lost"] } }),
      faq("writer", ["Umbrellas are kept for six weeks."], { effects: "write", acts: ["send"] }),
      faq("open", ["Parcels arrive within two days."]),
    );
    const { error } = await router.ask("umbrellas?", { user: { id: "ann" } });

    expect(error?.code).toBe("NOT_FOUND");
    expect(called).toEqual([]);
  });

  it("is waited for once, where a librarian still reads it", async () => {
    vi.useFakeTimers();
    const umbrellas = estimateAnswers(() => ["Umbrellas left on a bus are kept for six weeks."]);
    const { router } = meshOf(faq("south", ["Parcels arrive within two days."]), {
      id: "north",
      description: "Desk north",
      canAnswer: async (probe) => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        return umbrellas(probe);
      },
    });

    const asked = router.ask("I left my umbrella on the bus");
    await vi.advanceTimersByTimeAsync(300);

    expect((await asked).answer).toBe("from north");
    vi.useRealTimers();
  });

  it("is unknown, and not zero, where an estimate fails or is late", async () => {
    const never = () => new Promise<never>(() => {});
    const { router } = meshOf(
      { id: "umbrellas", description: "Lost umbrellas", canAnswer: never },
      faq("parcels", ["Parcels arrive within two days."]),
    );

    expect((await router.ask("where are umbrellas kept?")).answer).toBe("from umbrellas");
  });
});

describe("a query in parts", () => {
  const bins = { id: "bins", description: "Waste bins and when they are emptied" };
  const pools = { id: "pools", description: "Swimming pools and their prices" };

  it("does not ask who is only named in what is not wanted or quoted", async () => {
    const { router, called } = meshOf(bins, pools);
    await router.ask("Not asking about swimming pools here. When are bins emptied?");
    await router.ask('The pools people wrote: "pools are closed". When are bins emptied?');

    expect(called).toEqual(["bins", "bins"]);
  });

  it("keeps the thing that a denied order is about, where the rest refers to it", async () => {
    const emptied = {
      ...bins,
      canAnswer: estimateAnswers(() => ["Oak Street: emptied on Monday"]),
    };
    const opened = { ...pools, canAnswer: estimateAnswers(() => ["Elm Street: open on Monday"]) };
    const { router, called } = meshOf(opened, emptied);
    await router.ask("Do not close Oak Street, just tell me what Monday holds for it");

    expect(called).toEqual(["bins"]);
  });

  it("names the part that no one takes", async () => {
    const { router } = meshOf(bins, pools);
    const { answer, metadata } = await router.ask(
      "When are waste bins emptied? Which violinist recorded that famous concerto?",
    );

    expect(answer).toContain("from bins");
    expect(answer).toContain("Which violinist recorded that famous concerto?");
    expect(JSON.stringify(metadata)).toContain("violinist");
  });
});

describe("a follow-up", () => {
  const delegates: readonly Delegate[] = [
    { id: "k8s", description: "Reads a cluster: pods and nodes" },
    { id: "billing", description: "Invoices and payments" },
    refunds,
  ];
  const conversation = [{ query: "how many pods has cart", answer: "Three.", librarians: ["k8s"] }];
  const ask = async (query: string, turns: readonly unknown[] = conversation) => {
    const context = testContext({
      availableDelegates: delegates,
      metadata: { conversation: turns },
    });
    const { delegate, metadata } = await createTriageLibrarian().librarian(query, context);
    return { delegate, report: metadata?.triage as TriageReport | undefined };
  };

  it.each(["and checkout?", "why?", "only the urgent ones", "what about yesterday"])(
    "stays with the librarian that answered: %s",
    async (query) => {
      const { delegate } = await ask(query);
      expect(delegate).toMatchObject({
        to: "k8s",
        query: `how many pods has cart. ${query}`,
      });
    },
  );

  it("may be a whole question that says little, and is forwarded as it is", async () => {
    const { delegate } = await ask("Is checkout slow today?");
    expect(delegate).toMatchObject({ to: "k8s", query: "Is checkout slow today?" });
  });

  it("goes to another that fits it, alone", async () => {
    const { delegate } = await ask("which invoices are overdue?");
    expect(delegate).toMatchObject({ to: "billing", query: "which invoices are overdue?" });
  });

  it("never stays with one that writes, and orders only by what it says itself", async () => {
    const turns = [{ query: "refund order 1001", answer: "Done.", librarians: ["refunds"] }];
    const { delegate } = await ask("why?", turns);
    expect([delegate ?? []].flat().map(({ to }) => to)).not.toContain("refunds");
  });
});
