import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { blocksOf, type MarkdownBlock, pages, root } from "./markdown-blocks.js";

/*
 * Examples in pages are code: each `ts` block compiles, and one that is followed by an `output`
 * block prints that. `N ms` in an output stands for any time. A `sh` block with the demo's command
 * and an output is run too. `ts fragment` marks a piece that cannot compile by itself.
 */

const blocks = pages().flatMap(blocksOf);
const examples = blocks.filter(({ language }) => language === "ts");

/** A compiler run and a process each, on a machine that may be busy with other tests. */
const patienceMs = 150_000;

describe("the examples in pages", { timeout: patienceMs }, () => {
  it("compile, with the compiler's settings of the repository", () => {
    expect(problemsOf(examples)).toEqual([]);
  });

  for (const example of examples.filter(({ output }) => output !== undefined)) {
    it.concurrent(`${example.file}:${example.line} prints its output`, async () => {
      const { stdout, stderr } = await run(scriptOf(example));

      expect(stderr).toBe("");
      expect(withoutTimes(stdout)).toBe(withoutTimes(`${example.output}\n`));
    });
  }

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

/** Compiles all examples as files beside their pages, without writing any. */
function problemsOf(all: readonly MarkdownBlock[]): readonly string[] {
  const config = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const parsed = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
  const { tsBuildInfoFile: _, ...options } = parsed.options;
  const files = new Map(
    all.map((example) => [join(root, `${example.file}.${example.line}.ts`), moduleOf(example)]),
  );
  const host = ts.createCompilerHost({});
  const program = ts.createProgram({
    rootNames: [...files.keys()],
    options: { ...options, noEmit: true, incremental: false },
    host: {
      ...host,
      fileExists: (file) => files.has(file) || host.fileExists(file),
      readFile: (file) => files.get(file) ?? host.readFile(file),
      getSourceFile: (file, target) => {
        const text = files.get(file);
        return text === undefined
          ? host.getSourceFile(file, target)
          : ts.createSourceFile(file, text, target);
      },
    },
  });
  return [...files.keys()].flatMap((file) => {
    const source = program.getSourceFile(file);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ start = 0, messageText }) => {
      const [, page = "", first = ""] = /^(.*)\.(\d+)\.ts$/.exec(file) ?? [];
      const line = Number(first) + (source?.getLineAndCharacterOfPosition(start).line ?? 0);
      const message = ts.flattenDiagnosticMessageText(messageText, "\n");
      return `${page.slice(root.length)}:${line}: ${message}`;
    });
  });
}

/** An example without imports is a module all the same, so that its names are its own. */
function moduleOf({ text }: MarkdownBlock): string {
  return /^(?:import|export) /m.test(text) ? text : `${text}\nexport {};\n`;
}

/** Writes an example where it finds the packages, as JavaScript. */
function scriptOf(example: MarkdownBlock): string {
  const { outputText } = ts.transpileModule(example.text, {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
  });
  const folder = join(root, "node_modules/.cache/readme-examples");
  const script = join(folder, `${example.file.replaceAll("/", "-")}.${example.line}.mjs`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(script, outputText);
  return script;
}

function run(...script: readonly string[]): Promise<{ stdout: string; stderr: string }> {
  const { VITEST: _, FORCE_COLOR: __, OTEL_EXPORTER_OTLP_ENDPOINT: ___, ...env } = process.env;
  const loader = ["--conditions=@constellation/source", "--import", "@oxc-node/core/register"];
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
  return output.replaceAll(/ *\b(?:\d+(?:\.\d+)?|N) ms\b/g, " N ms");
}
