import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ingest } from "../../ingest/ingest.js";
import { openFileStore } from "./file-store.js";

const rowCount = 8_000;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "crash-"));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

it("a process killed while it ingests leaves a store that opens, and the next ingest ends the work", async () => {
  const rows = Array.from({ length: rowCount }, (_, at) => `Plot ${at},${at}`);
  await writeFile(join(root, "plots.csv"), `plot,price\n${rows.join("\n")}\n`);
  const folder = join(root, "store");
  const script = `
    import { statSync } from "node:fs";
    import { join } from "node:path";
    import { ingest } from ${JSON.stringify(here("../../ingest/ingest.ts"))};
    import { openFileStore } from ${JSON.stringify(here("./file-store.ts"))};
    const store = await openFileStore(${JSON.stringify(folder)});
    // In the middle of its work, however slow it is.
    setInterval(() => {
      const { size = 0 } = statSync(join(${JSON.stringify(folder)}, "chunks.log"), { throwIfNoEntry: false }) ?? {};
      if (size > 250_000) process.kill(process.pid, "SIGKILL");
    }, 1);
    await ingest(store, [${JSON.stringify(root)}], { root: ${JSON.stringify(root)}, country: "IN" });
  `;
  const child = spawn(
    process.execPath,
    [
      "--conditions=@constellation/source",
      "--import",
      "tsx",
      "--input-type=module",
      "--eval",
      script,
    ],
    { stdio: "ignore", cwd: here(".") },
  );
  const [, signal] = await once(child, "exit");
  expect(signal).toBe("SIGKILL");

  const store = await openFileStore(folder);
  const { chunks } = await store.health();
  const report = await ingest(store, [root], { root, country: "IN" });
  await store.close();

  expect(chunks).toBeGreaterThan(0);
  expect(chunks).toBeLessThan(rowCount);
  expect(report).toMatchObject({ added: rowCount - chunks, unchanged: chunks, problemCount: 0 });
});

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}
