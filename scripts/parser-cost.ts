/**
 * Measures what text of others costs: for each parser, processor time per MiB of ordinary text and of
 * text that is made to be slow. Then counts steps, where more than twice as many for twice the text is too many,
 * whatever the machine does meanwhile.
 *
 * - `--only NAME`: parsers whose name has this in it; can be given more than once.
 * - `--all`: every shape, not only those beyond the goal.
 */
import { parseArgs } from "node:util";
import { freeSteps, maxStepGrowth, openStepCounter } from "./parsers/count-steps.js";
import { parsers } from "./parsers/parsers.js";

/** Maximum cost of a parser at its limit of size, in milliseconds of processor time per MiB. */
const goalMs = 250;
const mebibyte = 1_048_576;
/** Maximum length of a text whose steps are counted. */
const countedLength = 32_768;

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
  await refusing(() => parse((shapes.ordinary ?? String)(length / 8))); // the parser is compiled
  const costs: { readonly shape: string; readonly ms: number }[] = [];
  for (const [shape, make] of Object.entries(shapes)) {
    const text = make(length).slice(0, length);
    const ms = await costOf(() => refusing(() => parse(text)), text);
    // What is compiled or collected meanwhile is not the parser's cost: the better of two.
    const again = ms > goalMs ? await costOf(() => refusing(() => parse(text)), text) : ms;
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

const counter = await openStepCounter(); // after all measurements: it makes everything slower
for (const { name, length, shapes, parse } of chosen) {
  for (const [shape, make] of Object.entries(shapes)) {
    const stepsAt = async (size: number) =>
      counter.count(() => refusing(() => parse(make(size).slice(0, size))));
    const size = Math.min(length, countedLength);
    const few = await stepsAt(size / 4);
    const many = await stepsAt(size);
    if (many > freeSteps + maxStepGrowth * few) {
      console.log(
        `${name}: "${shape}" takes ${(many / few).toFixed(1)} times the steps for 4 times the text`,
      );
      process.exitCode = 1;
    }
  }
}
counter.close();

/** Milliseconds of processor time per MiB of the text. */
async function costOf(work: () => unknown, text: string): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return ((user + system) / 1_000) * (mebibyte / Buffer.byteLength(text));
}

/** A text that is refused has its cost as well. */
async function refusing(work: () => unknown): Promise<void> {
  try {
    await work();
  } catch {
    // what may be thrown is checked by `fuzz`
  }
}
