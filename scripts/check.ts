/**
 * `npm run check`: everything CI holds a change to. Every step runs even when an earlier one
 * failed, so one run names all that is wrong.
 *
 * `--except tests` leaves a step out; it can be given more than once.
 */
import { spawn, spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { publishableWorkspaces } from "./workspaces.js";

/** A named check: commands that must all exit with 0. */
interface Step {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
  /** Needs nothing but what `build` made. The steps of each lane run in turn, beside those of the other; packing writes. */
  readonly lane?: (typeof lanes)[number];
}

const lanes = ["pack", "read"] as const;

const steps: readonly Step[] = [
  { name: "format", commands: [["biome", "check", "--error-on-warnings", "."]] },
  { name: "lint", commands: [["oxlint", "--type-aware", "--deny-warnings"]] },
  { name: "regexes", commands: [["npm", "run", "--silent", "regexes"]] },
  { name: "types", commands: [["npm", "run", "--silent", "typecheck"]] },
  { name: "build", commands: [["npm", "run", "--silent", "build"]] },
  { name: "tests", commands: [["npm", "run", "--silent", "test:all"]] },
  {
    name: "packages",
    lane: "pack",
    commands: publishableWorkspaces().flatMap(({ folder }) => [
      ["publint", "run", "--strict", folder],
      ["attw", "--pack", folder, "--profile", "esm-only"],
    ]),
  },
  {
    name: "installed",
    lane: "pack",
    commands: [["node", "--import", "tsx", "scripts/check-packages.ts"]],
  },
  {
    name: "api",
    lane: "read",
    commands: [["node", "--import", "tsx", "scripts/api-report.ts", "--check"]],
  },
  {
    name: "bundles",
    lane: "read",
    commands: [["node", "--import", "tsx", "scripts/check-bundles.ts"]],
  },
  { name: "unused", lane: "read", commands: [["knip"]] },
  { name: "tracing-api", lane: "read", commands: [["npm", "ls", "@opentelemetry/api"]] },
  { name: "change-notes", lane: "read", commands: changesetStatus() },
];

const { values } = parseArgs({ options: { except: { type: "string", multiple: true } } });
const except = values.except ?? [];
const unknown = except.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  throw new Error(
    `--except ${unknown.join(", ")}: expected one of ${steps.map(({ name }) => name).join(", ")}`,
  );
}

const wanted = steps.filter(({ name }) => !except.includes(name));
const results = new Map<Step, boolean>();
for (const step of wanted.filter(({ lane }) => lane === undefined)) {
  console.log(`\n--- ${step.name}`);
  results.set(step, await passes(step, (text) => process.stdout.write(text)));
}
await Promise.all(lanes.map((lane) => runLane(wanted.filter((step) => step.lane === lane))));

const failed = wanted.filter((step) => results.get(step) !== true);
console.log(failed.length === 0 ? "\ncheck: all good" : "");
for (const { name } of failed) console.log(`check: ${name} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs steps one after the other, and prints each when it has ended. */
async function runLane(own: readonly Step[]): Promise<void> {
  for (const step of own) {
    const printed = [`\n--- ${step.name}\n`];
    results.set(step, await passes(step, (text) => void printed.push(text)));
    process.stdout.write(printed.join(""));
  }
}

/** Runs all commands of a step, and says whether each of them succeeded. */
async function passes({ name, commands }: Step, print: (text: string) => void): Promise<boolean> {
  const started = Date.now();
  const statuses: unknown[] = [];
  for (const [command = "", ...args] of commands) statuses.push(await run(command, args, print));
  print(`--- ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s\n`);
  return statuses.every((status) => status === 0);
}

/** @returns The exit code of a command; anything else where it did not run to its end. */
function run(command: string, args: readonly string[], print: (text: string) => void) {
  return new Promise<unknown>((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", print);
    child.once("error", ({ message }) => {
      print(`${command}: ${message}\n`);
      resolve(message);
    });
    child.once("close", (code, signal) => resolve(code ?? signal));
  });
}

/**
 * Asks whether every change since the main branch has its note. Compares with the remote's main
 * branch where there is one, as in a pull request's checkout; a shallow clone has nothing to
 * compare with.
 */
function changesetStatus(): readonly (readonly string[])[] {
  const base = ["origin/main", "main"].find(
    (branch) => spawnSync("git", ["merge-base", branch, "HEAD"]).status === 0,
  );
  return base === undefined ? [] : [["changeset", "status", "--since", base]];
}
