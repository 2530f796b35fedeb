import { optionField, parseOptions } from "@constellation/authoring";
import { z } from "zod";
import { storeCountries, storeSourceTypes } from "../store/check-calls.js";
import type { StoreCountry, StoreSourceType } from "../store/vector-store.js";

/** Options of `ingest`. What a document says of itself goes before what is said here. */
export interface IngestOptions {
  /** The country of documents that name none. */
  readonly country?: StoreCountry | undefined;
  /** The city of documents that name none. */
  readonly city?: string | undefined;
  /** The source to cite of documents that name none. By default the title, or the name of the file. */
  readonly source?: string | undefined;
  readonly sourceType?: StoreSourceType | undefined;
  /** ISO 8601 date of documents that have none. */
  readonly date?: string | undefined;
  readonly url?: string | undefined;
  /**
   * Characters of a chunk, at most. Integer, 100 to 100,000.
   *
   * @default 1200
   */
  readonly chunkLength?: number | undefined;
  /**
   * Characters of a text that the next chunk of it begins with, at most. Integer, 0 to half of
   * `chunkLength`.
   *
   * @default 100
   */
  readonly chunkOverlap?: number | undefined;
  /**
   * Files, at most; the others are problems. Integer, 1 or more.
   *
   * @default 10_000
   */
  readonly maxFiles?: number | undefined;
  /**
   * Bytes of a file, at most; a larger one is a problem. Markdown is at most 10 MiB whatever this
   * says. Integer, 1 or more.
   *
   * @default 268_435_456 (256 MiB)
   */
  readonly maxFileBytes?: number | undefined;
  /**
   * Problems that are reported one by one, at most; the others are counted. Integer, 0 or more.
   *
   * @default 1_000
   */
  readonly maxProblems?: number | undefined;
  /**
   * The folder that documents are named from: the same file is the same document only when it is
   * ingested under the same name.
   *
   * @default the working directory
   */
  readonly root?: string | undefined;
  /** Told after every file and every 500 chunks. What it throws is not caught. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Ends the ingest with its reason. What was added by then stays. */
  readonly signal?: AbortSignal | undefined;
}

/** How far an ingest is. */
export interface IngestProgress {
  /** The document that is being read, or was read last. */
  readonly file: string;
  /** Files that are done. */
  readonly filesDone: number;
  readonly files: number;
  /** Chunks so far. */
  readonly chunks: number;
  readonly added: number;
}

/** Something that was left out. */
export interface IngestProblem {
  /** The document, or the path as it was given. */
  readonly file: string;
  /** From 1, where it is a part of the file. */
  readonly line?: number | undefined;
  /** The column, or the key. */
  readonly key?: string | undefined;
  /** What is wrong and what was expected. */
  readonly message: string;
}

/** What an ingest did. */
export interface IngestReport {
  /** Files that were read. */
  readonly files: number;
  /** Chunks in them. */
  readonly chunks: number;
  /** Chunks that the store did not have. */
  readonly added: number;
  /** Chunks that the store had. */
  readonly unchanged: number;
  /** Chunks taken out, of documents that have changed. */
  readonly removed: number;
  /** The first problems, in the order they were met. */
  readonly problems: readonly IngestProblem[];
  /** All problems, those listed and the others. */
  readonly problemCount: number;
}

/** Options with their defaults. */
export type IngestSettings = IngestOptions & {
  readonly [Key in
    | "chunkLength"
    | "chunkOverlap"
    | "maxFiles"
    | "maxFileBytes"
    | "maxProblems"]: number;
} & { readonly root: string };

const settingsSchema = z
  .looseObject({
    country: optionField.oneOf(storeCountries).optional(),
    sourceType: optionField.oneOf(storeSourceTypes).optional(),
    date: z
      .string()
      .refine(
        (text) => readDate(text) !== undefined,
        "expected an ISO 8601 date such as 2026-10-01",
      )
      .optional(),
    url: z
      .string()
      .refine((text) => readUrl(text) !== undefined, "expected an http or https address")
      .optional(),
    chunkLength: optionField.integer(100, 100_000).default(1_200),
    chunkOverlap: optionField.integer(0).default(100),
    maxFiles: optionField.integer(1).default(10_000),
    maxFileBytes: optionField.integer(1).default(256 * 1024 * 1024),
    maxProblems: optionField.integer(0).default(1_000),
    root: z.string().optional(),
  })
  .refine(({ chunkLength, chunkOverlap }) => chunkOverlap <= chunkLength / 2, {
    path: ["chunkOverlap"],
    error: "expected at most half of chunkLength",
  });

/** @throws {RangeError} For an option outside its range, with its name and value. */
export function readIngestOptions(options: IngestOptions): IngestSettings {
  const checked = parseOptions(settingsSchema, options);
  return { ...options, ...checked, root: options.root ?? process.cwd() };
}

/** Reads a date: `2026-10-01`, the date of a timestamp, or `2026-10` as its first day. */
export function readDate(text: string): string | undefined {
  const [, month, day = "01"] =
    /^(\d{4}-\d{2})(?:-(\d{2})(?:[T ]\d{2}:\d{2}[\d:.]*(?:Z|[+-]\d{2}:?\d{2})?)?)?$/.exec(text) ??
    [];
  if (month === undefined) return undefined;
  const date = `${month}-${day}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  // February 30 would be taken for a day in March.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
}

/** Reads an address that can be shown as a link. */
export function readUrl(text: string): string | undefined {
  if (text.length > 2_000 || !URL.canParse(text)) return undefined;
  const { protocol, username, password } = new URL(text);
  const isWeb = protocol === "http:" || protocol === "https:";
  return isWeb && username === "" && password === "" ? text : undefined;
}
