/**
 * npm run size -w packages/retrieval: what a large knowledge base costs, with minisearch in the same run.
 *
 *     -- --sections N   how many, 100,000 where not given
 *     -- --open FOLDER  only opens the index that is kept in a folder: the run above does so in a process of its own, as a
 *                       restart does
 *
 * Pages are made up from a seeded list of words of which some are common and most are rare: ten sections of
 * 60 to 140 words each, in a folder, with the index in a file. Times are processor seconds of this process, so that a busy
 * machine counts less; "longest turn" is the most that the main thread computed in one turn of the event loop, on Linux.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import { createFileStore, createMarkdownFolder, openKnowledgeBase } from "../src/index.js";

const { values } = parseArgs({
  options: { sections: { type: "string", default: "100000" }, open: { type: "string" } },
});
/** The title of a page is a section too. */
const sectionsPerPage = 11;
const pages = Math.ceil(Number(values.sections) / sectionsPerPage);
let state = 42;

function random(): number {
  state = (state * 48_271) % 2_147_483_647;
  return state / 2_147_483_647;
}

/** Low numbers are much commoner than high ones. */
function words(count: number): string {
  const word = () => `w${Math.floor(50_000 ** random()).toString(36)}`;
  return Array.from({ length: count }, word).join(" ");
}

const texts = new Map(
  Array.from({ length: pages }, (_, page): [string, string] => {
    const section = () => `## ${words(4)}\n\n${words(60 + Math.floor(80 * random()))}.`;
    return [`${page}.md`, `# ${words(3)}\n\n${Array.from({ length: 10 }, section).join("\n\n")}\n`];
  }),
);
const queries = Array.from({ length: 60 }, () => words(8));
if (values.open !== undefined) {
  await openAgain(values.open);
  process.exit();
}
const folder = mkdtempSync(join(tmpdir(), "retrieval-size-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
for (const [file, text] of texts) writeFileSync(join(folder, file), text);
const { source, store, indexFile } = keptIn(folder);

const base = await timed("read and index", () => openKnowledgeBase({ source, store }));
await timed("first search", () => base.search(queries[0] ?? ""));
print("sections", base.size);
print("heap, MB", heapMb());
await timed("save", () => base.saved());
print("index file, MB", statSync(indexFile).size / 1_000_000);
print("resident, MB", process.memoryUsage.rss() / 1_000_000);
await search("query", async (query) => void (await base.search(query)));
writeFileSync(join(folder, "5.md"), "# Changed\n\nThis page has changed.\n");
const written = bytesWritten();
await timed("one changed page, and a search", async () => {
  await base.refresh();
  await base.search("warm up");
});
await timed("save it", () => base.saved());
print("bytes written for it", bytesWritten() - written);
await base.close();
spawnSync(process.execPath, [...process.execArgv, process.argv[1] ?? "", "--open", folder], {
  stdio: "inherit",
});

const mini = new MiniSearch({ fields: ["heading", "text"] });
await timed("minisearch: index", async () => {
  for (const [file, text] of texts) {
    mini.addAll(
      text.split("\n## ").map((part, place) => {
        const [heading = "", ...rest] = part.split("\n");
        return { id: `${file}#${place}`, heading, text: rest.join("\n") };
      }),
    );
  }
});
await search("minisearch: query", async (query) => void mini.search(query));

function keptIn(folder: string) {
  const indexFile = join(folder, ".index");
  return { source: createMarkdownFolder(folder), store: createFileStore(indexFile), indexFile };
}

async function openAgain(folder: string): Promise<void> {
  const again = await timed("open from the store", () => openKnowledgeBase(keptIn(folder)));
  print("pages read again", again.report.changed.length);
  await timed("first search after that", () => again.search(queries[0] ?? ""));
  print("resident after that, MB", process.memoryUsage.rss() / 1_000_000);
  await again.close();
}

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  let longest = 0;
  let last = threadMs();
  const sampler = setInterval(() => {
    const now = threadMs();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(sampler);
  print(`${name}, s`, (user + system) / 1_000_000);
  print(`${name}, longest turn, ms`, longest);
  return result;
}

/** Processor time of this thread; 0 where the system does not count it. */
function threadMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    return 0;
  }
}

/** What this process has handed to the file system so far; 0 where the system does not count it. */
function bytesWritten(): number {
  try {
    return Number(/^wchar: (\d+)/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function search(name: string, ask: (query: string) => Promise<void>): Promise<void> {
  const times: number[] = [];
  for (const query of queries) {
    const { user, system } = process.cpuUsage();
    await ask(query);
    const { user: userAfter, system: systemAfter } = process.cpuUsage();
    times.push((userAfter + systemAfter - user - system) / 1_000);
  }
  times.sort((a, b) => a - b);
  print(`${name}, p50 ms`, times[Math.floor(times.length * 0.5)] ?? 0);
  print(`${name}, p95 ms`, times[Math.floor(times.length * 0.95)] ?? 0);
}

function heapMb(): number {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1_000_000;
}

function print(name: string, value: number): void {
  console.log(`${name.padEnd(34)} ${Number.isInteger(value) ? value : value.toFixed(2)}`);
}
