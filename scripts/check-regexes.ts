/**
 * Checks that every regular expression over text of others takes time in proportion to the text.
 *
 * recheck decides each literal of the sources once; those it calls safe are kept in
 * `regexes/safe.txt`, so that a run checks only what is new. Others need an entry in
 * `regexes/exceptions.ts`, or to be written in another way. `regexes/pending.txt` has those that are
 * known and not mended yet, and files that make some as they run and are not explained yet: it may only
 * get shorter. `--update` writes both files anew.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { check } from "recheck";
import { makerExceptions, regexExceptions } from "./regexes/exceptions.js";
import { type RegexLiteral, readRegexes } from "./regexes/literals.js";

/** Time for one literal, in milliseconds. What is not decided by then counts as not safe. */
const timeoutMs = 20_000;
const safeFile = new URL("regexes/safe.txt", import.meta.url);
const pendingFile = new URL("regexes/pending.txt", import.meta.url);

const { values } = parseArgs({ options: { update: { type: "boolean", default: false } } });
const { literals, makers } = readRegexes();
const known = new Set(readFileSync(safeFile, "utf8").split("\n"));
const excepted = new Set(regexExceptions.map(({ text }) => text));
const pending = new Set(readFileSync(pendingFile, "utf8").split("\n"));
const problems: string[] = [];

const fresh = literals.filter(
  ({ text }) => !known.has(text) && !excepted.has(text) && !pending.has(text),
);
const unsafe: string[] = [];
const waiting = [...fresh];
await Promise.all(Array.from({ length: availableParallelism() }, decideNext));

const written = new Set(literals.map(({ text }) => text));
for (const text of excepted) {
  if (!written.has(text)) problems.push(`exceptions.ts: ${text} is no longer in the sources.`);
}
const makersExcepted = new Set(makerExceptions.map(({ file }) => file));
for (const file of makers) {
  if (makersExcepted.has(file) || pending.has(makerLine(file))) continue;
  problems.push(`${file}: makes a regular expression as it runs. Explain it in exceptions.ts.`);
}
for (const file of makersExcepted) {
  if (!makers.has(file)) problems.push(`exceptions.ts: ${file} makes no regular expression.`);
}

if (values.update) {
  const safe = literals.filter(({ text }) => known.has(text)).map(({ text }) => text);
  writeFileSync(safeFile, linesOf(safe));
  const kept = literals.filter(({ text }) => pending.has(text)).map(({ text }) => text);
  const unexplained = [...makers].filter((file) => !makersExcepted.has(file)).map(makerLine);
  writeFileSync(pendingFile, linesOf([...kept, ...unsafe, ...unexplained]));
}
for (const problem of problems) console.log(problem);
console.log(
  `${literals.length} regular expressions, ${fresh.length} of them new, ${pending.size} pending.`,
);
process.exitCode = problems.length === 0 ? 0 : 1;

function makerLine(file: string): string {
  return `new RegExp in ${file}`;
}

function linesOf(texts: readonly string[]): string {
  return `${[...new Set(texts)].sort().join("\n")}\n`;
}

async function decideNext(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await decide(next);
}

async function decide({ text, source, flags, places }: RegexLiteral): Promise<void> {
  const verdict = await check(source, flags, { timeout: timeoutMs });
  if (verdict.status === "safe") {
    known.add(text);
    return;
  }
  unsafe.push(text);
  const why =
    verdict.status === "vulnerable"
      ? `takes ${verdict.complexity.summary} time, as with ${verdict.attack.pattern}`
      : `could not be decided (${verdict.error.kind})`;
  problems.push(`${places.join(", ")}: ${text} ${why}.`);
}
