import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every text below a folder, joined: what an answer may be made of. */
export function textsBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

/**
 * Code in backticks and numbers of two digits and more that an answer has and its texts have not:
 * claims that nothing supports.
 */
export function strayClaims(answer: string, texts: string): readonly string[] {
  const known = folded(texts);
  const code = [...answer.matchAll(/`([^`\n]{2,200})`/g)].map(([, text = ""]) => text);
  const numbers = [...answer.matchAll(/\d[\d.,]*\d/g)].map(([text]) => text);
  return [...new Set([...code, ...numbers])].filter((claim) => !known.includes(folded(claim)));
}

function folded(text: string): string {
  return text.toLowerCase().replaceAll(/["'\s]+/g, " ");
}
