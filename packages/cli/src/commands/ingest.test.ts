import { describe, expect, it } from "vitest";
import { folderWith } from "../../test/folder.js";
import { run } from "../../test/run.js";

const location = "node_modules/@constellation/librarian-rag-advisory";

/** A package that reports what it was called with, in place of the real one. */
const telling = {
  [`${location}/package.json`]: '{ "type": "module", "exports": "./index.js" }',
  [`${location}/index.js`]: `export async function openStore(place, { createSchema }) {
  if (place.endsWith("broken")) throw new Error("The store " + place + " is damaged.");
  return { options: { place, createSchema }, close: async () => {} };
}
export async function ingest(store, paths, { onProgress, signal, ...options }) {
  onProgress?.({ file: paths[0], filesDone: 1, files: 1, chunks: 2, added: 2 });
  const told = JSON.stringify({ store: store.options, paths, options });
  const problems = options.city === "none" ? [{ file: "a.csv", line: 3, key: "price", message: "expected a number" }] : [];
  return { files: 1, chunks: 2, added: 2, unchanged: 0, removed: 0, problems, problemCount: problems.length, told };
}
`,
};

describe("constellation ingest", () => {
  it("fills a store that a mesh then answers from, and adds nothing twice", async () => {
    const cwd = folderWith({
      "market/vizag.md": `---
country: IN
city: Visakhapatnam
date: 2026-06-30
---

# MVP Colony

Two-bedroom flats in MVP Colony, Visakhapatnam, were sold for 46 to 52 lakhs in the first half of 2026.
`,
      "mesh.yaml": `librarians:
  - use: "@constellation/librarian-rag-advisory"
    options: { path: data, country: IN }
`,
    });

    const first = await run(["ingest", "-q", "--store", "data", "market"], { cwd });
    const again = await run(["ingest", "-q", "--json", "--store", "data", "market"], { cwd });
    const asked = await run(
      ["ask", "-q", "--json", "What do flats in MVP Colony, Visakhapatnam cost?"],
      { cwd },
    );

    expect([first.exitCode, first.stderr]).toEqual([0, ""]);
    expect(first.stdout).toMatch(
      /^1 file, [1-9]\d* chunks?: [1-9]\d* added, 0 unchanged, 0 removed\n$/,
    );
    expect(JSON.parse(again.stdout)).toMatchObject({ added: 0, files: 1 });
    expect(JSON.parse(asked.stdout)).toMatchObject({
      response: { sources: [{ name: "MVP Colony" }] },
    });
  });

  it("opens the store, ingests from this folder, and prints the report", async () => {
    const cwd = folderWith(telling);

    const text = await run(["ingest", "--store", "data", "docs"], { cwd });
    const json = await run(
      [
        "ingest",
        "-q",
        "--json",
        "--store",
        "data",
        "--create-table",
        "--country",
        "IN",
        "docs",
        "/abs",
      ],
      { cwd },
    );

    expect(text.exitCode).toBe(0);
    expect(text.stdout).toBe("1 file, 2 chunks: 2 added, 0 unchanged, 0 removed\n");
    expect(text.stderr).toBe(`1/1 ${cwd}/docs, 2 chunks added\n`);
    const { told } = JSON.parse(json.stdout) as { told: string };
    expect(JSON.parse(told)).toEqual({
      store: { place: `${cwd}/data`, createSchema: true },
      paths: [`${cwd}/docs`, "/abs"],
      options: { country: "IN", root: cwd },
    });
  });

  it("names each problem, and exits with 1", async () => {
    const { exitCode, stderr } = await run(
      ["ingest", "-q", "--store", "data", "--city", "none", "a.csv"],
      { cwd: folderWith(telling) },
    );

    expect([exitCode, stderr]).toEqual([1, "a.csv:3: price: expected a number\n"]);
  });

  it("takes a Postgres server from the environment, and never shows its password", async () => {
    const cwd = folderWith({
      ...telling,
      [`${location}/index.js`]: `export const ingest = () => {};
export const openStore = async (place) => { throw new Error("cannot reach " + place); };`,
    });

    const { exitCode, stderr } = await run(["ingest", "a.csv"], {
      cwd,
      env: { CONSTELLATION_STORE: "postgres://ann:hunter2@db/x" },
    });

    expect(exitCode).toBe(2);
    expect(stderr).toBe("error: cannot reach the store\n");
  });

  it("exits with 2 without a store, with one that is damaged, and where the package cannot", async () => {
    const cwd = folderWith(telling);
    const old = folderWith({ ...telling, [`${location}/index.js`]: "export const a = 1;" });

    const nameless = await run(["ingest", "docs"], { cwd });
    const broken = await run(["ingest", "--store", "broken", "docs"], { cwd });
    const outdated = await run(["ingest", "--store", "data", "docs"], { cwd: old });

    expect([nameless.exitCode, broken.exitCode, outdated.exitCode]).toEqual([2, 2, 2]);
    expect(nameless.stderr).toContain("--store FOLDER");
    expect(broken.stderr).toContain("is damaged");
    expect(outdated.stderr).toContain("cannot ingest");
  });
});
