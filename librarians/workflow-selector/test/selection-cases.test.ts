import { describe, expect, it } from "vitest";
import { selectionData } from "../eval/data-folder.js";
import { measure } from "../eval/measure.js";

const folder = selectionData();

describe.skipIf(folder === undefined)("the real incidents (skipped without their data)", () => {
  it("CAT-034 get the right workflow in at least 85 % of the cases that name one, and never a forbidden one", async () => {
    const { figures } = await measure(folder ?? "");
    const share =
      Number(figures["of these, the right one proposed"]) /
      Number(figures["strict cases that name a workflow"]);

    expect(share).toBeGreaterThanOrEqual(0.85);
    expect(figures["forbidden workflows proposed"]).toBe(0);
    expect(figures["tokens per entry in the view, at 4 characters each"]).toBeLessThanOrEqual(60);
  });
});
