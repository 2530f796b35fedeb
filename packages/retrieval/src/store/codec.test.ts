import { describe, expect, it } from "vitest";
import { parseMarkdown } from "../markdown/parse-markdown.js";
import { createSectionIndex } from "../sections/section-index.js";
import { decodeRecord, encodeRecord, type KnowledgeRecord } from "./codec.js";

const page = parseMarkdown(
  "---\ntitle: T\n---\n# Größe\n\nSee [b](b.md).\n\n```sh\nls\n```\n\n| a |\n| - |\n| b |\n",
  { file: "a.md" },
);
const index = createSectionIndex();
index.set(page);
const record: KnowledgeRecord = {
  isBase: false,
  firstTerm: 7,
  removed: ["gone.md"],
  entries: [{ file: "a.md", bytes: 3, modifiedMs: 1.5 }],
  pages: index.storedPages(["a.md"]),
  snapshot: index.snapshot({ parents: ["a.md"], firstTerm: 0, endTerm: index.termCount }),
  vectors: { embedder: "e", dimensions: 2, ids: ["a.md#0"], rows: Float32Array.of(1, 0) },
};
const bytes = encodeRecord(record, "print");

describe("decodeRecord", () => {
  it("returns what was encoded, and the same bytes when it is encoded again", () => {
    const decoded = decodeRecord(bytes, "print");

    if ("problem" in decoded) throw new Error(decoded.problem);
    const { pages, ...rest } = decoded;
    const { pages: stored, ...others } = record;
    expect(rest).toEqual(others);
    expect(pages.map((each) => each.read())).toEqual([page]);
    expect(stored).toHaveLength(1);
    expect(Buffer.from(encodeRecord(decoded, "print")).equals(bytes)).toBe(true);
  });

  it("reads bytes that begin at an odd address", () => {
    const shifted = new Uint8Array(bytes.length + 1);
    shifted.set(bytes, 1);

    expect(decodeRecord(shifted.subarray(1), "print")).not.toHaveProperty("problem");
  });

  it("says why bytes are not used", () => {
    expect(decodeRecord(bytes, "other print")).toEqual({ problem: "other-options" });
    for (let length = 0; length < bytes.length; length++) {
      expect(decodeRecord(bytes.subarray(0, length), "print")).toEqual({ problem: "corrupt" });
    }
  });
});
