import { appendFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { folderWith } from "../test/folder.js";
import { readBoundedFile } from "./read-bounded-file.js";

vi.mock("node:fs/promises", { spy: true });

it("refuses a file that grows beyond its limit while it is read", async () => {
  const path = join(folderWith({ "run.json": "{}" }), "run.json");
  vi.mocked(fs.open).mockImplementationOnce(async (...given) => {
    const { open } = await vi.importActual<typeof fs>("node:fs/promises");
    const handle = await open(...given);
    const { stat } = handle;
    handle.stat = (async () => {
      const stats = await stat.call(handle);
      appendFileSync(path, "x".repeat(100));
      return stats;
    }) as typeof stat;
    return handle;
  });

  const reading = readBoundedFile({ path, shown: "run.json", what: "a saved run", maxBytes: 50 });

  await expect(reading).rejects.toThrow(
    "run.json: has more than 50 bytes, the maximum for a saved run.",
  );
});
