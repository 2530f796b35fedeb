/** Checks every link of the built site: the page it leads to, and the heading on it. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { basePath, root } from "./pages.js";

const site = join(root, "docs/.vitepress/dist");
const files = readdirSync(site, { recursive: true, encoding: "utf8" })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".html"));
const ids = new Map(files.map((file) => [file, new Set(matches(file, / id="([^"]+)"/g))]));
const problems: string[] = [];
let checked = 0;

for (const file of files) {
  for (const href of new Set(matches(file, / (?:href|src)="([^"]+)"/g))) {
    if (/^(?:[a-z]+:|\/\/)/i.test(href)) continue;
    checked++;
    const { pathname, hash } = new URL(
      href.replaceAll("&amp;", "&"),
      `http://site${basePath}${file}`,
    );
    const target = pathname.startsWith(basePath)
      ? fileOf(decodeURI(pathname).slice(basePath.length))
      : undefined;
    if (target === undefined) problems.push(`${file}: ${href}`);
    else if (!hasHeading(target, hash)) problems.push(`${file}: ${href}`);
  }
}
if (problems.length > 0) {
  process.stderr.write(`Links to nothing:\n  ${problems.join("\n  ")}\n`);
  process.exit(1);
}
process.stdout.write(`${files.length} pages, ${checked} links checked\n`);

/** Whether a page has the heading of a link. TypeDoc numbers equal headings in its own way: there the one without a number will do. */
function hasHeading(target: string, hash: string): boolean {
  const headings = ids.get(target);
  if (hash === "" || headings === undefined) return true;
  const id = decodeURIComponent(hash.slice(1));
  return headings.has(id) || (target.startsWith("api/") && headings.has(id.replace(/-\d+$/, "")));
}

/** The file that is served for a path, with or without its extension. */
function fileOf(path: string): string | undefined {
  return [path, `${path}.html`, posix.join(path, "index.html")].find(
    (each) => existsSync(join(site, each)) && /\.\w+$/.test(each),
  );
}

function matches(file: string, pattern: RegExp): readonly string[] {
  return [...readFileSync(join(site, file), "utf8").matchAll(pattern)].flatMap(
    ([, found]) => found ?? [],
  );
}
