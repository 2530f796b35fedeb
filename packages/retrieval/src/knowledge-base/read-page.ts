import { omission } from "../folder/omission.js";
import type { Omission, PageSource } from "../folder/page-source.js";
import { decodeText } from "../markdown/decode.js";
import type { MarkdownPage } from "../markdown/page.js";
import { parseMarkdown } from "../markdown/parse-markdown.js";

/**
 * Writes a text of another format, such as AsciiDoc, as Markdown. Lines of sources count in what it returns. It runs on the
 * event loop: its time should grow with the text. One that throws leaves the page out.
 */
export type PageFormat = (text: string, file: string) => string;

/** Formats by the ending of files, with its dot: `.adoc`. */
export type PageFormats = Readonly<Record<string, PageFormat>>;

/** Reads and parses one page. Rejects only with the signal's reason. */
export async function readPage(
  source: PageSource,
  file: string,
  formats: PageFormats,
  signal?: AbortSignal,
): Promise<MarkdownPage | Omission> {
  const bytes = await source.read(file, signal);
  if (!(bytes instanceof Uint8Array)) return bytes;
  const decoded = decodeText(bytes);
  if ("problem" in decoded) return omission(file, "binary");
  const format = Object.entries(formats).find(([ending]) => file.endsWith(ending))?.[1];
  try {
    return parseMarkdown(format === undefined ? decoded.text : format(decoded.text, file), {
      file,
    });
  } catch {
    return omission(file, "unreadable");
  }
}
