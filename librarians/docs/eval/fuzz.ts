/**
 * npm run fuzz -w librarians/docs: generated pages and questions through the librarian, and generated
 * responses through the validator. Nothing throws, nothing hangs, no citation leaves the pages.
 *
 *     -- --count N   how many pages and responses together; 100,000 where not given
 *     -- --seed N    where to begin; 1 where not given
 */
import { parseArgs } from "node:util";
import { openKnowledgeBase } from "@constellation/retrieval";
import { seeded } from "@constellation/testing";
import { createDocsLibrarian } from "../src/docs-librarian.js";
import { pagesOf } from "../test/pages-of.js";
import { checkAnswer } from "./check-answer.js";
import { fuzzValidator } from "./fuzz-validator.js";

const pieces = [
  ..."# A\n|## Roll back {#x}\n|# `<b>`\n|a word of text. |Another sentence! |```\n|```sh\n|~~~\n|- |  - |1. |> |    |\n|\n\n|\t|---\n|<div>|</div>|<!--|-->|`|``|[a](b)|![x](y)|&amp;|**|_|title: x\n|The limit is 5 seconds. |The limit is 7 m. |:\n|\uFEFF|\uD800|\u0000|\\".split(
    "|",
  ),
  "| a | b |\n| - | - |\n| word | text |\n",
  "kubectl rollout undo deployment/x\n",
];
const files = ["a.md", "b/c.md", "d`e.md", "ü (1).md", "x_y.markdown"];
const words = [
  "roll",
  "back",
  "limit",
  "word",
  "text",
  "kubectl",
  "sentence",
  "a",
  "?",
  "what is",
  "\0",
  "=".repeat(9),
];

const { values } = parseArgs({ options: { count: { type: "string" }, seed: { type: "string" } } });
const count = Number(values.count ?? 100_000);
const firstSeed = Number(values.seed ?? 1);

const half = Math.ceil(count / 2);
const { failures: refused, slowestMs, valid } = fuzzValidator(half, firstSeed);
const failures = [...refused];
let slowestAnswerMs = 0;
let answered = 0;
for (let seed = firstSeed; seed < firstSeed + half / files.length; seed++) {
  const started = performance.now();
  try {
    answered += Number(await askOnce(seed, failures));
  } catch (thrown) {
    failures.push(`seed ${seed}: threw ${String(thrown)}`);
  }
  slowestAnswerMs = Math.max(slowestAnswerMs, performance.now() - started);
}
console.log({
  responses: half,
  valid,
  pages: half,
  answered,
  slowestMs: Math.round(slowestMs),
  slowestAnswerMs: Math.round(slowestAnswerMs),
  failures: failures.length,
});
for (const failure of failures.slice(0, 20)) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;

/** Asks a librarian over generated pages; whether it answered. */
async function askOnce(seed: number, found: string[]): Promise<boolean> {
  const random = seeded(seed);
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? "";
  const text = (list: readonly string[], most: number, by: string) =>
    Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(list)).join(by);
  const pages = pagesOf(Object.fromEntries(files.map((file) => [file, text(pieces, 60, "")])));
  const { librarian, close } = createDocsLibrarian({ pages, description: "Generated pages." });
  const query = text(words, 8, " ");
  const response = await librarian(query);
  await close?.(new AbortController().signal);
  const { code } = response.error ?? {};
  if (
    code !== undefined &&
    code !== "NOT_FOUND" &&
    !(code === "INVALID_QUERY" && query.trim() === "")
  ) {
    found.push(`seed ${seed}: ${code}`);
  }
  if (response.answer === undefined) return false;
  const base = await openKnowledgeBase({ source: pages });
  const { invented, strange, tooLong } = checkAnswer(response, base);
  if (tooLong) found.push(`seed ${seed}: too long`);
  for (const each of invented) found.push(`seed ${seed}: cites ${JSON.stringify(each)}`);
  for (const each of strange) found.push(`seed ${seed}: not verbatim ${JSON.stringify(each)}`);
  return true;
}
