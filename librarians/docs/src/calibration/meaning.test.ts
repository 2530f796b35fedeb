import type { Embedder } from "@constellation/retrieval";
import { describe, expect, it, vi } from "vitest";
import { pagesOf } from "../../test/pages-of.js";
import { createDocsLibrarian } from "../docs-librarian.js";

const pages = {
  "billing.md": "# Billing\n\n## Restart the service\n\nDrain the queue, then restart both pods.\n",
  "mail.md": "# Mail\n\n## Queue\n\nMails wait in a queue.\n",
};
const query = "restart a tractor";

interface Retrieval {
  readonly answerable: number;
  readonly features: { readonly nearest: number };
}

/** What a search for {@link query} tells, with an embedder for which its cosine to every section is given. */
async function retrievalWith(cosine: number, asked = query): Promise<Retrieval> {
  const embedder: Embedder = {
    id: `cosine-${cosine}`,
    dimensions: 2,
    embed: async (texts) =>
      texts.map((text) =>
        text === asked
          ? Float32Array.of(cosine, Math.sqrt(1 - cosine * cosine))
          : Float32Array.of(1, 0),
      ),
  };
  const { librarian } = createDocsLibrarian({
    pages: pagesOf(pages),
    description: "Billing.",
    embedder,
  });
  // Sections are embedded beside the first searches.
  return vi.waitFor(async () => {
    const { metadata } = await librarian(asked);
    const retrieval = metadata?.retrieval as Retrieval; // as the librarian documents it
    expect(retrieval.features.nearest).toBeGreaterThan(-1);
    return retrieval;
  }, 20_000);
}

describe("the chance of an answer, with an embedder", () => {
  it("grows with how near the pages are in meaning", async () => {
    const [near, far] = [await retrievalWith(0.8), await retrievalWith(0)];

    expect(near.features.nearest).toBeCloseTo(0.8, 2);
    expect(far.features.nearest).toBeCloseTo(0, 2);
    expect(near.answerable).toBeGreaterThan(far.answerable + 0.2);
  });

  it("is there where pages are near and share no word with the query", async () => {
    const asked = "mend machinery";
    const [near, far] = [await retrievalWith(0.9, asked), await retrievalWith(0, asked)];

    expect(near.answerable).toBeGreaterThan(far.answerable + 0.1);
  });

  it("rests on words alone without one", async () => {
    const { librarian } = createDocsLibrarian({ pages: pagesOf(pages), description: "Billing." });

    const { metadata } = await librarian(query);

    expect(metadata?.retrieval).toMatchObject({ features: { nearest: -1 } });
  });
});
