import { decodeText, parseMarkdown, type Section } from "@constellation/retrieval";
import { createChunkNaming, DocumentError, type DocumentReader, textChunks } from "./document.js";
import { cleanText, readMetadata } from "./read-metadata.js";
import { readBytes } from "./read-texts.js";

/** Markdown is read whole. */
const maxBytes = 10 * 1024 * 1024;

/** Reads Markdown: its front matter as metadata, the text under each heading as chunks. */
export const readMarkdown: DocumentReader = async function* ({ name, path }, settings) {
  const blocks: Buffer[] = [];
  for await (const block of readBytes(path, { maxBytes, signal: settings.signal }))
    blocks.push(block);
  const decoded = decodeText(Buffer.concat(blocks));
  if ("problem" in decoded) {
    throw new DocumentError("expected text, got binary data");
  }
  const page = parseMarkdown(decoded.text, { file: name });
  const { metadata, wrong, leftOut } = readMetadata(page.frontMatter, settings);
  if (metadata === undefined) {
    yield { problem: { line: 1, message: "expected front matter", ...wrong } };
    return;
  }
  for (const field of leftOut) yield { problem: { line: 1, ...field }, isMinor: true };
  const naming = createChunkNaming(name);
  for (const message of page.problems) yield { problem: { message } };
  for (const section of page.sections) {
    const headings = [page.title, ...section.headingPath].filter(
      (each, at, all) => all.indexOf(each) === at,
    );
    const title = cleanText(headings.join(" > ").slice(0, 200));
    yield* textChunks(joinProse(section), { ...metadata, title }, naming, page.title, settings);
  }
};

/** Paragraphs are parted by an empty line, so that a chunk can end at one. Code says nothing about a market. */
function joinProse({ blocks }: Section): string {
  const prose = blocks.filter(({ kind }) => kind !== "code");
  return cleanText(
    prose.map(({ kind, text }) => `${text}${kind === "paragraph" ? "\n\n" : "\n"}`).join(""),
  ).trim();
}
