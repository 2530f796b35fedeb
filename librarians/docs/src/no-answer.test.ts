import { describe, expect, it } from "vitest";
import { pagesOf } from "../test/pages-of.js";
import { createDocsLibrarian } from "./docs-librarian.js";

const { librarian } = createDocsLibrarian({
  pages: pagesOf({
    "billing.md":
      "# Billing\n\n## Restart the service\n\nDrain the queue, then restart both pods.\n",
    "mail.md": "# Mail\n\n## Queue\n\nMails wait in a queue.\n",
  }),
  description: "Running checkout.",
});

describe("a refusal", () => {
  it("names the sections nearest to a question that the pages may answer, and does not call it foreign", async () => {
    const { answer, error } = await librarian(
      "every morning the queue eats my lunch, restart does nothing useful",
    );

    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "no-information" } });
    expect(error?.suggestion).toContain(
      'Nearest sections: "Restart the service" (billing.md), "Queue" (mail.md).',
    );
  });

  it("names none where the pages have nothing of the question", async () => {
    const { error } = await librarian("bake a cake with cherries");

    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "out-of-domain" } });
    expect(error?.suggestion).not.toContain("Nearest");
  });
});
