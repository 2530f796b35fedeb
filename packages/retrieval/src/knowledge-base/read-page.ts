import { omission } from "../folder/omission.js";
import type { Omission, PageSource } from "../folder/page-source.js";
import { decodeText } from "../markdown/decode.js";
import type { MarkdownPage } from "../markdown/page.js";
import { parseMarkdown } from "../markdown/parse-markdown.js";

/** Reads and parses one page. Rejects only with the signal's reason. */
export async function readPage(
  source: PageSource,
  file: string,
  signal?: AbortSignal,
): Promise<MarkdownPage | Omission> {
  const bytes = await source.read(file, signal);
  if (!(bytes instanceof Uint8Array)) return bytes;
  const decoded = decodeText(bytes);
  return "problem" in decoded ? omission(file, "binary") : parseMarkdown(decoded.text, { file });
}
