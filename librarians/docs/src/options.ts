import type { FolderLimits, PageSource } from "@constellation/retrieval";
import { z } from "zod";

/** Options for {@link createDocsLibrarian}. Exactly one of `root` and `pages` is needed. */
export interface DocsLibrarianOptions {
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
  /** For people. The id where there is none. */
  readonly name?: string | undefined;
  /** Who owns the pages. */
  readonly team?: string | undefined;
  /** `^[a-z0-9.-]+$`, hierarchical: `docs.network`. */
  readonly capabilities?: readonly string[] | undefined;
  /** Questions the pages answer well, as people ask them. */
  readonly examples?: readonly string[] | undefined;
  /** Ids it may delegate a foreign question to. None given: anyone; empty: nobody. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Most time for one call, in milliseconds: 1 to 2147483647. What remains of the run, where not given. */
  readonly timeoutMs?: number | undefined;
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
   * Bounds of what is read of `root`: `maxFiles` (20,000), `maxFileBytes` (10,485,760),
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
   * How long, in milliseconds, the pages are taken to be unchanged before they are looked at again:
   * 0 to 2147483647.
   *
   * @default 1_000
   */
  readonly refreshMs?: number | undefined;
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

const longestTimerMs = 2_147_483_647;
const largest = Number.MAX_SAFE_INTEGER;

const shape = {
  root: text("the path of a folder").meta({ format: "path" }).optional(),
  pages: z.custom<PageSource>(isPageSource, "expected an object with list and read").optional(),
  description: text("a sentence about the pages"),
  domain: text("a subject").optional(),
  id: matching(/^[a-z0-9-]{1,64}$/).optional(),
  name: text("a name").optional(),
  team: text("a name").optional(),
  capabilities: z.array(matching(/^[a-z0-9.-]{1,128}$/), "expected an array").optional(),
  examples: z.array(text("a question"), "expected an array").optional(),
  delegatesTo: z.array(matching(/^[a-z0-9-]{1,64}$/), "expected an array").optional(),
  timeoutMs: numberFrom(1, longestTimerMs).optional(),
  include: z.array(text("a glob"), "expected an array").optional(),
  exclude: z.array(text("a glob"), "expected an array").optional(),
  limits: z
    .strictObject(
      {
        maxFiles: integerFrom(1, largest).optional(),
        maxFileBytes: integerFrom(1, largest).optional(),
        maxTotalBytes: integerFrom(1, largest).optional(),
        maxDepth: integerFrom(0, largest).optional(),
      },
      "expected an object of limits",
    )
    .optional() as z.ZodType<FolderLimits | undefined>, // zod writes `undefined` where a key may be absent
  cache: text("the path of a folder").meta({ format: "path" }).optional(),
  refreshMs: numberFrom(0, longestTimerMs).optional(),
  recordContent: z.boolean("expected true or false").optional(),
};

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<DocsLibrarianOptions> = z
  .strictObject(shape)
  .refine(({ root, pages }) => (root === undefined) !== (pages === undefined), {
    path: ["root"],
    error: "expected the path of a folder, or `pages` instead of it",
  });

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): DocsLibrarianOptions {
  const checked = optionsSchema.safeParse(options);
  if (checked.success) return checked.data;
  const [issue] = checked.error.issues;
  if (issue === undefined || (issue.path.length === 0 && issue.code === "invalid_type")) {
    throw new TypeError(`options: expected an object, got ${describe(options)}.`);
  }
  if (issue.code === "unrecognized_keys") {
    const at = ["options", ...issue.path].join(".");
    const known = issue.path.length === 0 ? Object.keys(shape) : Object.keys(limitNames);
    throw new TypeError(
      `${at}: unknown key ${describe(issue.keys[0])}. Known are ${known.join(", ")}.`,
    );
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>>)[key], // a path zod walked before
    options,
  );
  const kind = hasRightType(issue, value) ? RangeError : TypeError;
  throw new kind(`${issue.path.join(".")}: ${issue.message}, got ${describe(value)}.`);
}

const limitNames = {
  maxFiles: true,
  maxFileBytes: true,
  maxTotalBytes: true,
  maxDepth: true,
} as const satisfies Record<keyof FolderLimits, true>;

function hasRightType(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code === "custom") return typeof value === "string";
  if (issue.code !== "invalid_type") return true;
  return typeof value === "number" && (issue.expected === "number" || issue.expected === "int");
}

function text(what: string) {
  const error = `expected ${what}`;
  return z.string(error).refine((value) => value.trim() !== "", error);
}

function matching(form: RegExp) {
  const error = `expected ${form.source}`;
  return z.string(error).regex(form, error);
}

function numberFrom(least: number, most: number) {
  const error = `expected a number from ${least} to ${most}`;
  return z.number(error).min(least, error).max(most, error);
}

function integerFrom(least: number, most: number) {
  const error = `expected an integer from ${least} to ${most}`;
  return z.number(error).int(error).min(least, error).max(most, error);
}

function isPageSource(value: unknown): boolean {
  const { list, read } = (value ?? {}) as Partial<Record<keyof PageSource, unknown>>;
  return typeof list === "function" && typeof read === "function";
}

/** Names a wrong value, in at most 60 characters. */
function describe(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === "number" || typeof value === "boolean" || value == null)
    return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
