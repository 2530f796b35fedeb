import type { SectionText } from "../evidence/section-text.js";

/** Maximum nesting that is followed. */
const deepest = 16;

/**
 * Paths of keys in the nested YAML, JSON and object literals of a section, in lower case, each with
 * every ending of two keys or more: `spec:` above an indented `syncPolicy:` gives `spec.syncpolicy`.
 */
export function readKeyPaths({ raw }: SectionText): ReadonlySet<string> {
  const paths = new Set<string>();
  const open: { readonly key: string; readonly indent: number }[] = [];
  for (const line of raw.split("\n")) {
    const begin = /^([ \t]*(?:[-*>][ \t]+)*)/.exec(line)?.[1]?.length ?? 0;
    if (line.trim() === "" || line.trim().startsWith("#")) continue;
    while ((open.at(-1)?.indent ?? -1) >= begin) open.pop();
    let depthHere = open.length;
    // Several keys in a line are nested when braces are between them: `{ a: { b: 1, c: 2 } }`.
    for (const { 0: part } of line.slice(begin, 1_000).matchAll(keyOrBrace)) {
      if (part === "{") depthHere = Math.min(open.length, deepest);
      else if (part === "}") depthHere = Math.max(0, depthHere - 1);
      else {
        const key = part.replace(/["'\s:]/g, "").toLowerCase();
        open.length = Math.min(open.length, depthHere);
        open.push({ key, indent: begin });
        addEndings(open, paths);
      }
    }
  }
  return paths;
}

const keyOrBrace = /[{}]|["']?[A-Za-z_$][\w$./-]{0,100}["']?[ \t]{0,3}:(?=[\s"'[{|>]|$)/g;

function addEndings(open: readonly { readonly key: string }[], paths: Set<string>): void {
  const keys = open.slice(-deepest).map(({ key }) => key);
  for (let from = 0; from < keys.length - 1; from++) paths.add(keys.slice(from).join("."));
}
