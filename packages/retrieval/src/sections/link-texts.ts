import { posix } from "node:path";
import type { MarkdownPage, Section } from "../markdown/page.js";

/** What other sections call a section where they link to it. */
export interface LinkTexts {
  /** Takes the links of a page in, in place of older ones. Gives the files they lead to or led to. */
  set(page: MarkdownPage): ReadonlySet<string>;
  /** Takes the links of a page out. Gives the files they led to. */
  remove(file: string): ReadonlySet<string>;
  /** The texts of links to a section of a file, in the order of the files they stand in. */
  of(section: Section, isFirst: boolean): readonly string[];
}

/** A target as a key: the file without its ending, `#`, the anchor. */
interface ResolvedLink {
  readonly stem: string;
  readonly key: string;
  readonly text: string;
}

/** Collects the texts of links between pages. Files are given and taken as `fileStem` writes them. */
export function createLinkTexts(): LinkTexts {
  const linksOf = new Map<string, readonly ResolvedLink[]>();
  const byKey = new Map<string, Map<string, string[]>>();

  function remove(file: string): ReadonlySet<string> {
    const links = linksOf.get(file) ?? [];
    linksOf.delete(file);
    for (const { key } of links) {
      const sources = byKey.get(key);
      sources?.delete(file);
      if (sources?.size === 0) byKey.delete(key);
    }
    return new Set(links.map(({ stem }) => stem));
  }

  return {
    remove,
    set(page) {
      const before = remove(page.file);
      const links = page.sections.flatMap((section) => linksIn(section));
      linksOf.set(page.file, links);
      for (const { key, text } of links) {
        const sources = byKey.get(key) ?? new Map<string, string[]>();
        byKey.set(key, sources);
        const texts = sources.get(page.file) ?? [];
        sources.set(page.file, texts);
        texts.push(text);
      }
      return new Set([...before, ...links.map(({ stem }) => stem)]);
    },
    of(section, isFirst) {
      const stem = fileStem(section.file);
      const anchors = isFirst ? ["", ...section.anchors] : section.anchors;
      return anchors.flatMap((anchor) =>
        [...(byKey.get(`${stem}#${anchor}`) ?? [])]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .flatMap(([, texts]) => texts),
      );
    },
  };
}

/** A file as links name it: without its ending, and a folder for its index. */
export function fileStem(file: string): string {
  return file.replace(/\.(?:md|mdx|markdown|html)$/i, "").replace(/(?:^|\/)(?:index|README)$/i, "");
}

/** Links of a section to other sections. */
function linksIn(section: Section): readonly ResolvedLink[] {
  return section.links.flatMap(({ text, target }) => {
    if (text === "" || /^(?:[a-z][a-z\d+.-]*:|\/\/)/i.test(target)) return [];
    const [path = "", anchor = ""] = target.split("#", 2);
    if (path === "" && section.anchors.includes(anchor)) return [];
    return stemsOf(section.file, path.split("?", 1)[0] ?? "").map((stem) => ({
      stem,
      key: `${stem}#${anchor}`,
      text,
    }));
  });
}

/** What a path may mean: relative to the file, or, on a web site, to the file as a folder. */
function stemsOf(file: string, path: string): readonly string[] {
  if (path === "") return [fileStem(file)];
  if (path.startsWith("/")) return [fileStem(trimmed(path))];
  const folder = posix.dirname(file);
  const beside = fileStem(trimmed(posix.join(folder, path)));
  if (!path.startsWith("../") || /\.\w+$/.test(path)) return [beside];
  return [...new Set([beside, fileStem(trimmed(posix.join(folder, path.slice(3))))])];
}

function trimmed(path: string): string {
  const parts = posix.normalize(path).split("/");
  return parts.filter((part) => part !== "" && part !== ".").join("/");
}
