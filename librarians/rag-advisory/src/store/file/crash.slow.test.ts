import { spawn } from "node:child_process";
import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ingest } from "../../ingest/ingest.js";
import { openFileStore } from "./file-store.js";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "crash-"));
});
afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

it("a process killed while it ingests leaves a store that opens, and the next ingest ends the work", async () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `Plot ${at},${at}`);
  await writeFile(join(root, "plots.csv"), `plot,price\n${rows.join("\n")}\n`);
  const folder = join(root, "store");
  const script = `
    import { ingest } from ${JSON.stringify(here("../../ingest/ingest.ts"))};
    import { openFileStore } from ${JSON.stringify(here("./file-store.ts"))};
    const store = await openFileStore(${JSON.stringify(folder)});
    await ingest(store, [${JSON.stringify(root)}], { root: ${JSON.stringify(root)}, country: "IN" });
  `;
  const child = spawn(
    process.execPath,
    [
      "--conditions=@constellation/source",
      "--import",
      "@oxc-node/core/register",
      "--input-type=module",
      "--eval",
      script,
    ],
    { stdio: "ignore", cwd: here(".") },
  );
  const ended = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
  while ((await sizeOf(join(folder, "chunks.log"))) < 500_000) {
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  child.kill("SIGKILL");
  expect(await ended).toBe("SIGKILL");

  const store = await openFileStore(folder);
  const { chunks } = await store.health();
  const report = await ingest(store, [root], { root, country: "IN" });
  await store.close();

  expect(chunks).toBeGreaterThan(0);
  expect(chunks).toBeLessThan(20_000);
  expect(report).toMatchObject({ added: 20_000 - chunks, unchanged: chunks, problemCount: 0 });
}, 60_000);

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url));
}

async function sizeOf(file: string): Promise<number> {
  try {
    return (await stat(file)).size;
  } catch {
    return 0;
  }
}
