/**
 * Attacks everything that reads text of others with random texts: made of pieces of what each parser reads, of
 * what has a meaning somewhere, and of anything. A parser must throw nothing but its documented refusals, give no
 * more than its text allows, touch no prototype, and take steps in proportion to the text.
 *
 * - `--seconds N`: time for all parsers together; 60.
 * - `--seed N`: the same texts again; printed at the start.
 * - `--only NAME`: parsers whose name has this in it; can be given more than once.
 *
 * A failure is made small and printed with what repeats it. A parser that does not come back within a minute is ended,
 * and the text it hangs on is printed.
 */
import { fork } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import fc from "fast-check";
import {
  freeSteps,
  maxStepGrowth,
  openStepCounter,
  type StepCounter,
} from "./parsers/count-steps.js";
import type { Parser } from "./parsers/parser.js";
import { parsers } from "./parsers/parsers.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    seed: { type: "string", default: String(Date.now() % 2_147_483_647) },
    only: { type: "string", multiple: true, default: [] },
    /** Set by the process that watches: the file that holds the text which is read now. */
    current: { type: "string" },
  },
});
const seconds = Number(values.seconds);
const seed = Number(values.seed);
if (!(seconds > 0) || !Number.isInteger(seed)) {
  throw new RangeError("--seconds: expected a number above 0; --seed: an integer.");
}

/** Exit code of the attacking process when a parser failed. */
const foundCode = 3;
/** Longest time for one text, in milliseconds. */
const maxSilenceMs = 60_000;
/** Minimum length of the pieces in the shorter text whose steps are counted; the longer one has four times as many pieces. */
const baseLength = 2_000;
const freeOutput = 100_000;

/** Texts that have a meaning to a parser, a terminal, a page or an engine. */
const meaningful = [
  "__proto__",
  '{"__proto__":{"polluted":1}}',
  '{"constructor":{"prototype":{"polluted":1}}}',
  "constructor: {prototype: {polluted: 1}}",
  "__proto__: {polluted: 1}",
  "<<: *a",
  "\u0000",
  "\u001b[31m",
  "\u202e",
  "\ud800",
  "\u2028",
  "\r\n",
  "1e999",
  "-0",
  "9".repeat(400),
  "\ufeff",
];

const { current } = values;
if (current === undefined) watch();
else await attackAll(current);

/** Runs the attack in a process of its own, and ends it when it is silent. */
function watch(): void {
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  const place = join(folder, "text");
  console.log(`fuzz: ${seconds} s, --seed ${seed}`);
  const given = process.argv.slice(2);
  const child = fork(import.meta.filename, [...given, "--seed", String(seed), "--current", place]);
  let isSilent = false;
  const end = () => {
    isSilent = true;
    child.kill("SIGKILL");
  };
  let timer = setTimeout(end, 2 * maxSilenceMs);
  child.on("message", () => {
    clearTimeout(timer);
    timer = setTimeout(end, maxSilenceMs);
  });
  child.on("exit", (code) => {
    clearTimeout(timer);
    if (code !== 0 && code !== foundCode) {
      const what = isSilent ? "no end in a minute" : "the process ended";
      console.log(`fuzz: ${what} while it read ${readFileSync(place, "utf8")}`);
    }
    rmSync(folder, { recursive: true, force: true });
    process.exitCode = code === 0 ? 0 : 1;
  });
}

/** @param place - File for the text that is read now. */
async function attackAll(place: string): Promise<void> {
  const note = (parser: Parser, text: string) => {
    writeFileSync(place, JSON.stringify([parser.name, text]));
    process.send?.("alive");
  };
  const chosen = parsers.filter(
    ({ name }) => values.only.length === 0 || values.only.some((part) => name.includes(part)),
  );
  const counter = await openStepCounter();
  const begin = Date.now();
  let failures = 0;
  for (const [index, parser] of chosen.entries()) {
    const left = begin + seconds * 1_000 - Date.now();
    const failure = await attack(parser, {
      counter,
      note,
      timeMs: Math.max(1, left / (chosen.length - index)),
    });
    if (failure !== undefined) {
      failures++;
      console.log(
        `${failure}\nRepeat it with: npm run fuzz -- --seed ${seed} --only "${parser.name}"\n`,
      );
    }
  }
  counter.close();
  console.log(`fuzz: ${chosen.length} parsers, ${failures} failed`);
  process.exit(failures === 0 ? 0 : foundCode);
}

interface Attack {
  readonly counter: StepCounter;
  /** Called before a text is read. */
  readonly note: (parser: Parser, text: string) => void;
  readonly timeMs: number;
}

