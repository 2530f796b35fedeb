import { type AIClient, createRouter } from "@constellation/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { createJournal } from "./create-journal.js";
import { createMemoryStore } from "./memory-store.js";
import type { SharedBudgets } from "./spending.js";
import type { JournalStore } from "./store.js";

/** A model that uses 100 tokens for each call, at a cent each, or at an unknown price. */
function modelAt(price: number | undefined = 0.0001) {
  const asked: (number | undefined)[] = [];
  let open: () => void = () => undefined;
  let report: () => void = () => undefined;
  const called = new Promise<void>((resolve) => {
    report = resolve;
  });
  const gate = { isHeld: false };
  const ai: AIClient = {
    async complete({ maxTokens }) {
      asked.push(maxTokens);
      report();
      if (gate.isHeld)
        await new Promise<void>((resolve) => {
          open = resolve;
        });
      const usage = { inputTokens: 60, outputTokens: 40, ...(price && { costUsd: 100 * price }) };
      return { text: "Yes.", stopReason: "end", usage, model: "m" };
    },
    analyze: () => Promise.reject(new Error("not used")),
    runTools: () => Promise.reject(new Error("not used")),
    ...(price && { findPrice: () => ({ inputUsd: price, outputUsd: price }) }),
  };
  return { ai, asked, gate, called, open: () => open() };
}

function createMesh(
  budgets: SharedBudgets,
  { ai }: { readonly ai: AIClient },
  store: JournalStore = createMemoryStore(),
) {
  const router = createRouter({ ai, journal: createJournal({ store, budgets }) });
  router.register({
    ...{ id: "writer", description: "writes" },
    librarian: async (query, { ai: model }) => {
      const written = await model?.complete({ prompt: query, maxTokens: 50 });
      return { answer: written?.text ?? "no model" };
    },
  });
  onTestFinished(() => router.close());
  /** The outcome of each: the answer, or the reason of the error. */
  const ask = async (user: string | undefined, thread?: string) => {
    const { answer, error } = await router.ask("Is it?", {
      ...(user !== undefined && { user: { id: user } }),
      thread,
    });
    return answer ?? error?.details?.reason;
  };
  return { ask, router };
}

const exceeded = "budget-exceeded";

describe("budgets of several runs", () => {
  it("refuse a user who has spent the day's tokens before the model is called, and no other user", async () => {
    const model = modelAt();
    const { ask } = createMesh({ userPerDay: { tokens: 200 } }, model);

    expect([await ask("ann"), await ask("ann"), await ask("ann")]).toEqual([
      "Yes.",
      "Yes.",
      exceeded,
    ]);
    expect(await ask("bob")).toBe("Yes.");
    expect(await ask(undefined)).toBe("Yes.");
    expect(model.asked).toHaveLength(4);
  });

  it("refuse a thread, and no other thread of the user", async () => {
    const { ask } = createMesh({ thread: { costUsd: 0.02 } }, modelAt());

    expect([await ask("ann", "t"), await ask("ann", "t"), await ask("ann", "t")]).toEqual([
      ...["Yes.", "Yes.", exceeded],
    ]);
    expect(await ask("ann", "u")).toBe("Yes.");
    expect(await ask("ann")).toBe("Yes.");
  });

  it("refuse everyone once the day is spent, and say which budget it was", async () => {
    const { ask, router } = createMesh({ day: { tokens: 100 } }, modelAt());
    await ask("ann");

    const { error } = await router.ask("Is it?", { user: { id: "bob" } });

    expect(error).toMatchObject({
      code: "AI_UNAVAILABLE",
      message: "For models the budget of the day is spent.",
    });
  });

  it("lower what a call may write to what is left, in tokens and in money", async () => {
    const byTokens = modelAt();
    await createMesh({ day: { tokens: 22 } }, byTokens).ask("ann");
    const byCost = modelAt();
    await createMesh({ day: { costUsd: 0.00125 } }, byCost).ask("ann");

    expect(byTokens.asked).toEqual([20]); // "Is it?" is read as two tokens
    expect(byCost.asked).toEqual([10]);
  });

  it("count calls under way, so that two at once do not spend the same rest", async () => {
    const model = modelAt();
    model.gate.isHeld = true;
    const { ask } = createMesh({ day: { tokens: 53 } }, model);
    const first = ask("ann");
    await model.called;

    expect(await ask("bob")).toBe(exceeded);
    model.open();
    expect(await first).toBe("Yes.");
  });

  it("hold for all processes that share the store, and after a restart", async () => {
    const store = createMemoryStore();
    const budgets = { userPerDay: { tokens: 200 } };
    await createMesh(budgets, modelAt(), store).ask("ann");
    await createMesh(budgets, modelAt(), store).ask("ann");

    expect(await createMesh(budgets, modelAt(), store).ask("ann")).toBe(exceeded);
  });

  it("of money do not bind a model whose price is not known; those of tokens do", async () => {
    const { ask } = createMesh({ day: { costUsd: 0.0001, tokens: 200 } }, modelAt(0));

    expect([await ask("ann"), await ask("ann"), await ask("ann")]).toEqual([
      "Yes.",
      "Yes.",
      exceeded,
    ]);
  });

  it("are checked", () => {
    const store = createMemoryStore();
    const given = (budgets: object) => () => createJournal({ store, budgets });

    expect(given({ day: { tokens: -1 } })).toThrow("budgets.day.tokens");
    expect(given({ week: {} })).toThrow("week");
  });
});
