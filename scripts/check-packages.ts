/**
 * The `installed` step of `npm run check`: packs every workspace as a release does, looks into what
 * is published, and installs all of it in an empty folder, where each entry must load. Then it follows
 * guides literally, with those packages. Needs the build and the registry.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { guideProblems } from "./packed/guides.js";
import { publishableWorkspaces, type Workspace } from "./workspaces.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const required = ["LICENSE", "CHANGELOG.md", "README.md", "package.json"];

const work = mkdtempSync(join(tmpdir(), "packages-"));
try {
  pack();
  const packed = publishableWorkspaces().map((each) => ({
    ...each,
    tarball: tarballOf(each.manifest.name),
  }));
  const problems = [
    ...install(),
    ...publishableWorkspaces().flatMap(problemsOf),
    ...(await guideProblems(work, packed)),
  ];
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function pack(): void {
  const { status, stderr } = spawnSync(
    "npm",
    ["pack", "--workspaces", "--pack-destination", work],
    {
      cwd: root,
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(`npm pack --workspaces failed:\n${stderr}`);
}

/** Installs what is published, as a user does. A warning about the version of Node.js is a problem. */
function install(): readonly string[] {
  const names = publishableWorkspaces().map(({ manifest }) => tarballOf(manifest.name));
  writeFileSync(join(work, "package.json"), '{ "private": true, "type": "module" }');
  const { status, stderr } = spawnSync(
    "npm",
    [
      "install",
      "--no-audit",
      "--no-fund",
      "--prefer-offline",
      "--ignore-scripts",
      ...names.map((name) => `./${name}`),
    ],
    { cwd: work, encoding: "utf8" },
  );
  const warnings = stderr.split("\n").filter((line) => line.includes("EBADENGINE"));
  return status === 0 ? warnings : [`npm install of the packed packages failed:\n${stderr}`];
}

/** `@constellation/core` -> `constellation-core-0.1.0.tgz`. */
function tarballOf(name: string): string {
  const start = `${name.replace("@", "").replace("/", "-")}-`;
  const found = readdirSync(work).find(
    (file) => file.startsWith(start) && /^\d/.test(file.slice(start.length)),
  );
  if (found === undefined) throw new Error(`${name} was not packed.`);
  return found;
}

function problemsOf({ manifest }: Workspace): readonly string[] {
  const { name } = manifest;
  const folder = join(work, "node_modules", name);
  if (!existsSync(folder)) return [`${name}: is not installed`];
  const missing = required.filter((file) => !existsSync(join(folder, file)));
  return [
    ...missing.map((file) => `${name}: has no ${file}`),
    ...mapProblems(folder).map((problem) => `${name}: ${problem}`),
    ...loadProblems(
      Object.entries(manifest.exports ?? {})
        .filter(([, target]) => typeof target !== "string")
        .map(([entry]) => name + entry.slice(1)),
      manifest,
    ),
  ];
}

/** Source maps would be half of a package, and name sources that are not in it. */
function mapProblems(folder: string): readonly string[] {
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith(".map") && !file.startsWith("node_modules"))
    .map((file) => `${file} is a source map`);
}

/**
 * Loads the entries of a package in a process, and each in one of its own where that says anything. A warning is a
 * problem; a missing optional peer is not.
 */
function loadProblems(
  entries: readonly string[],
  { peerDependenciesMeta = {} }: Workspace["manifest"],
): readonly string[] {
  const stderr = loadingOf(entries);
  if (stderr === "") return [];
  return entries.flatMap((entry) => {
    const said = entries.length === 1 ? stderr : loadingOf([entry]);
    const [, missing = ""] = /Cannot find package '([^']+)'/.exec(said) ?? [];
    if (said === "" || peerDependenciesMeta[missing]?.optional === true) return [];
    return [`${entry} does not load: ${said}`];
  });
}

/** What Node.js writes to stderr when it loads entries, one after another. */
function loadingOf(entries: readonly string[]): string {
  const script = entries.map((entry) => `await import(${JSON.stringify(entry)});`).join("");
  const argv = ["--input-type=module", "--eval", script];
  return spawnSync(process.execPath, argv, { cwd: work, encoding: "utf8" }).stderr;
}
