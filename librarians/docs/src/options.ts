import {
  type LibrarianOptions,
  librarianOptionFields,
  maxTimerMs,
  optionField,
} from "@constellation/core/authoring";
import type { Embedder, FolderLimits, PageSource } from "@constellation/retrieval";
import { z } from "zod";

/** Options for {@link createDocsLibrarian}. Exactly one of `root` and `pages` is needed. */
export interface DocsLibrarianOptions extends LibrarianOptions {
  /** Folder of Markdown pages, read with everything below it. Nothing outside it is read. */
  readonly root?: string | undefined;
  /** Gives the pages from somewhere else: any object with `list` and `read` will do. */
  readonly pages?: PageSource | undefined;
  /** What the pages are about, in a sentence or two: how others find this librarian. */
  readonly description: string;
  /**
   * The subject the librarian was made for, as it completes "I specialize in": a question that names
   * nothing of it, and whose words the pages do not know, is out of domain.
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
   * Bounds of what is read of `root`: `maxFiles` (200,000), `maxFileBytes` (10,485,760),
   * `maxTotalBytes` (268,435,456) and `maxDepth` (16), integers. What goes beyond is left out.
   */
  readonly limits?: FolderLimits | undefined;
  /**
   * Folder in which the index is kept between runs, in a file named after `id`, so that only changed
   * pages are read again. Made when it is missing; others should not be able to write it. None: the
   * index is made at every start.
   */
  readonly cache?: string | undefined;
  /**
   * Adds nearness of meaning to the ranking, such as `openModelEmbedder()` of
   * `@constellation/embeddings`. Sections are embedded in the background and kept in `cache`. None:
   * words alone.
   */
  readonly embedder?: Embedder | undefined;
  /**
   * How long, in milliseconds, the pages are taken to be unchanged: 0 to 2147483647. The first query
   * after that begins a refresh, and is answered from what is known.
   *
   * @default 1_000
   */
  readonly refreshMs?: number | undefined;
  /**
   * Maximum time for the model's answer, its repair included, in milliseconds: 1 to 2147483647. Not
   * given: two thirds of what remains, and after it what is left for the repair.
   */
  readonly modelTimeoutMs?: number | undefined;
  /**
   * Puts queries on the spans of searches. They may hold what should not leave the application.
   *
   * @default false
   */
  readonly recordContent?: boolean | undefined;
}

/** The defaults named in {@link DocsLibrarianOptions}. */
export const docsLibrarianDefaults = {
  id: "docs",
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
    embedder: optionField.port<Embedder>("embed").optional(),
    refreshMs: optionField.number(0, maxTimerMs).optional(),
    modelTimeoutMs: optionField.number(1, maxTimerMs).optional(),
    recordContent: optionField.flag().optional(),
  })
  .refine(({ root, pages }) => (root === undefined) !== (pages === undefined), {
    path: ["root"],
    error: "expected the path of a folder, or `pages` instead of it",
  });
