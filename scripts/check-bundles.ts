/**
 * The `bundles` step of `npm run check`: every published package works when an application is bundled into one file,
 * by esbuild and by rolldown, or traced and copied, by @vercel/nft. The program of a package is in `scripts/bundles`,
 * or is the first example with an output in its README. Each runs from the packages as they are built and in
 * each of the three forms, far from any `node_modules`, and must print the same. Needs the build.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { nodeFileTrace } from "@vercel/nft";
import { build, transform } from "esbuild";
import { rolldown } from "rolldown";
import { blocksOf, root } from "../test/docs/markdown-blocks.js";
import { publishableWorkspaces } from "./workspaces.js";

/** Longest time for one program, in milliseconds. */
const timeoutMs = 120_000;

/** Packages in CommonJS call `require` for modules of Node.js, which a bundle in ESM has to bring. */
const requireBanner =
  'import { createRequire as bundleRequire } from "node:module"; const require = bundleRequire(import.meta.url);';

/** Folders of packages, to leave the others out: `server triage`. */
const { positionals } = parseArgs({ allowPositionals: true });

const work = mkdtempSync(join(tmpdir(), "bundles-"));
const sources = join(root, "node_modules/.cache/bundled-programs");
try {
  rmSync(sources, { recursive: true, force: true });
  mkdirSync(sources, { recursive: true });
  const programs = await writePrograms();
  const forms: Readonly<Record<string, string>> = {
    esbuild: await withEsbuild(programs),
    rolldown: await withRolldown(programs),
    "@vercel/nft": await traced(programs),
  };
  const problems: string[] = [];
  for (const program of programs) {
    const folders = [sources, ...Object.values(forms)];
    const [expected = "", ...printed] = await Promise.all(
      folders.map((folder) => run(join(folder, program))),
    );
    if (!expected.startsWith("exit 0\n")) {
      problems.push(`${program} failed, not bundled:\n${expected}`);
      continue;
    }
    for (const [at, form] of Object.keys(forms).entries()) {
      if (printed[at] === expected) continue;
      problems.push(`${program} by ${form}:\n${printed[at]}\nwithout it:\n${expected}`);
    }
  }
  for (const problem of problems) console.log(problem);
  console.log(`${programs.length} programs, in ${Object.keys(forms).length} forms each`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Writes each program as JavaScript where it finds the packages. Returns the names of the files. */
async function writePrograms(): Promise<readonly string[]> {
  const names: string[] = [];
  for (const { folder } of publishableWorkspaces()) {
    const name = basename(folder);
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    const own = join(root, "scripts/bundles", `${name}.ts`);
    const [example] = blocksOf(`${folder}/README.md`).filter(
      ({ language, output }) => language === "ts" && output !== undefined,
    );
    const text = existsSync(own) ? readFileSync(own, "utf8") : example?.text;
    if (text === undefined) throw new Error(`${folder} has no program to bundle.`);
    const file = `${name}.mjs`;
    const { code } = await transform(text, { loader: "ts", format: "esm" });
    writeFileSync(join(sources, file), code);
    names.push(file);
  }
  return names;
}

async function withEsbuild(programs: readonly string[]): Promise<string> {
  const outdir = join(work, "esbuild");
  await build({
    entryPoints: programs.map((program) => join(sources, program)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    banner: { js: requireBanner },
    logLevel: "error",
  });
  return outdir;
}

async function withRolldown(programs: readonly string[]): Promise<string> {
  const folder = join(work, "rolldown");
  for (const program of programs) {
    const bundle = await rolldown({
      input: join(sources, program),
      platform: "node",
      logLevel: "silent",
    });
    await bundle.write({ file: join(folder, program), format: "esm", codeSplitting: false });
    await bundle.close();
  }
  return folder;
}

/** Copies what the programs need, links among it, to the same places below another folder. */
async function traced(programs: readonly string[]): Promise<string> {
  const folder = join(work, "traced");
  const { fileList } = await nodeFileTrace(
    programs.map((program) => join(sources, program)),
    { base: root, conditions: ["node"] },
  );
  for (const file of fileList) {
    await cp(join(root, file), join(folder, file), { verbatimSymlinks: true, recursive: true });
  }
  return join(folder, relative(root, sources));
}

/** Runs a program in the root, whose files some read. Returns its exit code and all that it printed, without times. */
function run(program: string): Promise<string> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: _, FORCE_COLOR: __, ...env } = process.env;
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: timeoutMs,
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      printed += chunk;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => {
      const withoutTimes = printed.replaceAll(/ *\b\d+(?:\.\d+)? ms\b/g, " N ms");
      resolve(`exit ${code ?? signal}\n${withoutTimes}`);
    });
  });
}