/** @returns What is wrong, with the smallest text that shows it; undefined where nothing was found. */
async function attack(
  parser: Parser,
  { counter, note, timeMs }: Attack,
): Promise<string | undefined> {
  let runs = 0;
  const property = fc.asyncProperty(
    textsFor(parser),
    async ({ before, piece, after, isCounted }) => {
      runs++;
      // Whole pieces: of a part of one, four times the characters may be far more of what is slow. An even number of
      // them: a piece with a fence of code, or one quotation mark, is code in every other place and prose in the rest.
      const times = 2 * Math.ceil(baseLength / 2 / piece.length);
      const short = before + piece.repeat(times) + after;
      const long = before + piece.repeat(4 * times) + after;
      for (const text of [before + piece + after, short]) {
        note(parser, text);
        await checkOne(parser, text);
      }
      if (!isCounted) return;
      note(parser, long);
      // What is loaded or compiled the first time is not the parser's, and counts are lost to compilation: the best of four.
      for (let attempts = 1; ; attempts++) {
        const few = await counter.count(() => attempt(parser, short));
        const many = await counter.count(() => attempt(parser, long));
        if (many <= freeSteps + maxStepGrowth * few) return;
        if (attempts < 4) continue;
        throw new Error(
          `${many} steps for ${long.length} characters, ${few} for ${short.length}: not in proportion.`,
        );
      }
    },
  );
  const result = await fc.check(property, {
    seed,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: timeMs,
    markInterruptAsFailure: false,
  });
  console.log(`${parser.name}: ${runs} texts`);
  if (result.counterexample === null) return undefined; // interrupted, or nothing found
  return `${parser.name} failed for ${JSON.stringify(result.counterexample[0])}\n${String(result.errorInstance)}`;
}

interface Text {
  readonly before: string;
  readonly piece: string;
  readonly after: string;
  /** Whether its steps are counted, which takes far longer than to read it. */
  readonly isCounted: boolean;
}

function textsFor({ shapes }: Parser): fc.Arbitrary<Text> {
  const samples = Object.values(shapes).map((shape) => shape(2_000).slice(0, 2_000));
  const slice = fc
    .record({
      sample: fc.constantFrom(...samples),
      from: fc.nat(1_900),
      length: fc.integer({ min: 1, max: 60 }),
    })
    .map(({ sample, from, length }) => sample.slice(from % sample.length).slice(0, length));
  const some = fc.oneof(
    { weight: 4, arbitrary: slice },
    { weight: 2, arbitrary: fc.constantFrom(...samples) },
    { weight: 1, arbitrary: fc.constantFrom(...meaningful) },
    { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
    { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  );
  const joined = (maxLength: number) =>
    fc.array(some, { maxLength }).map((pieces) => pieces.join(""));
  const piece = joined(2).map((text) => (text === "" ? "a" : text));
  const isCounted = fc.nat(9).map((one) => one === 0);
  return fc.record({ before: joined(2), piece, after: joined(2), isCounted });
}

async function checkOne(parser: Parser, text: string): Promise<void> {
  const { output } = await attempt(parser, text);
  const size = sizeOf(output, freeOutput + (parser.maxGrowth ?? 100) * text.length);
  if (size === undefined) throw new Error(`It gives too much for ${text.length} characters.`);
  for (const prototype of [Object.prototype, Array.prototype, String.prototype]) {
    if ("polluted" in prototype) {
      Reflect.deleteProperty(prototype, "polluted");
      throw new Error("It wrote to a prototype.");
    }
  }
}

/** Reads a text. A refusal that is documented is no failure. */
async function attempt(
  { parse, refuses = [] }: Parser,
  text: string,
): Promise<{ readonly output?: unknown }> {
  try {
    return { output: await parse(text) };
  } catch (thrown) {
    if (refuses.some((kind) => thrown instanceof kind)) return {};
    throw new Error("It threw what is not documented.", { cause: thrown });
  }
}

/** Characters of the texts and names in a value, each value counted as one; undefined above the limit. */
function sizeOf(value: unknown, limit: number): number | undefined {
  let size = 0;
  const waiting: unknown[] = [value];
  while (waiting.length > 0) {
    const one = waiting.pop();
    size += typeof one === "string" ? one.length : 1;
    if (size > limit) return undefined;
    if (typeof one !== "object" || one === null) continue;
    if (one instanceof Map) waiting.push(...one.keys(), ...one.values());
    else for (const [key, inner] of Object.entries(one)) waiting.push(key, inner);
  }
  return size;
}
