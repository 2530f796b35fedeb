import type { Evidence, TokenLocation } from "../evidence/evidence.js";
import { isPlaceholder, matches, type Pattern, type Token, withoutPunctuation } from "./pattern.js";

const extensions =
  "mdx?|ya?ml|json5?|toml|[mc]?jsx?|[mc]?tsx?|go|py|rb|rs|java|sh|bash|ps1|conf|cfg|ini|properties|lua|(?:lib)?sonnet|jsonnet|rego|tpl|txt|csv|log|pem|crt|cert|key|pub|tf|tfvars|env|lock|proto|html?|css|scss|xml|sql|service|sock|tar|t?gz|zip|rules|db|bak|rst|adoc|pdf|png|svg";

/** Folders under the root of a machine, and first segments of routes. */
const roots = "etc|var|usr|opt|home|tmp|root|app|data|srv|mnt|proc|dev|api|docs|prometheus|metrics";

const forms: readonly RegExp[] = [
  // deployment/ghost.md, ./x/y.yaml
  /(?<![\w@:/.<>{}$*-])(?:~|\.{1,2})?\/?(?:[\w@.+-]{1,100}\/){1,15}[\w.+-]{1,100}\.[a-zA-Z][a-zA-Z0-9]{0,9}(?![\w/<>{}*-])/g,
  // ghost.md
  new RegExp(
    `(?<![\\w/@.<>{}$*-])[\\w-]{1,100}(?:\\.[\\w-]{1,40}){0,3}\\.(?:${extensions})(?![\\w/-])(?!\\.\\w)`,
    "g",
  ),
  // /etc/ghost/ghost, /api/v1/ghost
  new RegExp(`(?<![\\w:/.<>{}$*-])\\/(?:${roots})(?:\\/[\\w.{}:*<>-]{1,100}){1,15}`, "g"),
];

/** File paths and routes. `and/or`, `I/O` and `CI/CD` have no extension and are not paths. */
export const pathPattern: Pattern = {
  kind: "path",
  noun: "the path",
  mustBeCited: false,
  extract: ({ text }) =>
    forms.flatMap((form) =>
      [...matches(form, text)].map((token) => withoutPunctuation(token)).filter(isPath),
    ),
  find: findPath,
  key: ({ text }) => stripDotSlash(text).toLowerCase(),
};

function isPath({ text }: Token): boolean {
  // Node.js, Next.js, Vue.js: products begin with a capital letter, files in lower case.
  if (
    /^(?:[A-Z]\w*\.js|(?:node|next|vue|nuxt|express|react|d3|three|chart|moment|socket)\.(?:js|io))$/.test(
      text,
    )
  ) {
    return false;
  }
  if (/^\d{1,4}(?:\/\d{1,4}){1,2}/.test(text)) return false;
  if (/(?:^|\/)path\/to\//i.test(text)) return false;
  // A `*` within a route is looked up literally; one at the end matches many files.
  const [last = "", ...folders] = text.split("/").reverse();
  return !isPlaceholder(last) && !folders.some((part) => part !== "*" && isPlaceholder(part));
}

function findPath(token: Token, evidence: Evidence): TokenLocation {
  const path = stripDotSlash(token.text);
  const { index, citedFiles } = evidence;
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const named = index
    .filesNamed(name)
    .filter((file) => `/${file}`.toLowerCase().endsWith(`/${path.toLowerCase()}`));
  const isExact = (file: string) => `/${file}`.endsWith(`/${path}`);
  if (named.some((file) => citedFiles.has(file) && isExact(file))) return "cited";
  const written = evidence.findText(path, "name");
  if (written === "nowhere" && named.length > 0) return "elsewhere";
  return written;
}

/** Turns `./x` into `x`. */
function stripDotSlash(path: string): string {
  return path.replace(/^(?:\.{1,2}\/)+/, "");
}
