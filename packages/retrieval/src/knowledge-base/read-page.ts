import { omission } from "../folder/omission.js";
import type { Omission } from "../folder/page-source.js";
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

/** Parses a page that was read. */
export function toPage(
  read: Uint8Array | Omission,
  file: string,
  formats: PageFormats,
): MarkdownPage | Omission {
  if (!(read instanceof Uint8Array)) return read;
  const decoded = decodeText(read);
  if ("problem" in decoded) return omission(file, "binary");
  const format = Object.entries(formats).find(([ending]) => file.endsWith(ending))?.[1];
  try {
    const text = format === undefined ? decoded.text : format(decoded.text, file);
    return parseMarkdown(text, { file });
  } catch {
    return omission(file, "unreadable");
  }
}
