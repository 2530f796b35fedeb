/** Collects the pages of the site, writes `llms.txt`, and has TypeDoc write the API reference. */
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { basePath, listPages, type Page, pagesFolder, resolveLink, root } from "./pages.js";

const pages = listPages();
const byFile = new Map(pages.map(({ file, path }) => [file, path]));
const problems: string[] = [];

rmSync(pagesFolder, { recursive: true, force: true });
for (const page of pages) write(`${page.path}.md`, withLinks(page));
write("public/llms.txt", listForModels());
write("public/llms-full.txt", pages.map(withLinks).join("\n\n---\n\n"));
if (problems.length > 0) {
  process.stderr.write(`Links to nothing:\n${problems.join("\n")}\n`);
  process.exit(1);
}
writeApi();

function write(path: string, text: string): void {
  const file = join(pagesFolder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A page with its links as the site needs them, outside of code. */
function withLinks({ file }: Page): string {
  const text = readFileSync(join(root, file), "utf8").replaceAll(/<!--.*?-->\n?/gs, "");
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const [, mark] = /^\s*(`{3,}|~{3,})/.exec(line) ?? [];
      if (mark !== undefined && fence === undefined) fence = mark;
      else if (mark?.startsWith(fence ?? "none") === true) fence = undefined;
      return fence === undefined && mark === undefined ? withLink(line, file) : line;
    })
    .join("\n");
}

function withLink(line: string, file: string): string {
  return line.replaceAll(/\]\(([^\s()]+)\)/g, (whole, link: string) => {
    const target = resolveLink(link, file, byFile);
    if (target === undefined) {
      problems.push(`  ${file}: ${link}`);
      return whole;
    }
    if (target.image !== undefined) {
      const copy = join(pagesFolder, "public", target.image);
      mkdirSync(dirname(copy), { recursive: true });
      cpSync(join(root, target.image), copy);
    }
    return `](${target.href})`;
  });
}

/** The pages with what each is about, as https://llmstxt.org has it. */
function listForModels(): string {
  const [home] = pages;
  const lines = pages
    .slice(1)
    .map(({ path, title, summary }) => `- [${title}](${basePath}${path}.html): ${summary}`);
  return `# ${home?.title}\n\n> ${home?.summary}\n\n## Pages\n\n${lines.join("\n")}\n`;
}

function writeApi(): void {
  const config = join(root, "docs/typedoc.json");
  if (!existsSync(config)) return;
  const command = join(root, "docs/node_modules/typedoc/bin/typedoc");
  execFileSync(process.execPath, [command, "--options", config], { stdio: "inherit", cwd: root });
}
