import { describe, expect, it } from "vitest";
import { installRestate } from "../src/testing.js";
import { killWorkers } from "./kill-workers.js";
import { serverHome } from "./server-home.js";

const program = installRestate(serverHome);

describe.skipIf(program === undefined)("a run on Restate", { timeout: 120_000 }, () => {
  it("survives that its processes are killed: nothing finished is asked again, no effect is done twice", async () => {
    const report = await killWorkers(program ?? "", 2);

    expect(report).toMatchObject({ wrong: [], notOnce: [], repeated: [] });
    expect(report.kills).toBeGreaterThanOrEqual(2);
  });
});
