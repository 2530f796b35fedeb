import { z } from "zod";
import type { PageReader } from "./page-reader.js";

/** Options for {@link createDocsLibrarian}. Exactly one of `root` and `pages` is needed. */
export interface DocsLibrarianOptions {
  /** Folder of Markdown pages, read with everything below it. Nothing outside it is read. */
  readonly root?: string | undefined;
  /** Reads the pages from somewhere else: any object with `list` and `read` will do. */
  readonly pages?: PageReader | undefined;
  /** What the pages are about, in a sentence or two: how others find this librarian. */
  readonly description: string;
  /**
   * Unique in its router: `^[a-z0-9-]+$`, at most 64 characters.
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
   * Below this confidence there is no answer but `NOT_FOUND`. 0 to 1.
   *
   * @default 0.45
   */
  readonly minConfidence?: number | undefined;
  /**
   * Most pages. Integer, 1 to 100,000; those after them are left out.
   *
   * @default 2_000
   */
  readonly maxFiles?: number | undefined;
  /**
   * Longest page, in bytes. Integer, 1 to 1,073,741,824; a longer one is left out.
   *
   * @default 1_048_576
   */
  readonly maxFileBytes?: number | undefined;
  /**
   * Most bytes of all pages together. Integer, 1 to 1,073,741,824; pages that go beyond are left out.
   *
   * @default 67_108_864
   */
  readonly maxBytes?: number | undefined;
  /**
   * How long, in milliseconds, the pages are taken to be unchanged before they are looked at again:
   * 0 to 2147483647.
   *
   * @default 1_000
   */
  readonly refreshMs?: number | undefined;
}

/** The defaults named in {@link DocsLibrarianOptions}. */
export const docsLibrarianDefaults = {
  id: "docs",
  minConfidence: 0.45,
  maxFiles: 2_000,
  maxFileBytes: 1_048_576,
  maxBytes: 67_108_864,
  refreshMs: 1_000,
} as const satisfies Partial<DocsLibrarianOptions>;

const mostBytes = 1_073_741_824;
const longestTimerMs = 2_147_483_647;

const shape = {
  root: text("the path of a folder").optional(),
  pages: z.custom<PageReader>(isPageReader, "expected an object with list and read").optional(),
  description: text("a sentence about the pages"),
  id: matching(/^[a-z0-9-]{1,64}$/).optional(),
  name: text("a name").optional(),
  team: text("a name").optional(),
  capabilities: z.array(matching(/^[a-z0-9.-]{1,128}$/), "expected an array").optional(),
  examples: z.array(text("a question"), "expected an array").optional(),
  delegatesTo: z.array(matching(/^[a-z0-9-]{1,64}$/), "expected an array").optional(),
  timeoutMs: numberFrom(1, longestTimerMs).optional(),
  minConfidence: numberFrom(0, 1).optional(),
  maxFiles: integerFrom(1, 100_000).optional(),
  maxFileBytes: integerFrom(1, mostBytes).optional(),
  maxBytes: integerFrom(1, mostBytes).optional(),
  refreshMs: numberFrom(0, longestTimerMs).optional(),
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
    const known = Object.keys(shape).join(", ");
    throw new TypeError(`options: unknown key ${describe(issue.keys[0])}. Known are ${known}.`);
  }
  const value = issue.path.reduce<unknown>(
    (at, key) => (at as Readonly<Record<PropertyKey, unknown>>)[key], // a path zod walked before
    options,
  );
  const kind = hasRightType(issue, value) ? RangeError : TypeError;
  throw new kind(`${issue.path.join(".")}: ${issue.message}, got ${describe(value)}.`);
}

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

function isPageReader(value: unknown): boolean {
  const { list, read } = (value ?? {}) as Partial<Record<keyof PageReader, unknown>>;
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
