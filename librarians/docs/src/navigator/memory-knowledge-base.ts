import type { KnowledgeBaseView, KnowledgeSection } from "./knowledge-base-view.js";

/**
 * A knowledge base from Markdown texts in memory, for tests and for checking an answer against a
 * handful of pages. Splits at headings outside code fences; knows no HTML headings.
 *
 * @param pages - Text by path: `{ "deployment/ssl.md": "# SSL\n…" }`.
 */
export function createMemoryKnowledgeBase(
  pages: Readonly<Record<string, string>>,
): KnowledgeBaseView {
  const sections = new Map(Object.entries(pages).map(([path, text]) => [path, split(text)]));
  return {
    files: () => [...sections.keys()],
    hasFile: (path) => sections.has(path),
    sections: (path) => sections.get(path) ?? [],
  };
}

function split(page: string): readonly KnowledgeSection[] {
  const lines = page.replace(/^\uFEFF/, "").split(/\r?\n/);
  const found: { heading: string; headingPath: string[]; anchor: string; lines: string[] }[] = [];
  const open: { level: number; heading: string }[] = [];
  const anchors = new Map<string, number>();
  let fence: string | undefined;
  let start = 0;
  let title = "";
  if (lines[0] === "---") {
    const end = lines.indexOf("---", 1);
    if (end > 0) {
      start = end + 1;
      const named = lines.slice(1, end).find((line) => line.startsWith("title:")) ?? "";
      title = named
        .slice("title:".length)
        .trim()
        .replace(/^["']|["']$/g, "");
    }
  }
  found.push({ heading: title, headingPath: title === "" ? [] : [title], anchor: "", lines: [] });

  for (let at = start; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    }
    const atx = fence === undefined ? /^ {0,3}(#{1,6})[ \t]+(.*)$/.exec(line) : null;
    const isSetext = fence === undefined && /^\w/.test(line) && /^=+\s*$/.test(lines[at + 1] ?? "");
    if (atx === null && !isSetext) {
      found.at(-1)?.lines.push(line);
      continue;
    }
    if (isSetext) at++;
    const level = atx?.[1]?.length ?? 1;
    const heading = plainHeading(atx?.[2] ?? line);
    while ((open.at(-1)?.level ?? 0) >= level) open.pop();
    open.push({ level, heading });
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const times = anchors.get(slug) ?? 0;
    anchors.set(slug, times + 1);
    found.push({
      heading,
      headingPath: open.map((each) => each.heading),
      anchor: times === 0 ? slug : `${slug}-${times}`,
      lines: [],
    });
  }
  return found
    .map(({ lines: body, ...section }) => ({ ...section, text: body.join("\n").trim() }))
    .filter(({ heading, text }) => heading !== "" || text !== "");
}

/** The text of a heading, without its markup. */
function plainHeading(raw: string): string {
  return raw
    .replace(/[ \t]+#+[ \t]*$/, "")
    .replace(/\{\s*#[^}]*\}\s*$/, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/<[^>]{0,200}>/g, "")
    .replace(/[`*]|\\(?=[_<>*])/g, "")
    .trim();
}
