import { expect, it } from "vitest";
import { killProcesses } from "../test/kill-processes.js";

it("a run survives that its processes are killed: nothing finished is asked again, no effect is done twice", async () => {
  const report = await killProcesses([5, 13, 19, 22, 25, 27]);

  expect(report).toMatchObject({ unfinished: [], notOnce: [], repeated: [], problems: [] });
  expect(report.kills).toBeGreaterThanOrEqual(4);
  expect(report.runs).toBeGreaterThanOrEqual(2);
});
