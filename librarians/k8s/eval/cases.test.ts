import { describe, expect, it } from "vitest";
import { createK8sLibrarian } from "../src/k8s-librarian.js";
import { dataFolder } from "./data-folder.js";
import { loadCases } from "./load-case.js";
import { scoreCase } from "./score.js";

const folder = dataFolder([]);

describe.skipIf(folder === undefined)(
  "cluster states from the tests of other tools (skipped where they are not beside the repository)",
  () => {
    it("are answered right in nine of ten", async () => {
      const cases = loadCases(folder ?? "");

      const scores = await Promise.all(
        cases.map(async (one) =>
          scoreCase(one, await createK8sLibrarian({ reader: one.reader }).librarian(one.question)),
        ),
      );

      expect(scores.filter(({ right }) => right).length / cases.length).toBeGreaterThanOrEqual(0.9);
    });
  },
);
