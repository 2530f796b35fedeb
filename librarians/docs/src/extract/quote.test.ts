import { describe, expect, it } from "vitest";
import { pagesOf } from "../../test/pages-of.js";
import { createDocsLibrarian } from "../docs-librarian.js";
import { navigatorResponseSchema } from "../navigator/navigator-response.schema.js";

const other = "# Other\n\nNothing of the kind.\n";

async function answer(page: string, query: string): Promise<string> {
  const { librarian } = createDocsLibrarian({
    pages: pagesOf({ "page.md": page, "other.md": other }),
    description: "Operations.",
  });
  const { metadata } = await librarian(query);
  return navigatorResponseSchema.parse(metadata?.navigator).answer;
}

const filler = (count: number) =>
  Array.from(
    { length: count },
    (_, at) => `Background number ${at} about storage and its history in detail.`,
  ).join(" ");

describe("a quotation", () => {
  it("is the whole section up to 2,500 characters", async () => {
    const text = `${filler(37)}\n\nThe last word is zebra.`;
    const quoted = await answer(`# Restore a backup\n\n${text}\n`, "restore a backup");

    expect(text.length).toBeGreaterThan(2_200);
    expect(quoted).toContain(text);
    expect(quoted).not.toContain("...");
  });

  it("keeps every step of a procedure, with what stands below the steps", async () => {
    const steps = Array.from(
      { length: 14 },
      (_, at) =>
        `${at + 1}. Do step ${at + 1} of the restore with care:\n\n   \`\`\`sh\n   restore --step ${at + 1}\n   \`\`\``,
    ).join("\n\n");
    const quoted = await answer(
      `# Restore a backup\n\n${filler(25)}\n\nTo restore a backup:\n\n${steps}\n\n${filler(25)}\n`,
      "how do I restore a backup?",
    );

    expect(quoted).toContain(`To restore a backup:\n\n${steps}`);
    expect(quoted).toContain("\n\n...");
    expect(quoted.length).toBeLessThanOrEqual(4_000);
  });

  it("never leaves out a warning", async () => {
    const quoted = await answer(
      `# Restore a backup\n\n${filler(20)}\n\nA restore takes an hour.\n\n${filler(30)}\n\n> [!CAUTION]\n> It overwrites all data.\n\n${filler(10)}\n`,
      "how long does a restore of a backup take?",
    );

    expect(quoted).toContain("A restore takes an hour.");
    expect(quoted).toContain("> **Caution:** It overwrites all data.");
  });

  it("keeps a paragraph with the one it refers to, and code with its lead-in", async () => {
    const quoted = await answer(
      `# Storage\n\n${filler(40)}\n\nThe journal is kept for a week.\n\nThis rotates with the zebra setting.\n\nSet it with this command.\n\n\`\`\`sh\nstorage set zebra\n\`\`\`\n\n${filler(20)}\n`,
      "what rotates with the zebra setting?",
    );

    expect(quoted).toContain(
      "The journal is kept for a week.\n\nThis rotates with the zebra setting.",
    );
    expect(quoted).toContain("Set it with this command.\n\n```sh\nstorage set zebra\n```");
  });

  it("is cut at the end of an item where a list is longer than an answer", async () => {
    const items = Array.from(
      { length: 120 },
      (_, at) => `${at + 1}. Restore part ${at + 1} of the backup by hand.`,
    );
    const quoted = await answer(`# Restore a backup\n\n${items.join("\n")}\n`, "restore a backup");

    const lines = quoted.split("\n\n");
    expect(lines.at(-1)).toBe("...");
    expect(items).toContain(lines.at(-2)?.split("\n").at(-1));
    expect(quoted.length).toBeLessThanOrEqual(4_000);
  });
});
