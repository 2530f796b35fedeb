import type { Paint } from "./paint.js";
import { wrapToWidth } from "./width.js";

/**
 * Markdown as a terminal can show it: headings, bold, code, lists, links; the rest as it is. Text is
 * broken between words, code and tables are not.
 */
export function renderMarkdown(
  text: string,
  paint: Paint,
  cells = Number.POSITIVE_INFINITY,
): string {
  let fence: string | undefined;
  return text
    .split("\n")
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence !== undefined) {
        if (mark?.startsWith(fence) === true) {
          fence = undefined;
          return undefined;
        }
        return `  ${paint("yellow", line)}`;
      }
      if (mark !== undefined) {
        fence = mark;
        return undefined;
      }
      const rendered = renderLine(line, paint);
      return isFixed(line) ? rendered : wrapToWidth(rendered, cells, hangingOf(line));
    })
    .filter((line) => line !== undefined)
    .join("\n");
}

/** Code and tables lose their meaning when they are broken. */
function isFixed(line: string): boolean {
  return /^(?: {4}|\t|\s*\|)/.test(line);
}

/** What stands below the text of an item. */
function hangingOf(line: string): string {
  const [mark = ""] = /^\s*(?:[-*+]|\d{1,4}[.)])\s+/.exec(line) ?? [];
  return " ".repeat(mark.length);
}

function renderLine(line: string, paint: Paint): string {
  const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1]?.replace(/\s#+\s*$/, "");
  if (heading !== undefined)
    return paint(
      ["bold", "underline"],
      inline(heading, (_, text) => text),
    );
  if (/^(?: {4}|\t)/.test(line)) return paint("yellow", line);
  if (/^\s*(?:[-*_]\s*){3,}$/.test(line)) return paint("dim", "─".repeat(40));
  const [, indent = "", item] = /^(\s*)[-*+]\s+(.*)$/.exec(line) ?? [];
  if (item !== undefined) return `${indent}${paint("cyan", "•")} ${inline(item, paint)}`;
  const quote = /^>\s?(.*)$/.exec(line)?.[1];
  if (quote !== undefined) return `${paint("dim", "│")} ${inline(quote, paint)}`;
  return inline(line, paint);
}

/** Code first: what stands in it is no other mark. */
function inline(line: string, paint: Paint): string {
  return line
    .split(/(`[^`]+`)/)
    .map((part) =>
      part.length > 2 && part.startsWith("`") && part.endsWith("`")
        ? paint("yellow", part.slice(1, -1))
        : part
            .replaceAll(/\*\*([^*]+)\*\*/g, (_, bold: string) => paint("bold", bold))
            .replaceAll(/\[([^[\]]+)\]\((https?:[^()\s]+)\)/g, (_, label: string, url: string) =>
              label === url ? paint("underline", url) : `${label} (${paint("underline", url)})`,
            ),
    )
    .join("");
}
