import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
} from "@constellation/authoring";
import { maxTimerMs } from "@constellation/core";
import type {
  Embedder,
  FolderLimits,
  PageFormat,
  PageFormats,
  PageSource,
} from "@constellation/retrieval";
import { z } from "zod";
import { type SiteName, siteNames } from "./page-links.js";

/** Options for {@link createDocsLibrarian}. Exactly one of `root` and `pages` is needed. */
export interface DocsLibrarianOptions extends LibrarianOptions {
  /** Folder of Markdown pages, read with everything below it. Nothing outside it is read. */
  readonly root?: string | undefined;
  /** Reads the pages from another source: any object with `list` and `read`. */
  readonly pages?: PageSource | undefined;
  /**
   * Subject of the pages in one or two sentences, by which routers and other librarians find this
   * one.
   */
  readonly description: string;
  /**
   * Subject of the librarian, as a completion of "I specialize in". A question that names nothing
   * of it, and whose words do not occur in the pages, is out of domain.
   *
   * @default `description`
   */
  readonly domain?: string | undefined;
  /**
   * Unique in its router: `^[a-z0-9-]+$`, at most 64 characters. Names the pages in traces.
   *
   * @default "docs"
   */
  readonly id?: string | undefined;
  /**
   * Globs of which a page of `root` must match one: `*` within a folder, `**` across folders.
   *
   * @default ["*.md", "*.markdown", "*.mdx"]
   */
  readonly include?: readonly string[] | undefined;
  /**
   * Globs of pages and folders of `root` that are left out.
   *
   * @default ["node_modules", ".*"]
   */
  readonly exclude?: readonly string[] | undefined;
  /**
   * Files of other formats, by the ending of their names: `{ ".adoc": toMarkdown }`, where `toMarkdown(text, file)` returns
   * Markdown. They are read from `root` beside Markdown, or with `include` where that names them. A page whose format throws is
   * left out.
   */
  readonly formats?: PageFormats | undefined;
  /**
   * Limits of reading `root`: `maxFiles` (200,000), `maxFileBytes` (10,485,760),
   * `maxTotalBytes` (268,435,456) and `maxDepth` (16), integers. Pages beyond them are left out.
   */
  readonly limits?: FolderLimits | undefined;
  /**
   * Address of the folder of pages on the web: sources get a URL below it that leads to their section. `http:` or `https:`.
   * Default: sources have no URL.
   */
  readonly baseUrl?: string | undefined;
  /**
   * How the site at `baseUrl` makes addresses of files and anchors of headings: `files` and `github` serve the files as
   * they are; `hugo`, `docusaurus` and `vitepress` by their default rules and the front matter of the page.
   *
   * @default "files"
   */
  readonly site?: SiteName | undefined;
  /**
   * Folder in which the index is kept between runs, in a file named after `id`, so that only changed
   * pages are read again. Created when missing; other users should not be able to write to it.
   * Default: the index is built at every start.
   */
  readonly cache?: string | undefined;
  /**
   * Adds nearness of meaning to the ranking, such as `openModelEmbedder()` of
   * `@constellation/embeddings`. Sections are embedded in the background and kept in `cache`.
   * Default: ranking by words alone.
   */
  readonly embedder?: Embedder | undefined;
  /**
   * What `router.open()` waits for: nothing, that the pages have been read, or that the embedder has embedded all of their
   * sections too. When the embedder fails, it waits no longer: words alone rank, and `health` reports it.
   *
   * @default "nothing"
   */
  readonly startWaitsFor?: StartCondition | undefined;
  /**
   * Minimum time between two refreshes, in milliseconds: 0 to 2147483647. The first query after it
   * starts a refresh in the background, and is answered from the pages read so far.
   *
   * @default 1_000
   */
  readonly refreshMs?: number | undefined;
  /**
   * Maximum time for the model's answer, its repair included, in milliseconds: 1 to 2147483647.
   * Default: two thirds of the remaining time, and then the rest for the repair.
   */
  readonly modelTimeoutMs?: number | undefined;
  /**
   * Records queries on the spans of searches. Queries may contain data that should not leave the
   * application.
   *
   * @default false
   */
  readonly recordContent?: boolean | undefined;
}

/** What the start of the librarian waits for. */
export type StartCondition = (typeof startConditions)[number];

const startConditions = ["nothing", "pages", "embeddings"] as const;

/** The defaults named in {@link DocsLibrarianOptions}. */
export const docsLibrarianDefaults = {
  id: "docs",
  site: "files",
  startWaitsFor: "nothing",
  refreshMs: 1_000,
  recordContent: false,
} as const satisfies Partial<DocsLibrarianOptions>;

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<DocsLibrarianOptions> = z
  .strictObject({
    ...librarianOptionFields,
    description: optionField.text("a sentence about the pages"),
    root: optionField.path("the path of a folder").optional(),
    pages: optionField.port<PageSource>("list", "read").optional(),
    domain: optionField.text("a subject").optional(),
    include: optionField.list(optionField.text("a glob")).optional(),
    exclude: optionField.list(optionField.text("a glob")).optional(),
    formats: z
      .record(
        z.string().regex(/^\.[\w.-]{1,20}$/, "expected the ending of a file, such as .adoc"),
        z.custom<PageFormat>((value) => typeof value === "function", "expected a function"),
      )
      .optional(),
    limits: z
      .strictObject(
        {
          maxFiles: optionField.integer(1).optional(),
          maxFileBytes: optionField.integer(1).optional(),
          maxTotalBytes: optionField.integer(1).optional(),
          maxDepth: optionField.integer(0).optional(),
        },
        "expected an object of limits",
      )
      .optional() as z.ZodType<FolderLimits | undefined>, // zod writes `undefined` where a key may be absent
    cache: optionField.path("the path of a folder").optional(),
    baseUrl: z
      .url({ protocol: /^https?$/, error: "expected a URL that begins with http:// or https://" })
      .optional(),
    site: z.enum(siteNames).optional(),
    embedder: optionField.port<Embedder>("embed").optional(),
    startWaitsFor: z.enum(startConditions).optional(),
    refreshMs: optionField.number(0, maxTimerMs).optional(),
    modelTimeoutMs: optionField.number(1, maxTimerMs).optional(),
    recordContent: optionField.flag().optional(),
  })
  .refine(({ root, pages }) => (root === undefined) !== (pages === undefined), {
    path: ["root"],
    error: "expected the path of a folder, or `pages` instead of it",
  });
