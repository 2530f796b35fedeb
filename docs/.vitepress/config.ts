import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitepress";
import { basePath, listPages, pagesFolder, repository, root, siteAddress } from "../site/pages.js";
import { listReleaseLines, nextRelease } from "../site/versions.js";

const pages = listPages();
const { version } = JSON.parse(readFileSync(join(root, "packages/core/package.json"), "utf8")) as {
  readonly version: string;
};

/** The pages of a folder, the index first. */
function section(text: string, folder: string, isOpen = false) {
  const items = pages
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .sort((one, other) => rank(one.path) - rank(other.path))
    .map(({ path, title }) => ({ text: title, link: `/${path.replace(/index$/, "")}` }));
  return { text, items, collapsed: !isOpen };
}

function rank(path: string): number {
  return path.endsWith("/index") ? 0 : 1;
}

/** Leads to the same site of other versions, where there are any. */
function versions() {
  const releases = { text: "Releases", link: `${repository}/releases` };
  if (siteAddress === "") return { ...releases, text: version };
  const tags = execFileSync("git", ["tag"], { cwd: root, encoding: "utf8" }).split("\n");
  const names = [...listReleaseLines(tags).map(({ name }) => name), nextRelease];
  const items = names.map((name) => ({ text: name, link: `${siteAddress}/${name}/` }));
  const all = { text: "All versions", link: `${siteAddress}/versions.html` };
  return { text: process.env.DOCS_RELEASE ?? nextRelease, items: [...items, all, releases] };
}

const top = pages.filter(({ path }) => !path.includes("/") && path !== "index");
const api = join(pagesFolder, "api/typedoc-sidebar.json");

// biome-ignore lint/style/noDefaultExport: VitePress reads it
export default defineConfig({
  title: "Constellation",
  description: pages[0]?.summary ?? "",
  base: basePath,
  srcDir: ".pages",
  cleanUrls: true,
  lastUpdated: false,
  ignoreDeadLinks: "localhostLinks", // the others fail the build, and site/check-links.ts checks headings too
  markdown: {
    html: false,
    languageAlias: { output: "log" },
    anchor: {
      // As GitHub makes them, so that one link works in both.
      slugify: (text) =>
        text
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
          .replaceAll(/\s/g, "-"),
    },
  },
  themeConfig: {
    search: { provider: "local" },
    nav: [
      { text: "Guides", link: "/guides/write-a-librarian" },
      { text: "Cookbook", link: "/cookbook/" },
      { text: "API", link: "/api/" },
      versions(),
    ],
    sidebar: [
      {
        text: "Constellation",
        items: [
          { text: "What it is", link: "/" },
          ...top.map(({ title, path }) => ({ text: title, link: `/${path}` })),
        ],
      },
      section("Guides", "guides", true),
      section("Cookbook", "cookbook", true),
      section("Reference", "reference"),
      section("Packages", "packages"),
      section("Librarians", "librarians"),
      section("Examples", "examples"),
      section("Decisions", "decisions"),
      ...(existsSync(api) ? [{ text: "API", link: "/api/", items: [], collapsed: true }] : []),
    ],
    socialLinks: [{ icon: "github", link: repository }],
    footer: { message: "Apache-2.0" },
  },
});
