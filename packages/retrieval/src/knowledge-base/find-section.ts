import type { MarkdownPage, Section } from "../markdown/page.js";
import { toSlug } from "../markdown/slug.js";

/** Finds a section of a page by anchor, heading or heading path; without a name, the first one. */
export function findSection(page: MarkdownPage | undefined, name?: string): Section | undefined {
  if (page === undefined || name === undefined) return page?.sections[0];
  const wanted = name.trim().replace(/^#+\s*/, "");
  const byAnchor = page.sections.find(({ anchors }) => anchors.includes(wanted));
  if (byAnchor !== undefined) return byAnchor;
  const path = wanted.split(">").map(toSlug);
  const last = path.at(-1) ?? "";
  if (last === "") return undefined;
  const named = page.sections.filter(({ heading }) => toSlug(heading) === last);
  const byPath = named.find(({ headingPath }) => endsWith(headingPath.map(toSlug), path));
  return (
    byPath ?? named[0] ?? page.sections.find(({ heading }) => toSlug(heading) === toSlug(wanted))
  );
}

function endsWith(path: readonly string[], end: readonly string[]): boolean {
  return end.every((each, at) => path[path.length - end.length + at] === each);
}
