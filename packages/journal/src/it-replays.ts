import { readFileSync } from "node:fs";
import type { Router } from "@constellation/core";
import { expect, it } from "vitest";
import { replayRun, type SavedRun } from "./replay.js";

/**
 * Registers a test that a mesh still gives the same result for a saved run, without calling librarians or models.
 * Call it within a test file.
 *
 * @param saved - What `journal.save` has returned, or the path of a JSON file with it.
 * @param createRouter - Makes the mesh. The test closes it.
 */
export function itReplays(
  saved: SavedRun | string,
  createRouter: () => Router | Promise<Router>,
): void {
  const run = typeof saved === "string" ? readSaved(saved) : saved;
  it(`replays the run ${run.id}`, async () => {
    const router = await createRouter();
    try {
      expect(await replayRun(router, run).response).toEqual(run.response);
    } finally {
      await router.close();
    }
  });
}

function readSaved(path: string): SavedRun {
  return JSON.parse(readFileSync(path, "utf8")) as SavedRun; // `replayRun` checks it
}
