import { createRouter, type Response } from "@constellation/core";
import { describe, expect, it } from "vitest";

/** Asks several librarians at once: what each of them answers. */
async function askAll(answers: Readonly<Record<string, Response>>) {
  const router = createRouter({ entry: "desk" });
  router.register({
    id: "desk",
    description: "asks all",
    librarian: async () => ({ delegate: Object.keys(answers).map((to) => ({ to })) }),
  });
  for (const [id, response] of Object.entries(answers)) {
    const name = id.toUpperCase();
    router.register({ id, name, description: "answers", librarian: async () => response });
  }
  return router.ask("What is wrong, and what should we do?");
}

describe("an answer of several librarians", () => {
  it("begins with a headline of each, and of those that gave none the first line", async () => {
    const { answer, headline } = await askAll({
      k8s: { answer: "**shop/api: OOMKilled**\n\n- evidence", headline: "shop/api: OOMKilled" },
      docs: { answer: "## Raise the *limit*\n\nSet it higher." },
      down: { error: { code: "DATA_SOURCE_ERROR", message: "It is\ndown." } },
    });

    expect(headline).toBe(
      [
        "- **K8S**: shop/api: OOMKilled",
        "- **DOCS**: Raise the limit",
        "- No answer of **down**: It is down.",
      ].join("\n"),
    );
    expect(answer).toBe(
      `${headline}\n\n## K8S\n\n**shop/api: OOMKilled**\n\n- evidence\n\n## DOCS\n\n## Raise the *limit*\n\nSet it higher.`,
    );
  });

  it("has no summary where the answers are a line each", async () => {
    const { answer, headline } = await askAll({ a: { answer: "yes" }, b: { answer: "no" } });

    expect(answer).toBe("## A\n\nyes\n\n## B\n\nno");
    expect(headline).toBeUndefined();
  });

  it("keeps a headline to one short line, whatever a librarian writes", async () => {
    const { headline } = await askAll({
      a: { answer: "x", headline: `one\n\n# two ${"x".repeat(1_000)}` },
      b: { answer: "y" },
    });

    const lines = headline?.split("\n") ?? [];
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^- \*\*A\*\*: one # two x+…$/);
    expect(lines[0]?.length).toBeLessThan(320);
  });

  it("keeps the headline of the only one that answered", async () => {
    const { headline } = await askAll({
      a: { answer: "long\n\ntext", headline: "short" },
      b: { error: { code: "NOT_FOUND", message: "nothing" } },
    });

    expect(headline).toBe("short");
  });

  it("gives the summary of a part in one line", async () => {
    const router = createRouter({ entry: "desk" });
    const ask = (id: string, ...to: string[]) =>
      router.register({
        id,
        description: "asks",
        librarian: async () => ({ delegate: to.map((each) => ({ to: each })) }),
      });
    ask("desk", "part", "c");
    ask("part", "a", "b");
    for (const id of ["a", "b", "c"]) {
      const librarian = async () => ({ answer: `${id}\n\nmore`, headline: `found ${id}` });
      router.register({ id, description: "answers", librarian });
    }

    const { headline } = await router.ask("q");

    expect(headline).toBe("- **part**: **a**: found a; **b**: found b\n- **c**: found c");
  });
});
