/**
 * `npm run version-packages`: turns the notes in `.changeset` into versions and a section of `CHANGELOG.md`.
 *
 * All packages have one version, and take each other at one minor version: `~0.2.0`. changesets counts a range that a
 * new version leaves as a breaking change of the dependent, which would make each minor version a major one. So the
 * ranges are open while it runs, and are set to the new version afterwards.
 */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { publishableWorkspaces, readManifest } from "./workspaces.js";

const folder = ".changeset";
const notes = readdirSync(folder)
  .filter((file) => file.endsWith(".md") && file !== "README.md")
  .map((file) => readFileSync(`${folder}/${file}`, "utf8"))
  .map((text) => /^---\n(.*?)---\n+(.*)$/s.exec(text))
  .flatMap((found) => (found === null ? [] : [{ head: found[1] ?? "", text: found[2] ?? "" }]))
  .filter(({ text }) => text.trim() !== "");

setRanges("*");
execFileSync("changeset", ["version"], { stdio: "inherit" });
const { version } = readManifest("packages/core");
const versionModule = "packages/core/src/contract/release-version.ts";
const written = readFileSync(versionModule, "utf8").replace(/"[\d.]+"/, JSON.stringify(version));
writeFileSync(versionModule, written);
setRanges(`~${version.replace(/\.\d+$/, ".0")}`);
if (notes.length > 0) addSection(version);
execFileSync("npm", ["install", "--package-lock-only"], { stdio: "inherit" });

/** Sets the range in which each package takes the other packages. */
function setRanges(range: string): void {
  for (const each of publishableWorkspaces()) {
    const file = `${each.folder}/package.json`;
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    for (const field of ["dependencies", "peerDependencies"]) {
      for (const name of Object.keys(manifest[field] ?? {})) {
        if (name.startsWith("@constellation/")) manifest[field][name] = range;
      }
    }
    writeFileSync(file, `${JSON.stringify(manifest, null, 2)}\n`);
  }
}

/** Puts the notes above the earlier versions: what can break a caller first. */
function addSection(name: string): void {
  const titles = {
    major: "Changes that can break",
    minor: "Changes that can break",
    patch: "Other changes",
  };
  const sections = new Map<string, string[]>([
    [titles.minor, []],
    [titles.patch, []],
  ]);
  for (const { head, text } of notes) {
    const isBreaking = /: (?:minor|major)$/m.test(head);
    const packages = [...head.matchAll(/@constellation\/([\w-]+)/g)].map(([, each]) => each);
    const item = text.trim().replaceAll("\n", "\n  ");
    sections
      .get(isBreaking ? titles.minor : titles.patch)
      ?.push(`- ${item} (${packages.join(", ")})`);
  }
  const written = [...sections].filter(([, items]) => items.length > 0);
  const section = written
    .map(([title, items]) => `### ${title}\n\n${items.join("\n")}\n`)
    .join("\n");
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const first = changelog.indexOf("\n## ");
  const [before, after] =
    first < 0 ? [changelog, ""] : [changelog.slice(0, first), changelog.slice(first)];
  writeFileSync("CHANGELOG.md", `${before}\n## ${name}\n\n${section}${after}`);
}
