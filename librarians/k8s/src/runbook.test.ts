import { createRouter, type Librarian } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { now, shop } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

function meshWith(runbooks: Librarian) {
  const router = createRouter({ entry: "k8s" });
  const reader = createInMemoryReader({ objects: shop(), now });
  router.register(createK8sLibrarian({ reader, runbooks: "docs" }));
  router.register({ id: "docs", name: "Runbooks", description: "Runbooks.", librarian: runbooks });
  return router;
}

describe("a librarian of runbooks", () => {
  it("is asked about the cause, not about what it looks like, and is below the answer", async () => {
    const runbooks = vi.fn<Librarian>(async () => ({
      answer: "Raise the limit.",
      confidence: 0.9,
      sources: [{ name: "memory.md#raise" }],
    }));

    const { answer, sources, metadata } = await meshWith(runbooks).ask(
      "Why does checkout keep restarting?",
    );

    expect(runbooks.mock.calls.map(([query]) => query)).toEqual(["How do I stop OOMKilled?"]);
    expect(answer).toMatch(
      /OOMKilled.*\n\n\*\*What to do, from Runbooks:\*\*\n\nRaise the limit\.$/s,
    );
    expect(sources?.at(-1)).toEqual({ name: "memory.md#raise" });
    expect(metadata?.runbook).toEqual({ to: "docs", sources: 1 });
  });

  it("that knows nothing leaves the answer as it is, and the metadata says so", async () => {
    const { answer, error, metadata } = await meshWith(async () => ({
      error: { code: "NOT_FOUND", message: "No such page.", recoverable: false },
    })).ask("Why does checkout keep restarting?");

    expect(error).toBeUndefined();
    expect(answer).not.toContain("What to do");
    expect(metadata?.runbook).toEqual({ to: "docs", code: "NOT_FOUND" });
  });

  it("CORE-031 leaves the answer within 4,000 characters, and says where to read on", async () => {
    const page = "A line without an end. ".repeat(1_000);

    const { answer = "" } = await meshWith(async () => ({
      answer: page,
      sources: [{ name: "memory.md#raise" }],
    })).ask("Why does checkout keep restarting?");

    expect(answer.length).toBeLessThanOrEqual(4_000);
    expect(answer).toMatch(/See `memory\.md#raise`\.$/);
  });

  it("is cut after a whole paragraph, never within code", async () => {
    const page = `${"A line of words.\n".repeat(60)}\n\`\`\`sh\n${"kubectl get pods\n\n".repeat(200)}\`\`\`\n`;

    const { answer = "" } = await meshWith(async () => ({ answer: page })).ask(
      "Why does checkout keep restarting?",
    );

    expect(answer).toMatch(/A line of words\.\n\n…$/);
    expect(answer).not.toContain("kubectl get pods\n\nkubectl");
  });

  it("is asked nothing for a caller who wants facts alone, or when nothing is wrong", async () => {
    const runbooks = vi.fn<Librarian>(async () => ({ answer: "Raise the limit." }));
    const router = meshWith(runbooks);

    await router.ask("Why does checkout keep restarting?", { metadata: { wants: "facts" } });
    await router.ask("Is deployment cart healthy?");

    expect(runbooks).not.toHaveBeenCalled();
  });

  it("has to be one that it may delegate to", () => {
    expect(() => createK8sLibrarian({ runbooks: "docs", delegatesTo: [] })).toThrow(
      /^runbooks: expected one of `delegatesTo`, got "docs"/,
    );
  });
});
