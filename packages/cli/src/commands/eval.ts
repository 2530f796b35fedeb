import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { sanitizeText } from "@constellation/authoring";
import type { AIClient } from "@constellation/core";
import {
  askRouter,
  compareReports,
  createJudge,
  type EvalAsk,
  type EvalJudge,
  type EvalReport,
  printAnnotations,
  printComparison,
  printEvalTable,
  printJUnit,
  readCases,
  runEval,
} from "@constellation/testing/evals";
import { z } from "zod";
import { type CommandIO, exitCodes } from "../command-io.js";
import { asConfigurationError, ConfigurationError } from "../configuration-error.js";
import type { Mesh } from "../mesh/load-mesh.js";
import { withOpenMesh } from "../open-mesh.js";
import { readTextFile } from "../read-text-file.js";
import { readRunFiles } from "../run-file.js";
import { paintFor } from "../terminal/paint.js";
import { type OutputFormat, printData } from "../terminal/printable-data.js";
import { sanitizeLine } from "../terminal/sanitize-line.js";

/** Command-line options of `eval`. */
export interface EvalFlags {
  readonly mesh?: string;
  readonly output: OutputFormat;
  readonly quiet?: true;
  readonly timeout?: number;
  readonly concurrency?: number;
  /** Path of the rubric. */
  readonly judge?: string;
  /** Path of saved runs, which are compared instead of asking a mesh. */
  readonly saved?: string;
  /** Path of a report to compare with. */
  readonly baseline?: string;
  /** Allowed increase of times, tokens and costs over the baseline, as a share. */
  readonly tolerance?: number;
  /** Path of the report as JUnit XML. */
  readonly junit?: string;
}

const maxBytes = 64 * 1_048_576;

/** `constellation eval`: compares a mesh with cases. */
export async function evaluate(file: string, flags: EvalFlags, io: CommandIO): Promise<number> {
  const path = resolve(io.cwd, file);
  const text = await readTextFile({ path, shown: file, maxBytes });
  const cases = await asConfigurationError(() => readCases(text, file));
  const baseline = await readBaseline(flags.baseline, io);
  const saved = flags.saved === undefined ? undefined : await readSaved(flags.saved, io);
  const compare = async (mesh?: Mesh): Promise<number> => {
    const paint = paintFor(io.stderr, io.env);
    const judge = await loadJudge(flags.judge, mesh?.ai, io);
    const ask = saved ?? (mesh && askRouter(mesh.router));
    if (ask === undefined) throw new TypeError("neither a mesh nor saved runs");
    const report = await runEval(ask, cases, {
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
    const { tolerance } = flags;
    const comparison = baseline && compareReports(baseline, report, { tolerance });
    if (flags.output !== "table") {
      await printData(
        comparison === undefined ? report : { ...report, comparison },
        flags.output,
        io,
      );
    } else {
      const parts = [printEvalTable(report), ...(comparison ? [printComparison(comparison)] : [])];
      io.stdout.write(`${sanitizeText(parts.join("\n\n")).trimEnd()}\n`);
    }
    if (flags.junit !== undefined) {
      await writeFile(resolve(io.cwd, flags.junit), printJUnit(report, file));
    }
    if (io.env.GITHUB_ACTIONS === "true") {
      io.stderr.write(printAnnotations(report, file, (id) => findLine(id, text)));
    }
    if (io.signal.aborted) return exitCodes.interrupted;
    const { passed, of } = report.total;
    const isGood = comparison === undefined ? passed === of : !comparison.isWorse;
    return isGood ? exitCodes.answered : exitCodes.failed;
  };
  return saved === undefined || flags.judge !== undefined
    ? withOpenMesh(flags.mesh, io, {}, compare)
    : compare();
}

/** Line of a case in its file. */
function findLine(id: string, text: string): number | undefined {
  const place = text.split("\n").findIndex((line) => {
    if (!line.includes(JSON.stringify(id))) return false;
    return (JSON.parse(line) as { readonly id?: unknown }).id === id; // every line was read as a case
  });
  return place < 0 ? undefined : place + 1;
}

/** Answers each question from the last saved run with it. */
async function readSaved(given: string, { cwd }: CommandIO): Promise<EvalAsk> {
  const runs = await readRunFiles(resolve(cwd, given), given);
  return async (query, { to }) => {
    const found = runs.findLast(
      ({ run, response }) =>
        response !== undefined && run.query === query && (to === undefined || run.to === to),
    );
    if (found?.response === undefined) {
      throw new Error(`no run of ${given} with a response asked this`);
    }
    return { response: found.response, run: found.run };
  };
}

const baselineSchema = z.looseObject({
  results: z.array(
    z.looseObject({ id: z.string(), passed: z.boolean(), durationMs: z.number() }),
    "expected a list of results",
  ),
});

async function readBaseline(
  given: string | undefined,
  { cwd }: CommandIO,
): Promise<Pick<EvalReport, "results"> | undefined> {
  if (given === undefined) return undefined;
  const text = await readTextFile({
    path: resolve(cwd, given),
    shown: given,
    maxBytes,
    advice: "Make it with: constellation eval --json CASES > FILE",
  });
  try {
    return baselineSchema.parse(JSON.parse(text)) as unknown as Pick<EvalReport, "results">; // what is compared was checked
  } catch {
    throw new ConfigurationError(
      `--baseline: ${given} is not a report. Make it with: constellation eval --json CASES > FILE`,
    );
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
  return asConfigurationError(() => createJudge(ai, text));
}
