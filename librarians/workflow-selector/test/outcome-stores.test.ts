import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import {
  createOutcomeFile,
  createOutcomeSqlite,
  openOutcomes,
  type SqliteDatabase,
} from "../src/index.js";
import { itBehavesLikeAnOutcomeStore, outcome } from "./outcome-store-suite.js";

let made = 0;
const folder = mkdtempSync(join(tmpdir(), "outcomes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("outcomes in a file", () => {
  itBehavesLikeAnOutcomeStore(() => {
    const path = join(folder, `${made++}.jsonl`);
    return { store: createOutcomeFile(path), reopen: () => createOutcomeFile(path) };
  });
});

type DatabaseClass = new (path: string) => SqliteDatabase & { close(): void };

function sqlite(): DatabaseClass | undefined {
  try {
    return createRequire(import.meta.url)("node:sqlite").DatabaseSync;
  } catch {
    return undefined; // Node.js before 22.5
  }
}

const Database = sqlite();
if (Database === undefined) {
  console.warn(
    "SKIPPED: outcomes in SQLite; run the tests with Node.js 22.13 or later to have it tested.",
  );
}

describe.skipIf(Database === undefined)("outcomes in SQLite", () => {
  const opened: { close(): void }[] = [];
  afterAll(() => {
    for (const one of opened) one.close();
  });

  itBehavesLikeAnOutcomeStore(() => {
    const path = join(folder, `${made++}.sqlite`);
    const open = () => {
      if (Database === undefined) throw new Error("skipped");
      const database = new Database(path);
      opened.push(database);
      return createOutcomeSqlite(database);
    };
    return { store: open(), reopen: open };
  });
});

describe("outcomes that a text names", () => {
  it("are in a file where it is a path", async () => {
    const path = join(folder, "named.jsonl");
    await openOutcomes(path).record(outcome("approved"));

    expect(await createOutcomeFile(path).read()).toEqual([outcome("approved")]);
  });

  it.skipIf(Database === undefined)("are in SQLite where it ends so", async () => {
    const path = join(folder, "named.sqlite");
    await openOutcomes(path).record(outcome("approved"));

    expect(await openOutcomes(path).read()).toEqual([outcome("approved")]);
  });

  it("are in Postgres where it is a URL, and reject when it is not reached", async () => {
    const store = openOutcomes("postgres://nobody@127.0.0.1:1/none");

    await expect(store.read()).rejects.toThrow();
  });
});
