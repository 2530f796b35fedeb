import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, createSqliteStore } from "@constellation/journal";
import { afterAll, describe, expect, it } from "vitest";
import { createOutcomes, type Outcome, openOutcomes } from "../src/index.js";

const folder = mkdtempSync(join(tmpdir(), "outcomes-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let made = 0;
const newFile = () => join(folder, `${made++}.db`);

const outcome = (event: Outcome["event"], more: Partial<Outcome> = {}): Outcome => ({
  ...{ workflow_id: "oomkill-scale-down", version: "1.0.0", event, at: "2026-05-04T10:00:00Z" },
  ...more,
});

describe("outcomes", () => {
  it("are none at first, and read as they were recorded, the oldest first, by another store too", async () => {
    const file = newFile();
    const outcomes = openOutcomes(file);
    expect(await outcomes.read()).toEqual([]);
    const recorded = [
      outcome("approved", { by: "ana", note: 'it\'s "urgent"; -- \n第二 line' }),
      outcome("succeeded", { signal_type: "OOMKilled", environment: "production" }),
      outcome("failed", { workflow_id: "x'); DROP TABLE documents; --" }),
    ];
    for (const one of recorded) await outcomes.record(one);

    expect(await outcomes.read()).toEqual(recorded);
    expect(await openOutcomes(file).read()).toEqual(recorded);
    expect(await createOutcomes(createSqliteStore({ file })).read()).toEqual(recorded);
    expect(statSync(file).mode & 0o077).toBe(0);
  });

  it("are all kept where many are recorded at once", async () => {
    const outcomes = openOutcomes(newFile());
    await Promise.all(
      Array.from({ length: 40 }, (_, at) =>
        outcomes.record(outcome("succeeded", { note: `n${at}` })),
      ),
    );

    expect(new Set((await outcomes.read()).map(({ note }) => note)).size).toBe(40);
  });

  it("keep no secret of a note", async () => {
    const outcomes = createOutcomes(createMemoryStore());
    const secret = ["hunter2", "hunter2"].join("");
    await outcomes.record(outcome("failed", { note: `login with password=${secret} failed` }));

    expect(await outcomes.read()).toMatchObject([
      { note: "login with password=[REDACTED] failed" },
    ]);
  });

  it("refuse what is not an outcome, naming the field, and keep nothing of it", async () => {
    const outcomes = createOutcomes(createMemoryStore());

    await expect(outcomes.record(outcome("approved", { at: "yesterday" }))).rejects.toThrow(/at:/);
    await expect(outcomes.record({ ...outcome("approved"), extra: 1 } as Outcome)).rejects.toThrow(
      TypeError,
    );
    expect(await outcomes.read()).toEqual([]);
  });

  it("are not read for a caller that does not wait any more", async () => {
    const outcomes = createOutcomes(createMemoryStore());

    await expect(outcomes.read(AbortSignal.abort())).rejects.toThrow();
  });

  it("reject where Postgres is not reached, and name what replaces a file of lines", async () => {
    const away = openOutcomes("postgres://nobody@127.0.0.1:1/none");

    await expect(away.read()).rejects.toThrow();
    expect(() => openOutcomes("outcomes.jsonl")).toThrow(/expected the file of a journal/);
  });
});
