import { createRouter } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createTriageLibrarian } from "./triage-librarian.js";

const length = 100_000;
const filled = (part: string) => part.repeat(Math.ceil(length / part.length)).slice(0, length);

function meshWith(description: string) {
  const router = createRouter({ entry: "triage" });
  router.register(createTriageLibrarian());
  router.register({ id: "billing", description, librarian: async () => ({ answer: "x" }) });
  return router;
}

describe("text of others", () => {
  it.each([
    ["borders", filled(", and")],
    ["blanks", `a${filled(" ")}b`],
    ["line breaks", `a${filled("\n")}b`],
    ["words that point back", filled("that ")],
    ["many words", Array.from({ length: length / 8 }, (_, at) => `w${at}`).join(" ")],
    ["marks", filled("?!")],
    ["camels", filled("aB1")],
    ["accents", filled("e\u0301")],
    ["questions", filled("why ")],
  ])("takes little time as a question of 100,000 characters: %s", async (_, query) => {
    const router = meshWith("Knows about invoices.");
    const before = process.cpuUsage();
    await router.ask(query);
    await router.ask("Why that?", { metadata: { conversation: [{ query, answer: "" }] } });
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  it("is harmless in a suggestion", async () => {
    const { error } = await meshWith(
      "\u001b[31mInvoices\u202E ![p](http://evil.example/?q=1) [c](javascript:alert(1)) <img src=x>\u2028next",
    ).ask("Where do penguins nest?");

    expect(error?.suggestion).toContain("Invoices");
    expect(error?.suggestion).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|!\[|\]\(|<img/u);
  });
});
