import { execFile, fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { beforeAll, describe, expect, it } from "vitest";
import type { ScriptRun } from "./example-runner.js";
import { blocksOf, type MarkdownBlock, pages, root } from "./markdown-blocks.js";

/*
 * Examples in pages are code: `npm run typecheck` compiles each `ts` block, and one that is followed
 * by an `output` block prints that. `N ms` in an output represents any time. A `sh` block with the
 * demo's command and an output is run too. `ts fragment` marks a piece that cannot compile by itself.
 */

const blocks = pages().flatMap(blocksOf);
const examples = blocks.filter(({ language }) => language === "ts");

/** For all of them, on a machine that may be busy with other tests. */
const patienceMs = 150_000;

describe("the examples in pages", { timeout: patienceMs }, () => {
  describe("as programs", () => {
    const printing = examples.filter(({ output }) => output !== undefined);
    let runs: ReadonlyMap<string, ScriptRun>;
    beforeAll(async () => {
      runs = await runAll(printing.map(scriptOf));
    }, patienceMs);

    it.each(printing.map((example) => [`${example.file}:${example.line}`, example] as const))(
      "%s prints its output",
      (_, example) => {
        const { stdout, stderr, error } = runs.get(scriptOf(example)) ?? {};

        expect(error).toBeUndefined();
        expect(stderr).toBe("");
        expect(withoutTimes(stdout ?? "")).toBe(withoutTimes(`${example.output}\n`));
      },
    );
  });

  const demo = /^npm run demo(?: -- "([^"]+)")?$/m;
  const commands = blocks.filter(({ language, text }) => language === "sh" && demo.test(text));
  for (const { file, line, text, output } of commands) {
    if (output === undefined) continue;
    it.concurrent(`${file}:${line} prints its output`, async () => {
      const [, question] = demo.exec(text) ?? [];
      const main = join(root, "examples/incident/src/main.ts");

      const { stdout } = await run(main, ...(question === undefined ? [] : [question]));

      expect(withoutTimes(stdout).trim()).toBe(withoutTimes(output).trim());
    });
  }
});

/** Writes an example where it finds the packages, as JavaScript. */
function scriptOf(example: MarkdownBlock): string {
  const { outputText } = ts.transpileModule(example.text, {
    compilerOptions: {
      module: ts.ModuleKind.ESNext,
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
    },
  });
  const folder = join(root, "node_modules/.cache/readme-examples");
  const script = join(folder, `${example.file.replaceAll("/", "-")}.${example.line}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, outputText);
  return script;
}

const { VITEST: _, FORCE_COLOR: __, OTEL_EXPORTER_OTLP_ENDPOINT: ___, ...env } = process.env;
const loader = ["--conditions=@constellation/source", "--import", "tsx"];

/** Runs scripts in one process of Node.js. Rejects when that does not end by itself. */
function runAll(scripts: readonly string[]): Promise<ReadonlyMap<string, ScriptRun>> {
  const child = fork(join(import.meta.dirname, "example-runner.ts"), scripts, {
    cwd: root,
    env: { ...env, NO_COLOR: "1" },
    execArgv: loader,
    timeout: patienceMs,
  });
  const runs = new Map<string, ScriptRun>();
  child.on("message", (run: ScriptRun) => runs.set(run.script, run));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => {
      const missing = scripts.find((script) => !runs.has(script));
      if (code === 0 && missing === undefined) resolve(runs);
      else reject(new Error(`The examples ended with ${code ?? signal}; not run: ${missing}`));
    });
  });
}

function run(...script: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [...loader, ...script],
      { cwd: root, env: { ...env, NO_COLOR: "1" }, timeout: patienceMs },
      (error, stdout, stderr) => {
        if (error === null) resolve({ stdout, stderr });
        else reject(new Error(`${script[0]} failed:\n${stderr}`));
      },
    );
  });
}

/** Leaves out times, and the room that a table makes for them. */
function withoutTimes(output: string): string {
  return output
    .replaceAll(/ *\b(?:\d+(?:\.\d+)?|N) ms\b/g, " N ms")
    .replaceAll(/, blocked the event loop for [\d.]+ s/g, "");
}
