/**
 * `npm run test:small-model`: the incident mesh with a real small model on this machine, and without
 * it, over the same questions. Fails when the model makes an answer worse, or when an answer makes a
 * claim that no file of the example supports. See the README of the package.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { loadMesh } from "@constellation/cli";
import type { AIClient } from "@constellation/core";
import { askRouter, readCases, runEval } from "@constellation/core/evals";
import { createOpenAICompatibleClient } from "@constellation/models";
import { strayClaims, textsBelow } from "./claims.js";
import { contextTokens } from "./llama.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const example = join(root, "examples/incident");

/** Ids of the cases of the example that are asked, with the librarian that is asked. */
const subset: Readonly<Record<string, string | undefined>> = {
  "how-to": "docs",
  policy: "docs",
  customers: "docs",
  "absent-page": "docs",
  cause: "k8s",
  "image-fix": "workflow-selector",
  "cause-and-fix": undefined,
};

/** Calls of one prompt. */
interface Calls {
  calls: number;
  failed: number;
  ms: number;
  read: number;
  written: number;
}

const url = await serverUrl();
if (url !== undefined) process.exitCode = await compare(url.baseURL).finally(url.close);

async function compare(baseURL: string): Promise<number> {
  const timeoutMs = Number(process.env.SMALL_MODEL_TIMEOUT_MS ?? 900_000);
  const ai = createOpenAICompatibleClient({
    baseURL,
    model: process.env.SMALL_MODEL_NAME ?? "small",
    contextTokens,
    maxTokens: 1_024,
    timeoutMs,
  });
  await ai.complete({ prompt: "Say yes.", maxTokens: 4 }); // the first call after a load is slow
  const wanted = process.env.SMALL_MODEL_CASES?.split(",");
  const cases = readCases(readFileSync(join(example, "cases.jsonl"), "utf8"), "cases.jsonl")
    .filter(({ id }) => id in subset && (wanted === undefined || wanted.includes(id)))
    .map((one) => ({ ...one, to: subset[one.id] }));
  const texts = textsBelow(example);
  const prompts = new Map<string, Calls>();
  const verdicts: string[] = [];
  const without = await evaluate(cases, timeoutMs, undefined);
  const withModel = await evaluate(cases, timeoutMs, ai, prompts, verdicts);
  let failures = 0;
  for (const [place, { id, answer = "", expectations, durationMs }] of withModel.entries()) {
    const before = without[place];
    const worse = expectations.filter(
      ({ name, passed }) =>
        !passed && before?.expectations.find((each) => each.name === name)?.passed === true,
    );
    const stray = strayClaims(answer, `${texts}\n${before?.answer ?? ""}`);
    failures += worse.length + stray.length;
    console.log(
      `${worse.length + stray.length === 0 ? "✓" : "✗"} ${id}: ${Math.round(durationMs / 1_000)} s`,
      ...worse.map(({ name, seen }) => `\n    worse: ${name}: ${seen}`),
      ...stray.map((claim) => `\n    without support: ${claim}`),
    );
  }
  for (const [id, { calls, failed, ms, read, written }] of prompts) {
    console.log(
      `${id}: ${calls} calls, ${calls - failed} replies that fit, ${Math.round(ms / 1_000)} s, ${read} tokens read, ${written} written`,
    );
  }
  for (const outcome of new Set(verdicts)) {
    console.log(`${outcome}: ${verdicts.filter((each) => each === outcome).length}`);
  }
  console.log(failures === 0 ? "No answer is worse with the model." : `${failures} failures.`);
  return failures === 0 ? 0 : 1;
}

/** @param prompts - Gets what the calls of each prompt came to. @param verdicts - And of each answer. */
async function evaluate(
  cases: ReturnType<typeof readCases>,
  timeoutMs: number,
  ai: AIClient | undefined,
  prompts = new Map<string, Calls>(),
  verdicts: string[] = [],
) {
  const { router } = await loadMesh(join(example, "mesh.yaml"), { env: {} });
  router.on("model:end", ({ promptId = "?", durationMs, usage, error }) => {
    const one = prompts.get(promptId) ?? { calls: 0, failed: 0, ms: 0, read: 0, written: 0 };
    one.calls++;
    if (error !== undefined) one.failed++;
    one.ms += durationMs;
    one.read += usage?.inputTokens ?? 0;
    one.written += usage?.outputTokens ?? 0;
    prompts.set(promptId, one);
    process.stderr.write(`${promptId} ${Math.round(durationMs)} ms ${error?.message ?? ""}\n`);
  });
  router.on("hop:end", ({ to, response }) => {
    const model = response?.metadata?.model as { outcome?: string; reason?: string } | undefined;
    if (model?.outcome !== undefined) {
      verdicts.push(`${to}: ${[model.outcome, model.reason].filter(Boolean).join(", ")}`);
    }
  });
  const start: typeof router.start = (query, options) =>
    router.start(query, { ...options, ...(ai !== undefined && { ai }) });
  const { results } = await runEval(askRouter({ start }), cases, { concurrency: 1, timeoutMs });
  await router.close();
  return results;
}

/** A server that runs already, or one of our own; `undefined` where there is none. */
async function serverUrl(): Promise<{ baseURL: string; close(): void } | undefined> {
  const {
    SMALL_MODEL_URL: given,
    SMALL_MODEL_FILE: file,
    SMALL_MODEL_RUNNER: folder = root,
  } = process.env;
  if (given !== undefined) return { baseURL: given, close() {} };
  const runner = join(resolve(folder), "node_modules/node-llama-cpp");
  if (file === undefined || !existsSync(file) || !existsSync(runner)) {
    console.log(
      "SKIPPED, nothing was tested: set SMALL_MODEL_FILE to a model in GGUF form and install node-llama-cpp, or set SMALL_MODEL_URL to a server that speaks /v1/chat/completions. See packages/models/README.md.",
    );
    return undefined;
  }
  const server = fork(fileURLToPath(new URL("server.ts", import.meta.url)), [file, folder]);
  const ended = once(server, "exit").then(() => {
    throw new Error("The model's server ended by itself.");
  });
  const [baseURL] = (await Promise.race([once(server, "message"), ended])) as [string];
  ended.catch(() => undefined); // it is ended by close
  return { baseURL, close: () => server.disconnect() };
}
