/**
 * npm run size -w packages/retrieval: what a large knowledge base costs, with minisearch in the same run.
 *
 *     -- --sections N   how many, 100,000 where not given
 *
 * Pages are made up from a seeded list of words of which some are common and most are rare: ten sections of
 * 60 to 140 words each. Times are processor seconds of this process, so that a busy machine counts less.
 */
import { parseArgs } from "node:util";
import MiniSearch from "minisearch";
import { openKnowledgeBase } from "../src/index.js";

const { values } = parseArgs({ options: { sections: { type: "string", default: "100000" } } });
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
let modifiedMs = 1;
let stored: Uint8Array | undefined;
const read: string[] = [];
const source = {
  async list() {
    const entries = [...texts].map(([file, text], place) => {
      return { file, bytes: text.length, modifiedMs: place === 5 ? modifiedMs : 1 };
    });
    return { pages: entries, omissions: [] };
  },
  async read(file: string) {
    read.push(file);
    return Buffer.from(texts.get(file) ?? "");
  },
};
const store = {
  load: async () => stored,
  async save(bytes: Uint8Array) {
    stored = bytes;
  },
};

const base = await timed("read, index and first search", async () => {
  const opened = await openKnowledgeBase({ source, store });
  await opened.search("warm up");
  return opened;
});
print("sections", base.size);
print("heap, MB", heapMb());
await search("query", async (query) => void (await base.search(query)));
read.length = 0;
modifiedMs = 2;
await timed("one changed page, and a search", async () => {
  await base.refresh();
  await base.search("warm up");
});
print("pages read for it", read.length);
await base.saved();
const again = await timed("open from the store", () => openKnowledgeBase({ source, store }));
await timed("first search after that", () => again.search("warm up"));
await Promise.all([base.close(), again.close()]);

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

async function timed<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  print(`${name}, s`, (user + system) / 1_000_000);
  return result;
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
