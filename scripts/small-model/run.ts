/**
 * `npm run test:small-model`: the incident mesh with a real small model on this machine, and without
 * it, over the same questions. Fails when the model makes an answer worse, or when an answer makes a
 * claim that no file of the example supports, when it needs fewer people, or when none is given. See the README of the package.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createOpenAICompatibleClient } from "@constellation/models";
import { readCases } from "@constellation/testing/evals";
import { textsBelow } from "./claims.js";
import { askBoth } from "./question.js";
import { appendResult, faultsOf, readResults, tablesOf } from "./result.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "examples/incident");

/** Questions that are asked by default, one of each kind. */
const subset = ["docs-1", "k8s-1", "selection-2", "triage-1", "blend-1"];

const { values: options } = parseArgs({
  options: {
    resume: { type: "boolean", default: false },
    results: { type: "string", default: "small-model-results.jsonl" },
  },
});
const { env } = process;
/** Tokens of a request and its reply together: librarians leave out parts of their prompts until they fit. */
const contextTokens = Number(env.SMALL_MODEL_CONTEXT ?? 4_096);
const maxTokens = Number(env.SMALL_MODEL_MAX_TOKENS ?? 640);
const timeoutMs = Number(env.SMALL_MODEL_TIMEOUT_MS ?? 600_000);

const server = await openServer();
if (server !== undefined) process.exitCode = await compare(server.baseURL).finally(server.close);

async function compare(baseURL: string): Promise<number> {
  const model = env.SMALL_MODEL_NAME ?? basename(env.SMALL_MODEL_FILE ?? "small", ".gguf");
  const ai = createOpenAICompatibleClient({ baseURL, model, contextTokens, maxTokens, timeoutMs });
  const file = resolve(options.results);
  if (!options.resume) rmSync(file, { force: true });
  const done = readResults(file, model);
  const wanted = env.SMALL_MODEL_CASES?.split(",") ?? subset;
  const isAll = env.SMALL_MODEL_CASES === "all";
  const questions = readFileSync(new URL("questions.jsonl", import.meta.url), "utf8");
  const cases = readCases(questions, "questions.jsonl").filter(
    ({ id }) => isAll || wanted.includes(id),
  );
  const texts = textsBelow(example);
  const open = cases.filter(({ id }) => !done.has(id));
  if (open.length > 0) await ai.complete({ prompt: "Say yes.", maxTokens: 4 }); // the first call is slow
  for (const [place, one] of open.entries()) {
    console.error(`${place + 1} of ${open.length}: ${one.id}`);
    const result = await askBoth(one, {
      example,
      texts,
      ai,
      model,
      timeoutMs,
      onCall: ({ promptId, ms, read, written, error = "fits" }) =>
        console.error(
          `  ${promptId}: ${Math.round(ms / 1_000)} s, ${read} tokens read, ${written} written, ${error}`,
        ),
    });
    appendResult(file, result);
    for (const fault of faultsOf(result)) console.error(`  ${fault}`);
  }
  const ids = new Set(cases.map(({ id }) => id));
  const results = [...readResults(file, model).values()].filter(({ id }) => ids.has(id));
  const faults = results.flatMap(faultsOf);
  console.log(tablesOf(results));
  console.log(`\n${faults.length === 0 ? "No answer is worse with the model." : "Failures:"}`);
  for (const fault of faults) console.log(`- ${fault}`);
  for (const { id, refused } of results) {
    if (refused) console.log(`- ${id}: no reply was valid, and its contract wants an error then.`);
  }
  return faults.length === 0 ? 0 : 1;
}

/** A server that runs already, or one of our own; `undefined` where neither is available. */
async function openServer(): Promise<{ baseURL: string; close(): void } | undefined> {
  const { SMALL_MODEL_URL: given, SMALL_MODEL_FILE: file, SMALL_MODEL_RUNNER: folder = root } = env;
  if (given !== undefined) return { baseURL: given, close() {} };
  const runner = join(resolve(folder), "node_modules/node-llama-cpp");
  if (file === undefined || !existsSync(file) || !existsSync(runner)) {
    console.log(
      "SKIPPED, nothing was tested: set SMALL_MODEL_FILE to a model in GGUF form and install node-llama-cpp, or set SMALL_MODEL_URL to a server that speaks /v1/chat/completions. See packages/models/README.md.",
    );
    return undefined;
  }
  const program = fileURLToPath(new URL("server.ts", import.meta.url));
  const child = fork(program, [file, folder, String(contextTokens)]);
  const ended = once(child, "exit").then(() => {
    throw new Error("The model's server ended by itself.");
  });
  const [baseURL] = (await Promise.race([once(child, "message"), ended])) as [string];
  ended.catch(() => undefined); // it is ended by close
  return { baseURL, close: () => child.disconnect() };
}
