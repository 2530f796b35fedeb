import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createRouter } from "@constellation/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { testNow, vizagNotes, vizagSales } from "../test/sample-market.js";
import { ragResponseSchema } from "./contract/rag-response.schema.js";
import { createRagAdvisoryLibrarian } from "./rag-advisory-librarian.js";
import { openFileStore } from "./store/file/file-store.js";

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

const fair = "Is 48 lakhs fair for a 2BHK in Vizag?";
const signal = new AbortController().signal;

async function filledFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "advisory-"));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const folder = join(parent, "store");
  const store = await openFileStore(folder);
  await store.add([...vizagSales, ...vizagNotes]);
  await store.close();
  return folder;
}

function overFolder(path: string) {
  const definition = createRagAdvisoryLibrarian({ path, now: () => testNow });
  onTestFinished(async () => definition.close?.(signal));
  return definition;
}

describe("a librarian over a folder", () => {
  it("advises from it, and keeps the evidence in a file beside it", async () => {
    const folder = await filledFolder();
    const definition = overFolder(folder);

    const response = await definition.librarian(fair);
    await definition.close?.(signal);

    expect(response.answer).toContain("14 data rows");
    const lines = (await readFile(`${folder}.evidence.jsonl`, "utf8")).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line).eventType)).toEqual([
      "RAG_ADVISORY_QUERY",
      "RAG_ADVISORY_RETRIEVAL",
      "RAG_ADVISORY_GIVEN",
    ]);
  });

  it("opens the store again after it was closed", async () => {
    const definition = overFolder(await filledFolder());
    await definition.librarian(fair);
    await definition.close?.(signal);

    expect((await definition.librarian(fair)).error).toBeUndefined();
  });

  it("RAG-038 RAG-039: says DATA_SOURCE_ERROR and gives the empty advisory where the store is corrupt", async () => {
    const folder = await filledFolder();
    await writeFile(join(folder, "chunks.log"), "no log of chunks at all\n".repeat(100));

    const { error, metadata, answer } = await overFolder(folder).librarian(fair);

    expect(answer).toBeUndefined();
    expect(error).toMatchObject({ code: "DATA_SOURCE_ERROR", recoverable: true });
    expect(ragResponseSchema.parse(metadata?.ragAdvisory)).toMatchObject({
      summary: "RAG advisory unavailable",
      confidence: 0,
    });
  });
});

describe("a librarian over Postgres", () => {
  it("says DATA_SOURCE_ERROR where no server answers, and nothing of its url", async () => {
    const { librarian } = createRagAdvisoryLibrarian({
      postgres: "postgres://reader:hunter2@127.0.0.1:1/advisory",
    });

    const response = await librarian(fair);

    expect(response.error?.code).toBe("DATA_SOURCE_ERROR");
    expect(JSON.stringify(response)).not.toMatch(/hunter2|127\.0\.0\.1/);
  });
});

describe("a folder of documents", () => {
  const advise = (text: string) =>
    `---\ncountry: IN\ncity: Visakhapatnam\ndate: 2026-09-01\n---\n\n# Vizag\n\n${text}\n`;
  const ask = (mesh: ReturnType<typeof meshOver>) => mesh.ask("How are flat prices in Vizag?");

  it("is followed: new, changed and removed documents are so in the next answer", async () => {
    const folder = await mkdtemp(join(tmpdir(), "documents-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, "a.md"), advise("Flat prices rose 6 % in 2026 in Vizag."));
    const mesh = meshOver(folder);
    expect((await ask(mesh)).answer).toContain("6 %");

    await writeFile(join(folder, "b.md"), advise("Rents of flats rose 4 % in 2026 in Vizag."));
    await writeFile(join(folder, "a.md"), advise("Flat prices rose 17.5 % in 2026 in Vizag."));
    const { answer } = await ask(mesh);
    expect(answer).toContain("17.5 %");
    expect(answer).not.toContain("6 %");
    expect(answer).toContain("Rents of flats");

    await rm(join(folder, "b.md"));
    expect((await ask(mesh)).answer).not.toContain("Rents of flats");
  });

  it("keeps what it had while it is away, and is read when it comes back", async () => {
    const parent = await mkdtemp(join(tmpdir(), "documents-"));
    onTestFinished(() => rm(parent, { recursive: true, force: true }));
    const folder = join(parent, "notes");
    const mesh = meshOver(folder);
    expect((await ask(mesh)).error?.code).toBe("DATA_SOURCE_ERROR");

    await mkdir(folder);
    await writeFile(join(folder, "a.md"), advise("Flat prices rose 6 % in 2026 in Vizag."));
    expect((await ask(mesh)).answer).toContain("6 %");
    await rename(folder, join(parent, "away"));
    expect((await ask(mesh)).answer).toContain("6 %");

    await rename(join(parent, "away"), folder);
    await writeFile(join(folder, "a.md"), advise("Flat prices rose 17.5 % in 2026 in Vizag."));
    expect((await ask(mesh)).answer).toContain("17.5 %");
  });
});
