/**
 * `npm run fuzz -w packages/retrieval`: generated pages through the parser and a section index.
 *
 * `-- --count N` (100,000), `-- --seed N`. Stops with the page that broke a promise: it threw, took
 * longer than a second, or its sections do not follow one another.
 */
import { parseArgs } from "node:util";
import { createSectionIndex, decodeText, parseMarkdown } from "@constellation/retrieval";

const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, seed: { type: "string", default: "1" } },
});
const count = Number(values.count);

const pieces = [
  ..."# A\n|## B {#x}\n|# A\n|text of words |```\n|```sh\n|~~~\n|- |  - |1. |> |    |\n|\n\n|\t|---\n|===\n|!!! note\n|??? tip \"T\"\n|:::\n|::: info\n|<a name='x'></a>|<div>|</div>|<script>|<!--|-->|`|``|[a](b)|[a][b]|[b]: c\n|![x](y)|{/*|*/}|&#0;|&amp;|\r\n|\r|$&|**|_|~~|import a from 'a'\n|export const a = 1\n|<Tabs>|</Tabs>|title: x\n|\uFEFF|\u2028|\uD800".split(
    "|",
  ),
  "| a | b |\n| - | - |\n| c | d |\n",
  "\\",
];

let state = Number(values.seed) >>> 0;
/** Mulberry32: the same pages for the same seed. */
function random(below: number): number {
  state = (state + 0x6d2b79f5) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
}

function generate(): string | Uint8Array {
  if (random(20) === 0) return Uint8Array.from({ length: random(60) }, () => random(256));
  const length = random(10) === 0 ? random(400) : random(40);
  return Array.from({ length }, () =>
    random(12) === 0 ? String.fromCharCode(random(0x10000)) : (pieces[random(pieces.length)] ?? ""),
  ).join("");
}

let sections = 0;
let slowest = 0;
let index = createSectionIndex();
const started = Date.now();
for (let round = 0; round < count; round++) {
  const page = generate();
  const before = performance.now();
  try {
    const decoded = typeof page === "string" ? { text: page } : decodeText(page);
    if (!("text" in decoded)) continue;
    const parsed = parseMarkdown(decoded.text, {
      file: `p${round % 50}.${round % 3 ? "md" : "mdx"}`,
    });
    let last = 0;
    for (const { startLine, endLine, blocks } of parsed.sections) {
      if (startLine <= last || endLine < startLine) throw new Error("sections out of order");
      if (blocks.some((block) => block.startLine < startLine))
        throw new Error("block out of its section");
      last = endLine;
    }
    sections += parsed.sections.length;
    index.set(parsed);
    if (round % 25 === 0) index.search(decoded.text);
    if (round % 5_000 === 0) index = createSectionIndex();
  } catch (thrown) {
    console.log(`round ${round}: ${String(thrown)}\n${JSON.stringify(page)}`);
    process.exit(1);
  }
  const took = performance.now() - before;
  slowest = Math.max(slowest, took);
  if (took > 1_000) {
    console.log(`round ${round}: took ${took.toFixed(0)} ms\n${JSON.stringify(page)}`);
    process.exit(1);
  }
}
console.log(
  `${count} pages, ${sections} sections, ${((Date.now() - started) / 1000).toFixed(1)} s, slowest ${slowest.toFixed(0)} ms: nothing thrown`,
);
