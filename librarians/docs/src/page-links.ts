import { type MarkdownPage, type Section, toSlug } from "@constellation/retrieval";

/** How a site makes addresses of its Markdown files. */
export const siteNames = ["files", "github", "hugo", "docusaurus", "vitepress"] as const;
export type SiteName = (typeof siteNames)[number];

/** Where a site puts a page, and what it calls a heading there. */
interface SiteRules {
  /** The path below the base, without a leading slash. */
  path(page: MarkdownPage): string;
  /** The anchor of a heading that names none itself. */
  anchor(heading: string): string;
}

const sites: Readonly<Record<SiteName, SiteRules>> = {
  files: { path: ({ file }) => file, anchor: toSlug },
  github: { path: ({ file }) => file, anchor: toSlug },
  hugo: {
    // https://gohugo.io/content-management/urls/
    path({ file, frontMatter }) {
      const [url, slug] = [frontMatter.url, frontMatter.slug].map(toText);
      if (url !== undefined) return relative(url);
      const parts = withoutExtension(file).toLowerCase().replaceAll(" ", "-").split("/");
      const last = parts.pop() ?? "";
      const name = last === "index" || last === "_index" ? [] : [slug ?? last];
      return folder([...parts, ...name]);
    },
    anchor: toSlug,
  },
  docusaurus: {
    // https://docusaurus.io/docs/create-doc#doc-urls
    path({ file, frontMatter }) {
      const [slug, id] = [frontMatter.slug, frontMatter.id].map(toText);
      if (slug?.startsWith("/")) return relative(slug);
      const parts = withoutExtension(file)
        .split("/")
        .map((part) => part.replace(/^\d{1,9}[-_.]\s?(?=.)/, ""));
      const last = parts.pop() ?? "";
      if (slug !== undefined) return [...parts, slug.replace(/^\.\//, "")].join("/");
      const isIndex = /^(?:index|readme)$/i.test(last) || last === parts.at(-1);
      return [...parts, ...(isIndex ? [] : [id ?? last])].join("/");
    },
    anchor: toSlug,
  },
  vitepress: {
    // https://vitepress.dev/guide/routing
    path({ file }) {
      const whole = withoutExtension(file);
      return /(?:^|\/)index$/.test(whole) ? whole.slice(0, -"index".length) : `${whole}.html`;
    },
    anchor: toVitePressSlug,
  },
};

/** Makes the address of a section, whose page is at hand. */
export type PageLinks = (page: MarkdownPage, section: Section) => string;

/** @param baseUrl - Address of the folder of pages, with or without a slash at its end. */
export function createPageLinks(baseUrl: string, site: SiteName): PageLinks {
  const base = baseUrl.replace(/\/$/, "");
  const { path, anchor } = sites[site];
  return (page, section) => {
    const url = `${base}/${path(page).split("/").map(encodeURIComponent).join("/")}`;
    const name = nameOf(page, section, anchor);
    return name === "" ? url : `${url}#${encodeURIComponent(name)}`;
  };
}

/** The anchor of a section: the page's own, or the site's with `-1` and so on for repeated headings. */
function nameOf(page: MarkdownPage, section: Section, anchor: SiteRules["anchor"]): string {
  if (section.level === 0) return "";
  const plain = toSlug(section.heading);
  const isNumbered = section.anchor.startsWith(`${plain}-`) && /-\d+$/.test(section.anchor);
  if (section.anchor !== plain && !isNumbered) return section.anchor; // `{#id}`
  const own = anchor(section.heading);
  const before = page.sections
    .slice(0, page.sections.indexOf(section))
    .filter(({ heading, level }) => level > 0 && anchor(heading) === own).length;
  return before === 0 ? own : `${own}-${before}`;
}

/** The rules of `slugify` of VitePress. Source: `@mdit-vue/shared`. */
function toVitePressSlug(heading: string): string {
  return heading
    .normalize("NFKD")
    .replace(/[\u0300-\u036F]/g, "")
    .replace(/[\s~`!@#$%^&*()\-_+=[\]{}|\\;:"'“”‘’<>,.?/]+/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/^(?=\d)/, "_")
    .toLowerCase();
}

function withoutExtension(file: string): string {
  return file.replace(/\.[^./]{1,20}$/, "");
}

function folder(parts: readonly string[]): string {
  return parts.map((part) => `${part}/`).join("");
}

function relative(path: string): string {
  return path.replace(/^\//, "");
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
