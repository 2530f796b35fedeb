/**
 * `npm run check`: everything CI holds a change to. Every step runs even when an earlier one
 * failed, so one run names all that is wrong.
 *
 * `--except tests` leaves a step out; it can be given more than once.
 */
import { spawnSync } from "node:child_process";
import { parseArgs } from "node:util";
import { publishableWorkspaces } from "./workspaces.js";

/** A named check: commands that must all exit with 0. */
interface Step {
  readonly name: string;
  readonly commands: readonly (readonly string[])[];
}

const steps: readonly Step[] = [
  { name: "format", commands: [["biome", "check", "--error-on-warnings", "."]] },
  { name: "lint", commands: [["oxlint", "--type-aware", "--deny-warnings"]] },
  { name: "regexes", commands: [["npm", "run", "--silent", "regexes"]] },
  { name: "types", commands: [["npm", "run", "--silent", "typecheck"]] },
  { name: "build", commands: [["npm", "run", "--silent", "build"]] },
  { name: "tests", commands: [["npm", "run", "--silent", "test:all"]] },
  {
    name: "packages",
    commands: publishableWorkspaces().flatMap(({ folder }) => [
      ["publint", "run", "--strict", folder],
      ["attw", "--pack", folder, "--profile", "esm-only"],
    ]),
  },
  {
    name: "installed",
    commands: [["node", "--import", "tsx", "scripts/check-packages.ts"]],
  },
  { name: "api", commands: [["node", "--import", "tsx", "scripts/api-report.ts", "--check"]] },
  {
    name: "bundles",
    commands: [["node", "--import", "tsx", "scripts/check-bundles.ts"]],
  },
  { name: "unused", commands: [["knip"]] },
  { name: "tracing-api", commands: [["npm", "ls", "@opentelemetry/api"]] },
  { name: "change-notes", commands: changesetStatus() },
];

const { values } = parseArgs({ options: { except: { type: "string", multiple: true } } });
const except = values.except ?? [];
const unknown = except.filter((name) => !steps.some((step) => step.name === name));
if (unknown.length > 0) {
  throw new Error(
    `--except ${unknown.join(", ")}: expected one of ${steps.map(({ name }) => name).join(", ")}`,
  );
}

const failed = steps.filter(({ name }) => !except.includes(name)).filter((step) => !passes(step));

console.log(failed.length === 0 ? "\ncheck: all good" : "");
for (const { name } of failed) console.log(`check: ${name} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs all commands of a step, with their output, and says whether each of them succeeded. */
function passes({ name, commands }: Step): boolean {
  const started = Date.now();
  console.log(`\n--- ${name}`);
  const statuses = commands.map(([command = "", ...args]) => {
    const { status, error } = spawnSync(command, args, { stdio: ["ignore", "inherit", "inherit"] });
    if (error !== undefined) console.log(`${command}: ${error.message}`);
    return status;
  });
  console.log(`--- ${name}: ${((Date.now() - started) / 1000).toFixed(1)} s`);
  return statuses.every((status) => status === 0);
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
