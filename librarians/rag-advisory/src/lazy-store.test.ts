import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRouter } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";

const sampleData = fileURLToPath(new URL("../sample-data", import.meta.url));

function meshOver(documents: string) {
  const router = createRouter();
  const now = () => Date.parse("2026-11-01");
  router.register(createRagAdvisoryLibrarian({ documents, now }));
  return router;
}

describe("documents", () => {
  it("are read into memory at the first question", async () => {
    const { answer, sources, error } = await meshOver(sampleData).ask(
      "Is 48 lakhs fair for a 2BHK in Vizag?",
    );

    expect(error).toBeUndefined();
    expect(answer).toContain("Visakhapatnam");
    expect(sources?.length).toBeGreaterThan(0);
  });

  it("that are not there, or hold nothing, are a data source that fails", async () => {
    const folder = await mkdtemp(join(tmpdir(), "documents-"));
    await writeFile(join(folder, "photo.png"), "no text");

    for (const documents of [folder, join(folder, "missing")]) {
      const { error } = await meshOver(documents).ask("Is 48 lakhs fair for a 2BHK in Vizag?");
      expect(error?.code, documents).toBe("DATA_SOURCE_ERROR");
    }
  });
});
