import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../markdown/parse-markdown.js";
import { createSectionIndex } from "../sections/section-index.js";
import { decodeKnowledge, encodeKnowledge } from "./codec.js";

const page = parseMarkdown(
  "---\ntitle: T\n---\n# Größe\n\nSee [b](b.md).\n\n```sh\nls\n```\n\n| a |\n| - |\n| b |\n",
  {
    file: "a.md",
  },
);
const index = createSectionIndex();
index.set(page);
const knowledge = {
  entries: [{ file: "a.md", bytes: 3, modifiedMs: 1.5 }],
  pages: [page],
  snapshot: index.snapshot(),
  vectors: { embedder: "e", dimensions: 2, ids: ["a.md#0"], rows: Float32Array.of(1, 0) },
};
const bytes = await encodeKnowledge(knowledge, "print");

describe("decodeKnowledge", () => {
  it("returns what was encoded", () => {
    const decoded = decodeKnowledge(bytes, "print");

    if ("problem" in decoded) throw new Error(decoded.problem);
    expect(decoded.entries).toEqual(knowledge.entries);
    expect(decoded.pages.map((stored) => stored.read())).toEqual([page]);
    expect(decoded.snapshot).toEqual(knowledge.snapshot);
    expect(decoded.vectors).toEqual(knowledge.vectors);
  });

  it("reads bytes that begin at an odd address", () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);

    expect(decodeKnowledge(shifted.subarray(1), "print")).not.toHaveProperty("problem");
  });

  it("says why bytes are not used", () => {
    const newer = Uint8Array.from(bytes);
    newer[8] = 9;

    expect(decodeKnowledge(bytes, "other print")).toEqual({ problem: "other-options" });
    expect(decodeKnowledge(newer, "print")).toEqual({ problem: "other-version" });
    expect(decodeKnowledge(new Uint8Array(), "print")).toEqual({ problem: "foreign" });
    expect(decodeKnowledge(Buffer.from("<html>nothing of ours"), "print")).toEqual({
      problem: "foreign",
    });
  });

  it("notices every cut and every changed byte", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, by) => {
        const changed = Uint8Array.from(bytes);
        changed[at] = ((changed[at] ?? 0) + by) % 256;

        expect(decodeKnowledge(changed, "print")).toHaveProperty("problem");
        expect(decodeKnowledge(bytes.subarray(0, at), "print")).toHaveProperty("problem");
      }),
      { numRuns: 1_000 },
    );
  });
});
