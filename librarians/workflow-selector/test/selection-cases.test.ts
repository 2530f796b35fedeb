import { describe, expect, it } from "vitest";
import { selectionData } from "../eval/data-folder.js";
import { measure } from "../eval/measure.js";

const folder = selectionData();

describe.skipIf(folder === undefined)("the real incidents (skipped without their data)", () => {
  it("CAT-034 get the right workflow in at least 85 % of the cases that name one, and never a forbidden one", async () => {
    const { figures } = await measure(folder ?? "");
    const share = (right: string, all: string) => Number(figures[right]) / Number(figures[all]);

    expect(
      share(
        "of these, the right one proposed with it as a fact",
        "strict cases with an observed root cause",
      ),
    ).toBeGreaterThanOrEqual(0.85);
    // From the alert alone, for a person to look at.
    expect(
      share("of these, the right one proposed", "strict cases that name a workflow"),
    ).toBeGreaterThanOrEqual(0.8);
    expect(figures["forbidden workflows proposed"]).toBe(0);
    expect(figures["tokens per entry in the view, at 4 characters each"]).toBeLessThanOrEqual(60);
  });
});
