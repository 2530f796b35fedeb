import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Folder of the repository. */
export const root: string = fileURLToPath(new URL("../../", import.meta.url));

/** A fenced block of a page, with the block of output that follows it. */
export interface MarkdownBlock {
  /** Page, relative to the root. */
  readonly file: string;
  /** Line of its first line, from 1. */
  readonly line: number;
  /** What follows the fence: `ts`, or `ts fragment` for a piece that is not a program. */
  readonly language: string;
  readonly text: string;
  /** Text of the `output` block right after it. */
  readonly output: string | undefined;
}

/** Every README and every page in `docs`, relative to the root. */
export function pages(): readonly string[] {
  const skipped = new Set(["node_modules", "dist", "runbooks"]);
  const found = (folder: string): readonly string[] =>
    readdirSync(root + folder, { withFileTypes: true }).flatMap((entry) => {
      const path = `${folder}${entry.name}`;
      if (entry.isDirectory()) {
        return skipped.has(entry.name) || entry.name.startsWith(".") ? [] : found(`${path}/`);
      }
      return entry.name === "README.md" || /(?:^|\/)docs\/.*\.md$/.test(path) ? path : [];
    });
  return found("").toSorted();
}

/** Every fenced block of a page, in order. */
export function blocksOf(file: string): readonly MarkdownBlock[] {
  const lines = readFileSync(root + file, "utf8").split("\n");
  const blocks: { language: string; line: number; end: number; text: string }[] = [];
  for (let index = 0; index < lines.length; index++) {
    const [, fence, language = ""] = /^(`{3,})(.*?)\s*$/.exec(lines[index] ?? "") ?? [];
    if (fence === undefined) continue;
    const end = lines.findIndex((line, at) => at > index && line.trimEnd() === fence);
    if (end === -1) throw new Error(`${file}:${index + 1}: a block that does not end`);
    const text = lines.slice(index + 1, end).join("\n");
    blocks.push({ language, line: index + 2, end, text });
    index = end;
  }
  return blocks.map(({ language, line, end, text }, index) => {
    const next = blocks[index + 1];
    const isOutput =
      next?.language === "output" &&
      lines.slice(end + 1, next.line - 2).every((between) => between.trim() === "");
    return { file, line, language, text, output: isOutput ? next.text : undefined };
  });
}
