import { resolve } from "node:path";
import { sanitizeText } from "@constellation/authoring";
import type { AIClient } from "@constellation/core";
import {
  askRouter,
  createJudge,
  type EvalJudge,
  printEvalTable,
  readCases,
  runEval,
} from "@constellation/testing/evals";
import { type CommandIO, exitCodes } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";
import { closeMesh, openMesh } from "../open-mesh.js";
import { readTextFile } from "../read-text-file.js";
import { paintFor } from "../terminal/paint.js";
import { type OutputFormat, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Options of `eval`, as the command line has them. */
export interface EvalFlags {
  readonly mesh?: string;
  readonly output: OutputFormat;
  readonly quiet?: true;
  readonly timeout?: number;
  readonly concurrency?: number;
  /** Path of the rubric. */
  readonly judge?: string;
}

const maxBytes = 64 * 1_048_576;

/** `constellation eval`: compares a mesh with cases. */
export async function evaluate(file: string, flags: EvalFlags, io: CommandIO): Promise<number> {
  const path = resolve(io.cwd, file);
  const text = await readTextFile({ path, shown: file, maxBytes });
  const cases = parseCases(text, file);
  const mesh = await openMesh(flags.mesh, io);
  try {
    const paint = paintFor(io.stderr, io.env);
    const judge = await loadJudge(flags.judge, mesh.ai, io);
    const report = await runEval(askRouter(mesh.router), cases, {
      signal: io.signal,
      timeoutMs: flags.timeout,
      concurrency: flags.concurrency,
      judge,
      onResult({ id, passed, durationMs }) {
        if (flags.quiet === true) return;
        const mark = passed ? paint("green", "✓") : paint("red", "✗");
        io.stderr.write(
          `${mark} ${sanitizeLine(id, 200)} ${paint("dim", `${Math.round(durationMs)} ms`)}\n`,
        );
      },
    });
    if (flags.output !== "table") await printData(report, flags.output, io);
    else io.stdout.write(`${sanitizeText(printEvalTable(report)).trimEnd()}\n`);
    if (io.signal.aborted) return exitCodes.interrupted;
    const { passed, of } = report.total;
    return passed === of ? exitCodes.answered : exitCodes.failed;
  } finally {
    await closeMesh(mesh);
  }
}

/** The judge of a rubric, with the mesh's model. */
async function loadJudge(
  rubric: string | undefined,
  ai: AIClient | undefined,
  { cwd }: CommandIO,
): Promise<EvalJudge | undefined> {
  if (rubric === undefined) return undefined;
  const text = await readTextFile({ path: resolve(cwd, rubric), shown: rubric, maxBytes });
  if (ai === undefined) {
    throw new ConfigurationError(
      "--judge: the mesh has no model. Give it one with `model`, and its key in the environment.",
    );
  }
  try {
    return createJudge(ai, text);
  } catch (thrown) {
    throw new ConfigurationError((thrown as Error).message);
  }
}

function parseCases(text: string, file: string): ReturnType<typeof readCases> {
  try {
    return readCases(text, file);
  } catch (thrown) {
    throw new ConfigurationError((thrown as Error).message);
  }
}
