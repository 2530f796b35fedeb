// How the benchmark's scorer compares names of sections; its rules, so that figures agree with it.

const inline = "a|br|b|i|em|strong|span|code|sup|sub|img";
const inlineTag = new RegExp(`^</?(?:${inline})\\b`);
const shownTag = new RegExp(`</?(?:${inline}|Badge)\\b[^>]*>`, "g");

function slugify(text: string): string {
  return text
    .toLowerCase()
    .replace(/<[^>]+>/g, (tag) => (inlineTag.test(tag) ? "" : tag))
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-");
}

function plain(text: string): string {
  return text
    .replace(/!\[[^\]]*\]\([^)]*\)/g, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/\[([^\]]*)\]\[[^\]]*\]/g, "$1")
    .replace(shownTag, "")
    .replace(/\*\*|__/g, "")
    .replace(/`/g, "")
    .replace(/\\([<>_*])/g, "$1")
    .trim();
}

/** A heading with nothing but its words. */
export function normalHeading(text: string): string {
  return plain(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** The heading at the end of a path "A > B > C". */
export function lastOf(section: string): string {
  return (section.split(/\s+[>›»]\s+/).pop() ?? "").replace(/^#+\s*/, "");
}

/** Whether what was found is the section that was asked for. */
export function isSameSection(
  found: string,
  wanted: { readonly section: string; readonly slug: string },
): boolean {
  return (
    normalHeading(lastOf(found)) === normalHeading(wanted.section) ||
    found.replace(/^#/, "") === wanted.slug ||
    slugify(lastOf(found)) === wanted.slug
  );
}
