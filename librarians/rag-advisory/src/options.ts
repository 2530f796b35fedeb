import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
  parseOptions,
} from "@constellation/authoring";
import type { Embedder } from "@constellation/retrieval";
import { z } from "zod";
import type { RAGAdapter } from "./advisory/country-adapter.js";
import type { RAGCountry } from "./contract/rag-response.js";
import { readCountry, servedCountries } from "./country/countries.js";
import type { EvidenceRecorder } from "./evidence/file-recorder.js";
import type { VectorStore } from "./store/vector-store.js";

/**
 * Options for {@link createRagAdvisoryLibrarian}. Exactly one of `path`, `postgres`, `documents`,
 * `store` and `adapters` is needed.
 */
export interface RagAdvisoryLibrarianOptions extends LibrarianOptions {
  /** Folder of the embedded store, as the ingest command made it. */
  readonly path?: string | undefined;
  /** URL of a Postgres server with pgvector: `postgres://...`. It may hold a password, and no message shows it. */
  readonly postgres?: string | undefined;
  /**
   * File or folder of documents, as the ingest command takes them. They are read into memory at the
   * first question and looked at again at every other: what is new, changed or gone is so in the answer. For
   * what is small; a store keeps what is large.
   */
  readonly documents?: string | undefined;
  /** A store that is open. It is not closed with the librarian. */
  readonly store?: VectorStore | undefined;
  /** One adapter for each country, instead of the built-in ones over a store. */
  readonly adapters?: readonly RAGAdapter[] | undefined;
  /** Makes vectors, for `path`, `postgres` and `documents`: for a store, the one it was filled with. */
  readonly embedder?: Embedder | undefined;
  /**
   * Countries that are served: `IN`, `US`, `UK`, also spelled `GB` or `India`.
   *
   * @default all three, or those of `adapters`
   */
  readonly countries?: readonly RAGCountry[] | undefined;
  /** Country of questions that name no country; without it such a question is refused. */
  readonly country?: RAGCountry | undefined;
  /**
   * Where the evidence goes: a file of JSON lines, or a recorder.
   *
   * @default the file `{path}.evidence.jsonl` for `path`; spans only for the others
   */
  readonly evidence?: string | EvidenceRecorder | undefined;
  /**
   * Whether the sources' own words do where there is no model, or it fails. `false`: the response is
   * then `AI_UNAVAILABLE`.
   *
   * @default true
   */
  readonly extractive?: boolean | undefined;
  /**
   * How others find this librarian.
   *
   * @default "Advises on property prices, rents, trends and risks in India, the US and the UK, from the sources it was given; it informs and never decides."
   */
  readonly description?: string | undefined;
  /**
   * Unique in its router: `^[a-z0-9-]+$`, at most 64 characters. Names the store in traces.
   *
   * @default "rag-advisory"
   */
  readonly id?: string | undefined;
  /**
   * `^[a-z0-9.-]+$`, hierarchical.
   *
   * @default ["property.advisory"]
   */
  readonly capabilities?: readonly string[] | undefined;
  /** Questions it answers well. Two, where not given. */
  readonly examples?: readonly string[] | undefined;
  /**
   * Puts queries on the spans of searches. They may hold what should not leave the application.
   *
   * @default false
   */
  readonly recordContent?: boolean | undefined;
  /**
   * The time, in epoch milliseconds: for the age of sources and the time of retrieval.
   *
   * @default Date.now
   */
  readonly now?: (() => number) | undefined;
}

/** The defaults named in {@link RagAdvisoryLibrarianOptions}. */
export const ragAdvisoryLibrarianDefaults = {
  id: "rag-advisory",
  description:
    "Advises on property prices, rents, trends and risks in India, the US and the UK, from the sources it was given; it informs and never decides.",
  capabilities: ["property.advisory"],
  examples: ["Is 48 lakhs fair for a 2BHK in Vizag?", "What are rental yields in Austin?"],
  extractive: true,
  recordContent: false,
} as const satisfies Partial<RagAdvisoryLibrarianOptions>;

const country = z
  .string("expected IN, US or UK")
  .refine((written) => readCountry(written) !== undefined, "expected IN, US or UK")
  .transform((written) => readCountry(written) ?? "IN"); // refused above where there is none

const shape = {
  ...librarianOptionFields,
  path: optionField.path("the path of a folder").optional(),
  postgres: optionField.matching(/^postgres(?:ql)?:\/\/./, "a URL postgres://...").optional(),
  documents: optionField.path("the path of a file or folder").optional(),
  store: optionField.port<VectorStore>("search", "rows").optional(),
  adapters: optionField
    .list(
      optionField
        .port<RAGAdapter>("query")
        .refine(
          (adapter) => (servedCountries as readonly string[]).includes(adapter.country),
          "expected an adapter of IN, US or UK",
        ),
      "an array of adapters",
    )
    .min(1, "expected at least one adapter")
    .optional(),
  embedder: optionField.port<Embedder>("embed").optional(),
  countries: optionField
    .list(country, "an array of countries")
    .min(1, "expected at least one country")
    .optional(),
  country: country.optional(),
  evidence: z
    .union(
      [optionField.path("the path of a file"), optionField.port<EvidenceRecorder>("record")],
      "expected the path of a file or an object with record",
    )
    .optional(),
  extractive: optionField.flag().optional(),
  recordContent: optionField.flag().optional(),
  now: optionField.callback<() => number>().optional(),
};

const origins = ["path", "postgres", "documents", "store", "adapters"] as const;

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<RagAdvisoryLibrarianOptions> = z
  .strictObject(shape)
  .refine((options) => origins.filter((origin) => options[origin] !== undefined).length === 1, {
    path: ["path"],
    error: "expected exactly one of path, postgres, documents, store and adapters",
  })
  .refine((options) => servedBy(options as RagAdvisoryLibrarianOptions).length > 0, {
    path: ["countries"],
    error: "expected a country that an adapter has",
  }) as z.ZodType<RagAdvisoryLibrarianOptions>; // countries are read as people spell them

/** @throws TypeError for a wrong type or key and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): RagAdvisoryLibrarianOptions {
  return parseOptions(optionsSchema, options, { secrets: ["postgres"] });
}

/** The countries that options leave, in our order. */
export function servedBy({
  countries,
  adapters,
}: RagAdvisoryLibrarianOptions): readonly RAGCountry[] {
  const adapted = adapters?.map((adapter) => adapter.country);
  return servedCountries.filter(
    (served) => (countries?.includes(served) ?? true) && (adapted?.includes(served) ?? true),
  );
}
