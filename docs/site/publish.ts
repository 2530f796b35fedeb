/**
 * Builds what the published site lacks: `next` from this folder, and each line of releases whose newest tag is not there yet.
 * `node --import tsx docs/site/publish.ts FOLDER`, with the site as it is published now in FOLDER.
 */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { root } from "./pages.js";
import { listReleaseLines, nextRelease, writeVersionPages } from "./versions.js";

const [given] = process.argv.slice(2);
const site = process.env.DOCS_SITE;
if (given === undefined || site === undefined) {
  process.stderr.write("usage: DOCS_SITE=https://... publish.ts FOLDER\n");
  process.exit(2);
}
const folder = resolve(given);

build(root, nextRelease);
for (const { name, tag } of listReleaseLines(run(root, "git", "tag").split("\n"))) {
  const mark = join(folder, name, "tag.txt");
  if (existsSync(mark) && readFileSync(mark, "utf8") === tag) continue;
  const sources = mkdtempSync(join(tmpdir(), "docs-"));
  run(root, "git", "worktree", "add", "--detach", sources, tag);
  run(sources, "npm", "ci");
  build(sources, name);
  writeFileSync(mark, tag);
  run(root, "git", "worktree", "remove", "--force", sources);
}
writeVersionPages(folder);

function build(sources: string, name: string): void {
  process.env.DOCS_RELEASE = name;
  run(sources, "npm", "run", "docs");
  rmSync(join(folder, name), { recursive: true, force: true });
  cpSync(join(sources, "docs/.vitepress/dist"), join(folder, name), { recursive: true });
}

function run(cwd: string, command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", 2] });
}
