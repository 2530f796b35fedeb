import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { testJournalStore } from "../store-suite.js";
import { openSqlite } from "./sqlite-driver.js";
import { createSqliteStore } from "./sqlite-store.js";

const folders: string[] = [];
function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "journal-"));
  folders.push(folder);
  return join(folder, "state", "journal.db");
}
function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
}

for (const mode of ["fast", "power-safe"] as const) {
  let file = "";
  testJournalStore(`SQLite, ${mode}`, {
    create() {
      file = newFile();
      return createSqliteStore({ file, mode });
    },
    share: () => createSqliteStore({ file, mode }),
    remove: removeFolders,
  });
}

describe("a SQLite store", () => {
  afterEach(removeFolders);

  async function written(file: string, count: number): Promise<void> {
    const store = createSqliteStore({ file });
    await store.open();
    for (let index = 0; index < count; index++) {
      const runId = `run-${index}`;
      await store.write([
        { type: "create-run", runId, user: undefined, owner: "one", at: index, request: "{}" },
        {
          ...{ type: "append", runId, key: "k8s", phase: "outcome", kind: "hop", epoch: 1, at: 1 },
          body: JSON.stringify("x".repeat(500)),
        },
      ]);
    }
    await store.close();
  }

  it("lets only its own user read the file", async () => {
    const file = newFile();
    await written(file, 1);

    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("opens a file that was cut at any byte, or says that it is damaged and sets it aside", async () => {
    const file = newFile();
    await written(file, 20);
    const whole = readFileSync(file);
    const outcomes = new Set<string>();
    for (let cut = 0; cut < whole.length; cut += 1 + (whole.length >> 5)) {
      const damaged = newFile().replace(/state.journal.db$/, "cut.db");
      writeFileSync(damaged, whole.subarray(0, cut));
      const store = createSqliteStore({ file: damaged });
      const lost = await store.open();
      const runs = await store.listRuns({ limit: 100 });
      for (const { id } of runs) await store.readEntries(id);
      outcomes.add(lost === undefined ? `${runs.length} runs` : "set aside");
      if (lost !== undefined) {
        expect(lost).toContain(`The journal ${damaged} is damaged. It was moved to ${damaged}.`);
        const aside = readdirSync(join(damaged, "..")).filter((each) => each.includes("damaged"));
        expect(readFileSync(join(damaged, "..", aside[0] ?? "")).length).toBe(cut);
      }
      await store.close();
    }

    expect([...outcomes].sort()).toEqual(["0 runs", "set aside"]);
  });

  it("keeps every commit before the place where its log was cut", async () => {
    const file = newFile();
    const store = createSqliteStore({ file });
    await store.open();
    for (let index = 0; index < 20; index++) {
      await store.write([
        {
          ...{ type: "create-run", runId: `run-${index}`, user: undefined, owner: "one" },
          ...{ at: index, request: "{}" },
        },
      ]);
    }
    const [main, log] = [readFileSync(file), readFileSync(`${file}-wal`)];
    await store.close();
    let before = 0;
    for (let cut = 0; cut <= log.length; cut += log.length / 16) {
      const damaged = newFile().replace(/state.journal.db$/, "cut.db");
      writeFileSync(damaged, main);
      writeFileSync(`${damaged}-wal`, log.subarray(0, Math.floor(cut)));
      const reopened = createSqliteStore({ file: damaged });
      expect(await reopened.open()).toBeUndefined();
      const runs = await reopened.listRuns({ limit: 100 });
      const ids = runs.map(({ id }) => id).reverse();
      expect(ids).toEqual(ids.map((_, index) => `run-${index}`));
      expect(ids.length).toBeGreaterThanOrEqual(before);
      before = ids.length;
      await reopened.close();
    }
    expect(before).toBe(20);
  });

  it("refuses a file that a newer version has written, and one that is no file", async () => {
    const file = newFile();
    await written(file, 1);
    const database = await openSqlite(file);
    database.exec("PRAGMA user_version = 99");
    database.close();

    await expect(createSqliteStore({ file }).open()).rejects.toThrow(
      `The journal ${file} cannot be opened: it was written by a newer version (99; known: 1).`,
    );
    await expect(createSqliteStore({ file: join(file, "..") }).open()).rejects.toThrow(
      `The journal ${join(file, "..")} cannot be opened: `,
    );
    const below = join(file, "below", "journal.db");
    await expect(createSqliteStore({ file: below }).open()).rejects.toThrow(
      /^The journal .* cannot be opened: EEXIST: .*\. Name a file in a folder that this process can write\.$/,
    );
    expect(() => createSqliteStore({ file: "" })).toThrow(
      new TypeError('file: expected a path, got "".'),
    );
  });

  it("says that it is not open", async () => {
    const store = createSqliteStore({ file: "journal.db" });

    await expect(store.listRuns({ limit: 1 })).rejects.toThrow(
      "The journal journal.db cannot be read: it is not open.",
    );
  });
});
