import { createAnalyzer, createSectionIndex, parseMarkdown } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { createDomain } from "./domain.js";

const index = createSectionIndex();
index.set(parseMarkdown("# Pods\n\nA pod runs containers on a node.\n", { file: "pods.md" }));
const domain = createDomain(["Kubernetes operations"], createAnalyzer());
const has = (query: string) => domain.has(index.search(query).facts);

describe("createDomain", () => {
  it("NAV-025 has nothing of a query whose words neither it nor the pages know", () => {
    expect(has("which index speeds up a join of tables?")).toBe(false);
  });

  it("NAV-026 has a query that names it, and one whose words the pages know", () => {
    expect(has("how do I install kubernetes?")).toBe(true);
    expect(has("which pod runs on which node?")).toBe(true);
  });
});
