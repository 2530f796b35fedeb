import { createAnalyzer, createSectionIndex, parseMarkdown } from "@constellation/retrieval";
import { describe, expect, it } from "vitest";
import { pagesOf } from "../../test/pages-of.js";
import { createDocsLibrarian } from "../docs-librarian.js";
import type { NavigatorResponse } from "../navigator/navigator-response.js";
import { findAstray } from "./astray.js";

const checkout = `# Checkout

## Roll back a release

Go back to the previous revision, then wait until it is ready:

    kubectl -n shop rollout undo deployment/checkout

Tell the on-call engineer of payments before you do.

## Restart

Drain the queue first, then restart the pods one by one:

    kubectl -n shop rollout restart deployment/checkout
`;
const payments = checkout
  .replaceAll("heckout", "ayments")
  .replaceAll("C", "P")
  .replaceAll("cayments", "payments");
const analyzer = createAnalyzer();

function astrayIn(query: string) {
  const index = createSectionIndex();
  index.set(parseMarkdown(checkout, { file: "checkout.md" }));
  const { hits, facts } = index.search(query);
  const [best] = hits;
  return best && findAstray(query, facts, best, analyzer);
}

async function ask(query: string, pages: Record<string, string>) {
  const { librarian } = createDocsLibrarian({
    pages: pagesOf(pages),
    description: "Runbooks of the shop.",
  });
  const { answer = "", confidence, metadata } = await librarian(query);
  return { answer, confidence, navigator: metadata?.navigator as NavigatorResponse | undefined }; // as it documents
}

describe("findAstray", () => {
  it.each([
    ["How do I roll back payments?", "payment"],
    ["How do I restart search?", "search"],
  ])("finds in %j what the section only mentions, or does not have", (query, term) => {
    expect(astrayIn(query)).toMatchObject({ term });
  });

  it.each([
    "How do I roll back checkout?",
    "rollback checkout",
    "How do I roll back?",
    "How do I roll back a release?",
    "restart checkout",
  ])("finds nothing in %j, which names the page, the heading, or nothing", (query) => {
    expect(astrayIn(query)).toEqual({ term: undefined, share: 0 });
  });
});

describe("a question that names one thing", () => {
  it("is answered with low confidence, and why, from the page of another", async () => {
    const { confidence, navigator } = await ask("How do I roll back payments?", {
      "checkout.md": checkout,
    });

    expect(confidence).toBe(0.4);
    expect(navigator?.confidenceReason).toContain(
      'the question asks about "payments", and the section "Roll back a release" of checkout.md is about something else',
    );
  });

  it("is answered from its own page where there is one, as sure as before", async () => {
    for (const name of ["checkout", "payments"]) {
      const asked = `How do I roll back ${name}?`;
      const both = await ask(asked, { "checkout.md": checkout, "payments.md": payments });

      expect(both.navigator?.sources[0]?.file).toBe(`${name}.md`);
    }
    expect(
      (await ask("How do I roll back checkout?", { "checkout.md": checkout })).confidence,
    ).toBe(0.9);
  });
});
