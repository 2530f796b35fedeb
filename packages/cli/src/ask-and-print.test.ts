import { createRouter, MeshError } from "@constellation/core";
import { scriptedAI } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { collectingIO } from "../test/run.js";
import { askAndPrint } from "./ask-and-print.js";

/** A librarian that writes with the model, and by rules where that fails. */
function writer(ai: ReturnType<typeof scriptedAI>) {
  const router = createRouter({ ai });
  router.register({
    id: "writer",
    description: "writes",
    librarian: async (query, context) => {
      const reply = await context?.ai?.complete({ prompt: query }).catch(() => undefined);
      return { answer: reply?.text ?? "by rules" };
    },
  });
  return router;
}

const usage = { inputTokens: 1_200, outputTokens: 34, costUsd: 0.0123 };

describe("what the model did", () => {
  it("is printed as tokens and cost, with the tree and without it", async () => {
    const ai = scriptedAI(() => ({ text: "by the model", usage }));
    const plain = collectingIO();
    const tree = collectingIO();

    await askAndPrint(writer(ai), "q", plain.io);
    await askAndPrint(writer(ai), "q", tree.io, { tree: true });

    expect(plain.stdout.join("")).toContain("\nUsed: 1,234 tokens, $0.0123\n");
    expect(plain.stderr.join("")).toContain("asking the model");
    expect(tree.stdout.join("").match(/1,234 tokens, \$0\.0123/g)).toHaveLength(2);
  });

  it("is a note with the reason where the answer came without it", async () => {
    const error = new MeshError("RATE_LIMITED", "The model refuses: too many requests.");
    const { io, stdout, stderr } = collectingIO();

    await askAndPrint(writer(scriptedAI([{ error }])), "q", io);

    const line = "The model refuses: too many requests. [RATE_LIMITED]";
    expect(stdout.join("")).toContain(`Without the model\n\n  writer: ${line}\n`);
    expect(stderr.join("")).toContain(`continuing without the model: ${line}`);
  });

  it("is not mentioned where none was called", async () => {
    const router = createRouter();
    router.register({ id: "one", description: "d", librarian: async () => ({ answer: "yes" }) });
    const { io, stdout } = collectingIO();

    await askAndPrint(router, "q", io);

    expect(stdout.join("")).toBe("yes\n");
  });
});
