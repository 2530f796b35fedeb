import assert from "node:assert/strict";
import { createRouter } from "@constellation/core";
import { createJournal, createMemoryStore, replayRun, type SavedRun } from "@constellation/journal";
import fc from "fast-check";
import { describe, it } from "vitest";
import {
  definitionsOf,
  greedyModel,
  mayHang,
  type Scenario,
  scenario,
  type Witness,
} from "./random-mesh.js";

const runs = Number(process.env.CONSTELLATION_REPLAYS ?? 100);

describe("a saved run of a random mesh", () => {
  it("gives the same response again, without a call of a librarian or a model", async () => {
    const all = fc
      .sample(scenario, { numRuns: 6 * runs, seed: 20_261_123 })
      .filter((each) => !mayHang(each) && !mergesByFunction(each))
      .slice(0, runs);
    assert.equal(all.length, runs);
    // Few at once: what is recorded in the last milliseconds before a deadline is not in order on a busy event loop.
    for (let index = 0; index < all.length; index += 8) {
      await Promise.all(all.slice(index, index + 8).map(replay));
    }
  });
});

/** Longer than any of its delays: what is still under way then hangs. */
async function replay(given: Scenario): Promise<void> {
  const each = { ...given, router: { ...given.router, timeoutMs: 3_000 } };
  const witness: Witness = { calls: 0, tokens: 0, timers: 0 };
  const journal = createJournal({ store: createMemoryStore() });
  const router = createRouter({ ...each.router, name: "m", journal, ai: greedyModel(witness) });
  for (const definition of definitionsOf(each, witness)) router.register(definition);
  const run = router.start("why?", { ...each.ask, to: "l0" });
  const response = await run.response;
  if (response.error !== undefined && witness.calls === 0) {
    await router.close();
    return; // refused before anything was called
  }
  const saved = JSON.parse(JSON.stringify(await journal.save(run.id))) as SavedRun;
  await router.close();

  const { calls } = witness;
  const offline = createRouter({ ...each.router, name: "m", ai: greedyModel(witness) });
  for (const definition of definitionsOf(each, witness)) offline.register(definition);
  const replayed = replayRun(offline, saved);
  assert.equal(
    JSON.stringify(await replayed.response),
    JSON.stringify(response),
    JSON.stringify(given),
  );
  assert.equal(witness.calls, calls);
  await offline.close();
}

/** A function in a response is not data: such a run is not saved whole. */
function mergesByFunction({ librarians }: Scenario): boolean {
  return librarians.some(({ act }) => act.kind === "delegate" && typeof act.merge === "function");
}
