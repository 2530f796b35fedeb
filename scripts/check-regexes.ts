/**
 * Checks that every regular expression over text of others takes time in proportion to the text.
 *
 * recheck decides each literal of the sources, and each regular expression that a module makes from
 * parts as it loads, once; those it calls safe are kept in `regexes/safe.txt`, so that a run checks
 * only what is new. Any other one needs an entry in `regexes/exceptions.ts`, with the maximum length of
 * the text it is given, or to be written in another way. `--update` writes `safe.txt` anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { check } from "recheck";
import { makerExceptions, regexExceptions } from "./regexes/exceptions.js";
import { type RegexLiteral, readRegexes } from "./regexes/literals.js";
import { readMadeRegexes } from "./regexes/made.js";

/** Time for one regular expression, in milliseconds. What is not decided by then counts as not safe. */
const timeoutMs = 20_000;
const safeFile = new URL("regexes/safe.txt", import.meta.url);

const { values } = parseArgs({ options: { update: { type: "boolean", default: false } } });
const { literals, makers, dynamicMakers } = readRegexes();
const known = new Set(readFileSync(safeFile, "utf8").split("\n"));
const excepted = new Set(regexExceptions.map(({ regex }) => String(regex)));
const exceptedMakers = new Set(makerExceptions.map(({ file }) => file));
const checkedMakers = [...makers].filter((file) => !exceptedMakers.has(file));
const made = await readMadeRegexes(checkedMakers);
const all = [
  ...literals,
  ...[...made.values()].filter(({ places }) => places.some((file) => !exceptedMakers.has(file))),
];
const problems: string[] = [];

const fresh = all.filter(({ text }) => !known.has(text) && !excepted.has(text));
const waiting = [...fresh];
await Promise.all(Array.from({ length: availableParallelism() }, decideNext));

const written = new Set(literals.map(({ text }) => text));
for (const text of excepted) {
  if (!written.has(text)) problems.push(`exceptions.ts: ${text} is not in the sources any more.`);
}
for (const file of dynamicMakers) {
  if (exceptedMakers.has(file)) continue;
  problems.push(`${file}: makes a regular expression in a function. Explain it in exceptions.ts.`);
}
for (const file of exceptedMakers) {
  if (!makers.has(file)) problems.push(`exceptions.ts: ${file} makes no regular expression.`);
}

if (values.update) {
  const safe = all.map(({ text }) => text).filter((text) => known.has(text));
  writeFileSync(safeFile, `${[...new Set(safe)].sort().join("\n")}\n`);
}
for (const problem of problems) console.log(problem);
console.log(
  `${all.length} regular expressions, ${fresh.length} of them new, ${excepted.size} exceptions.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

async function decideNext(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await decide(next);
}

async function decide({ text, source, flags, places }: RegexLiteral): Promise<void> {
  const verdict = await check(source, flags, { timeout: timeoutMs });
  if (verdict.status === "safe") {
    known.add(text);
    return;
  }
  const why =
    verdict.status === "vulnerable"
      ? `takes ${verdict.complexity.summary} time, as with ${verdict.attack.pattern}`
      : `could not be decided (${verdict.error.kind})`;
  problems.push(`${places.join(", ")}: ${text} ${why}.`);
}
