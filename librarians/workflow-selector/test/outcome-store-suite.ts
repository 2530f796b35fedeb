import { expect, it } from "vitest";
import type { Outcome, OutcomeStore } from "../src/index.js";

/** An outcome, complete. */
export const outcome = (event: Outcome["event"], more: Partial<Outcome> = {}): Outcome => ({
  workflow_id: "oomkill-scale-down",
  version: "1.0.0",
  event,
  at: "2026-05-04T10:00:00Z",
  ...more,
});

/** How an outcome store is made for a test: `reopen` gives another store over the same outcomes. */
export interface OutcomeStoreSetup {
  readonly store: OutcomeStore;
  reopen(): OutcomeStore;
}

/** What every {@link OutcomeStore} does, whatever keeps the outcomes. */
export function itBehavesLikeAnOutcomeStore(setUp: () => OutcomeStoreSetup): void {
  it("has none at first", async () => {
    expect(await setUp().store.read()).toEqual([]);
  });

  it("gives them as they were recorded, the oldest first, to another store too", async () => {
    const { store, reopen } = setUp();
    const recorded = [
      outcome("approved", {
        by: "ana",
        note: 'it\'s "urgent"; -- \n第二 line',
        at: "2026-05-04T12:00:00+02:00",
      }),
      outcome("succeeded", { signal_type: "OOMKilled", environment: "production" }),
      outcome("failed", { workflow_id: "x'); DROP TABLE workflow_outcomes; --" }),
    ];
    for (const one of recorded) await store.record(one);

    expect(await store.read()).toEqual(recorded);
    expect(await reopen().read()).toEqual(recorded);
  });

  it("keeps all of many that are recorded at once", async () => {
    const { store } = setUp();
    await Promise.all(
      Array.from({ length: 40 }, (_, at) => store.record(outcome("succeeded", { note: `n${at}` }))),
    );

    expect(new Set((await store.read()).map(({ note }) => note)).size).toBe(40);
  });

  it("keeps no secret of a note", async () => {
    const { store } = setUp();
    const secret = ["hunter2", "hunter2"].join("");
    await store.record(outcome("failed", { note: `login with password=${secret} failed` }));

    expect(await store.read()).toMatchObject([{ note: "login with password=[REDACTED] failed" }]);
  });

  it("refuses what is not an outcome, naming the field, and keeps nothing of it", async () => {
    const { store } = setUp();

    await expect(store.record(outcome("approved", { at: "yesterday" }))).rejects.toThrow(/at:/);
    await expect(store.record({ ...outcome("approved"), extra: 1 } as Outcome)).rejects.toThrow(
      TypeError,
    );
    expect(await store.read()).toEqual([]);
  });

  it("reads nothing for a caller that does not wait any more", async () => {
    await expect(setUp().store.read(AbortSignal.abort())).rejects.toThrow();
  });
}
