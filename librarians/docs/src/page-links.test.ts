import { parseMarkdown } from "@constellation/retrieval";
import { expect, it } from "vitest";
import { pagesOf } from "../test/pages-of.js";
import { createDocsLibrarian } from "./docs-librarian.js";
import { createPageLinks, type SiteName } from "./page-links.js";

const text = `Before the first heading.

# Guide

## Roll back & retry

## 1. Install

## Über Größe

## Install {#own-name}

## Usage

## Usage
`;

function urlsOf(site: SiteName, file: string, frontMatter = ""): readonly string[] {
  const page = parseMarkdown(`${frontMatter}${text}`, { file });
  const link = createPageLinks("https://docs.example/base/", site);
  return page.sections.map((section) =>
    link(page, section).replace("https://docs.example/base/", ""),
  );
}

it.each<[SiteName, string, string, string]>([
  ["files", "ops/On call.md", "", "ops/On%20call.md"],
  ["github", "ops/On call.md", "", "ops/On%20call.md"],
  ["hugo", "Ops/On call.md", "", "ops/on-call/"],
  ["hugo", "ops/_index.md", "", "ops/"],
  ["hugo", "ops/call.md", "---\nslug: duty\n---\n", "ops/duty/"],
  ["hugo", "ops/call.md", "---\nurl: /elsewhere/\n---\n", "elsewhere/"],
  ["docusaurus", "01-ops/02-call.mdx", "", "ops/call"],
  ["docusaurus", "ops/README.md", "", "ops"],
  ["docusaurus", "ops/call.md", "---\nid: duty\n---\n", "ops/duty"],
  ["docusaurus", "ops/call.md", "---\nslug: /duty\n---\n", "duty"],
  ["vitepress", "ops/call.md", "", "ops/call.html"],
  ["vitepress", "ops/index.md", "", "ops/"],
])("a page of %s: %s %s", (site, file, frontMatter, path) => {
  expect(urlsOf(site, file, frontMatter)[0]).toBe(path);
});

it.each<[SiteName, readonly string[]]>([
  [
    "github",
    [
      "",
      "guide",
      "roll-back--retry",
      "1-install",
      "%C3%BCber-gr%C3%B6%C3%9Fe",
      "own-name",
      "usage",
      "usage-1",
    ],
  ],
  [
    "vitepress",
    [
      "",
      "guide",
      "roll-back-retry",
      "_1-install",
      "uber-gro%C3%9Fe",
      "own-name",
      "usage",
      "usage-1",
    ],
  ],
])("headings of %s", (site, anchors) => {
  expect(urlsOf(site, "guide.md").map((url) => url.split("#")[1] ?? "")).toEqual(anchors);
});

it("gives sources a URL, and lines where a page has a heading twice", async () => {
  const { librarian } = createDocsLibrarian({
    pages: pagesOf({
      "mail.md":
        "# Mail\n\n## Usage\n\nSend mails with postbox.\n\n## Usage\n\nDelete parcels with shredder.\n",
    }),
    description: "Mail.",
    baseUrl: "https://docs.example",
    site: "vitepress",
  });

  const { sources } = await librarian("How do I delete parcels with shredder?");

  expect(sources).toEqual([
    expect.objectContaining({
      name: "mail.md#Usage (lines 7-9)",
      url: "https://docs.example/mail.html#usage-1",
    }),
  ]);
});

it("refuses an address that is not one of the web", () => {
  const options = { root: ".", description: "Mail.", baseUrl: "javascript:alert(1)" };
  expect(() => createDocsLibrarian(options)).toThrow(/baseUrl.*http/);
});
