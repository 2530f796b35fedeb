import type { PageSource } from "@constellation/retrieval";

/** Pages in memory: texts by file, which may change while they are used. */
export function pagesOf(texts: Readonly<Record<string, string>>): PageSource {
  const encoder = new TextEncoder();
  return {
    async list() {
      const pages = Object.entries(texts)
        .map(([file, text]) => ({
          file,
          bytes: encoder.encode(text).length,
          modifiedMs: hash(text),
        }))
        .sort((a, b) => (a.file < b.file ? -1 : 1));
      return { pages, omissions: [] };
    },
    async read(file) {
      const text = texts[file];
      if (text !== undefined) return encoder.encode(text);
      return { file, reason: "unreadable", message: `${file} is gone.` };
    },
  };
}

/** Represents the time of the last change. */
function hash(text: string): number {
  let value = 7;
  for (const character of text) value = (value * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}
