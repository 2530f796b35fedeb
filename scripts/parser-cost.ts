/**
 * Measures what text of others costs: for each parser, processor time per MiB of ordinary text and of
 * text that is made to be slow.
 *
 * - `--only NAME`: parsers whose name has this in it; can be given more than once.
 * - `--all`: every shape, not only those beyond the goal.
 */
import { parseArgs } from "node:util";
import { parsers } from "./parsers/parsers.js";

/** Maximum cost of a parser at its limit of size, in milliseconds of processor time per MiB. */
const goalMs = 250;
const mebibyte = 1_048_576;

const { values } = parseArgs({
  options: {
    only: { type: "string", multiple: true, default: [] },
    all: { type: "boolean", default: false },
  },
});
const chosen = parsers.filter(
  ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
);
for (const { name, length, shapes, parse } of chosen) {
  await parse((shapes.ordinary ?? String)(length / 8)); // the parser is compiled
  const costs: { readonly shape: string; readonly ms: number }[] = [];
  for (const [shape, make] of Object.entries(shapes)) {
    const text = make(length).slice(0, length);
    const ms = await costOf(() => parse(text), text);
    // What is compiled or collected meanwhile is not the parser's cost: the better of two.
    const again = ms > goalMs ? await costOf(() => parse(text), text) : ms;
    costs.push({ shape, ms: Math.min(ms, again) });
  }
  costs.sort((a, b) => b.ms - a.ms);
  const beyond = costs.filter(({ ms }) => ms > goalMs);
  const ordinary = costs.find(({ shape }) => shape === "ordinary");
  console.log(
    `${name}: ${beyond.length} of ${costs.length} shapes cost more than ${goalMs} ms/MiB`,
  );
  const shown = values.all ? costs : costs.slice(0, Math.max(beyond.length, 3));
  for (const { shape, ms } of [...shown, ...(ordinary === undefined ? [] : [ordinary])]) {
    console.log(`  ${ms.toFixed(0).padStart(7)} ms/MiB  ${shape}`);
  }
}

/** Milliseconds of processor time per MiB of the text. */
async function costOf(work: () => unknown, text: string): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1_000) * (mebibyte / Buffer.byteLength(text));
}
