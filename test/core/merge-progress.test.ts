import { createBlend } from "@constellation/authoring";
import type { AIClient, MergeFunction, MergeStrategy } from "@constellation/core";
import { createRouter, recordOf } from "@constellation/core";
import { groundText } from "@constellation/nlu";
import { recordEvents, scriptedAI } from "@constellation/testing";
import { afterEach, describe, expect, it, vi } from "vitest";

/** Asks two librarians through a desk. @returns What the desk reported once it had delegated. */
async function ask(merge: MergeStrategy, ai?: AIClient) {
  const router = createRouter({
    entry: "desk",
    merge,
    timeoutMs: 1_000,
    blend: createBlend({ ground: groundText }),
    ...(ai && { ai }),
  });
  const log = recordEvents(router);
  const delegate = [{ to: "docs" }, { to: "k8s" }];
  router.register({ id: "desk", description: "asks", librarian: async () => ({ delegate }) });
  const answers = { docs: "Raise the limit to 768Mi.", k8s: "It was killed 4 times." };
  for (const [id, answer] of Object.entries(answers)) {
    router.register({ id, description: "answers", librarian: async () => ({ answer }) });
  }
  const asked = router.ask("Why does checkout crash?");
  const reported = () => log.of("hop:progress").map(({ to, progress }) => ({ to, ...progress }));
  return { asked, reported, log };
}

const draft = (text: string) => ({
  claims: [
    { text, from: ["A2"], sources: [] },
    { text: "Raise its limit to 768Mi.", from: ["A1"], sources: [] },
  ],
  contradictions: [],
});
const withdrawn = { to: "desk", text: "", replaces: true };

describe("the progress of a merge", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is the claims of the blend while the model writes them", async () => {
    const { asked, reported, log } = await ask(
      "ai-blend",
      scriptedAI([{ value: draft("It was killed 4 times.") }]),
    );
    await asked;

    expect(reported()).toEqual([
      { to: "desk", text: "It was killed 4 times. (k8s)\n\nRaise its limit to 768Mi. (docs)" },
    ]);
    expect(log.types.slice(log.types.lastIndexOf("hop:end"))).toEqual([
      "hop:end",
      "model:start",
      "hop:progress",
      "model:end",
      "fanout:end",
      "run:end",
    ]);
  });

  it.each([
    { name: "whole", pieces: (json: string) => [json] },
    { name: "letter by letter", pieces: (json: string) => [...json] },
    { name: "without an end", pieces: (json: string) => [json.slice(0, json.indexOf("Raise"))] },
    { name: "not at all", pieces: () => [] },
  ])("is the answer in the end: text that comes $name", async ({ name, pieces }) => {
    const value = {
      ...draft("It was killed 4 times."),
      contradictions: [{ text: "One says to raise the limit to 768Mi.", from: ["A1"] }],
    };
    const scripted = scriptedAI([{ value }]);
    const ai: AIClient = {
      ...scripted,
      analyze({ onText, ...request }) {
        for (const piece of pieces(JSON.stringify(value))) onText?.(piece);
        return scripted.analyze(request);
      },
    };

    const { asked, reported } = await ask("ai-blend", ai);
    const { answer } = await asked;

    const text = reported().reduce(
      (sum, each) => ("text" in each ? (each.replaces ? "" : sum) + each.text : sum),
      "",
    );
    expect(text).toBe(name === "not at all" ? "" : answer);
    expect(answer).toContain("(k8s)\n\nRaise");
    expect(answer).toMatch(/contradict each other:\n- One says to raise the limit to 768Mi\.$/);
  });

  it("withdraws a draft that does not pass, and says that answers are joined as they are", async () => {
    const { claims, contradictions } = draft("It was killed 4 times.");
    const stray = { value: { claims: claims.slice(0, 1), contradictions } };
    const { asked, reported } = await ask("ai-blend", scriptedAI([stray, stray]));
    const { answer } = await asked;

    const rejected = [
      expect.objectContaining({ text: expect.stringContaining("4 times") }),
      withdrawn,
      { to: "desk", message: "The draft is withdrawn: it did not pass the checks." },
    ];
    expect(reported()).toEqual([
      ...rejected,
      ...rejected,
      {
        to: "desk",
        message: "the answers are joined as they are: The model's text does not fit the answers.",
      },
    ]);
    expect(answer).toContain("## docs");
  });

  it("says why without a model", async () => {
    const { asked, reported } = await ask("ai-blend");
    await asked;

    expect(reported()).toEqual([
      { to: "desk", message: "the answers are joined as they are: The run has no model." },
    ]);
  });

  it("is what a merge function reports, until it is over", async () => {
    let late: (() => void) | undefined;
    const merge: MergeFunction = (branches, { report }) => {
      report("comparing");
      report({ text: "Both say: " });
      late = () => report("too late");
      return { answer: `Both say: ${branches.length}` };
    };
    const { asked, reported } = await ask(merge);
    await asked;
    late?.();

    expect(reported()).toEqual([
      { to: "desk", message: "comparing" },
      { to: "desk", text: "Both say: " },
    ]);
  });

  it("is over when the record says so", async () => {
    vi.useFakeTimers();
    const { asked, log } = await ask(async () => {
      await vi.advanceTimersByTimeAsync(300);
      return { answer: "both" };
    });
    await asked;

    const [desk] = recordOf(log.events).hops;
    expect(desk?.durationMs).toBeLessThan(300);
    expect(desk?.fanOut?.endMs).toBeGreaterThanOrEqual(300);
  });

  it("withdraws the text of a merge function that is late", async () => {
    vi.useFakeTimers();
    const { asked, reported } = await ask((_branches, { report }) => {
      report({ text: "Both" });
      return new Promise(() => {});
    });
    await vi.advanceTimersByTimeAsync(1_000);
    const { error } = await asked;

    expect(error?.code).toBe("TIMEOUT");
    expect(reported()).toEqual([
      { to: "desk", text: "Both" },
      withdrawn,
      { to: "desk", message: expect.stringContaining("the answers are joined as they are: ") },
    ]);
  });
});
