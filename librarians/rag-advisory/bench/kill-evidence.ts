/**
 * Kills a process that records evidence with `kill -9`, so many times, and counts the acknowledged
 * events that are not in the log and the lines that cannot be read: `kill-evidence.ts [KILLS]`. Each
 * process continues in the log of the one before.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createFileRecorder } from "../src/evidence/file-recorder.js";

const self = fileURLToPath(import.meta.url);
const [first = "200", file = "", round = ""] = process.argv.slice(2);

if (first === "--record") await recordForEver(file, round);
else await killOften(Number(first));

/** Four at a time, as concurrent queries do; a line on stdout for each that is acknowledged. */
async function recordForEver(path: string, prefix: string): Promise<void> {
  const recorder = createFileRecorder(path, { maxBytes: 200_000 });
  let number = 0;
  const one = async (): Promise<void> => {
    for (;;) {
      const id = `${prefix}-${number++}`;
      const payload = { id, text: "x".repeat(number % 2_000) };
      const time = new Date().toISOString();
      await recorder.record({ time, librarian: "r", eventType: "RAG_ADVISORY_QUERY", payload });
      process.stdout.write(`${id}\n`);
    }
  };
  await Promise.all([one(), one(), one(), one()]);
}

async function killOften(kills: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "kill-evidence-"));
  const acknowledged: string[] = [];
  try {
    const path = join(folder, "evidence.jsonl");
    for (let kill = 0; kill < kills; kill++)
      acknowledged.push(...(await recordAndKill(path, kill)));
    const names = await readdir(folder);
    const texts = await Promise.all(names.map((name) => readFile(join(folder, name), "utf8")));
    const lines = texts.flatMap((text) => text.split("\n")).filter((line) => line !== "");
    const kept = new Set(lines.flatMap(idOf));
    console.log(
      JSON.stringify({
        kills,
        acknowledged: acknowledged.length,
        lost: acknowledged.filter((id) => !kept.has(id)).length,
        unreadable: lines.length - kept.size,
        files: names.length,
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function idOf(line: string): readonly string[] {
  try {
    return [(JSON.parse(line) as { payload: { id: string } }).payload.id];
  } catch {
    return [];
  }
}

async function recordAndKill(path: string, kill: number): Promise<readonly string[]> {
  const child = spawn(
    process.execPath,
    [...process.execArgv, self, "--record", path, String(kill)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let reported = "";
  child.stdout.setEncoding("utf8");
  child.stdout.on("data", (text: string) => {
    reported += text;
    if (reported.split("\n").length > 3 + ((kill * 7) % 40)) child.kill("SIGKILL");
  });
  await new Promise((resolve) => child.once("close", resolve));
  // A line that was cut by the kill was not reported whole.
  return reported.split("\n").slice(0, -1);
}
