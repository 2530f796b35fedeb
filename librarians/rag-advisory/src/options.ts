import type { Embedder } from "@constellation/retrieval";
import { z } from "zod";
import type { RAGAdapter } from "./advisory/adapter.js";
import type { RAGCountry } from "./contract/rag-response.js";
import { readCountry, servedCountries } from "./country/countries.js";
import type { EvidenceRecorder } from "./evidence/evidence-recorder.js";
import type { VectorStore } from "./store/vector-store.js";

/**
 * Options for {@link createRagAdvisoryLibrarian}. Exactly one of `path`, `postgres`, `documents`,
 * `store` and `adapters` is needed.
 */
export interface RagAdvisoryLibrarianOptions {
  /** Folder of the embedded store, as the ingest command made it. */
  readonly path?: string | undefined;
  /** URL of a Postgres server with pgvector: `postgres://...`. It may hold a password: it is never told. */
  readonly postgres?: string | undefined;
  /**
   * File or folder of documents, as the ingest command takes them. They are read into memory at the
   * first question: for what is small. A store keeps what is large.
   */
  readonly documents?: string | undefined;
  /** A store that is open. Who made it closes it. */
  readonly store?: VectorStore | undefined;
  /** One adapter for each country, instead of ours over a store. */
  readonly adapters?: readonly RAGAdapter[] | undefined;
  /** Makes vectors, for `path`, `postgres` and `documents`: for a store, the one it was filled with. */
  readonly embedder?: Embedder | undefined;
  /**
   * Countries that are served: `IN`, `US`, `UK`, also spelled `GB` or `India`.
   *
   * @default all three, or those of `adapters`
   */
  readonly countries?: readonly RAGCountry[] | undefined;
  /** Country of questions that name none. None given: such a question is refused. */
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
  /** For people. The id where there is none. */
  readonly name?: string | undefined;
  /** Who owns the sources. */
  readonly team?: string | undefined;
  /**
   * `^[a-z0-9.-]+$`, hierarchical.
   *
   * @default ["property.advisory"]
   */
  readonly capabilities?: readonly string[] | undefined;
  /** Questions it answers well. Two, where not given. */
  readonly examples?: readonly string[] | undefined;
  /** Ids it may delegate a foreign question to. None given: anyone; empty: nobody. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Most time for one call, in milliseconds: 1 to 2147483647. What remains of the run, where not given. */
  readonly timeoutMs?: number | undefined;
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
  path: text("the path of a folder").meta({ format: "path" }).optional(),
  postgres: matching(/^postgres(?:ql)?:\/\/./, "a URL postgres://...").optional(),
  documents: text("the path of a file or folder").meta({ format: "path" }).optional(),
  store: having<VectorStore>("an object with search and rows", "search", "rows").optional(),
  adapters: z
    .array(
      having<RAGAdapter>("an object with country and query", "query").refine(
        (adapter) => (servedCountries as readonly string[]).includes(adapter.country),
        "expected an adapter of IN, US or UK",
      ),
      "expected an array of adapters",
    )
    .min(1, "expected at least one adapter")
    .optional(),
  embedder: having<Embedder>("an object with embed", "embed").optional(),
  countries: z
    .array(country, "expected an array of countries")
    .min(1, "expected at least one country")
    .optional(),
  country: country.optional(),
  evidence: z
    .union(
      [
        text("the path of a file").meta({ format: "path" }),
        having<EvidenceRecorder>("an object with record", "record"),
      ],
      "expected the path of a file or an object with record",
    )
    .optional(),
  extractive: z.boolean("expected true or false").optional(),
  description: text("a sentence").optional(),
  id: matching(/^[a-z0-9-]{1,64}$/).optional(),
  name: text("a name").optional(),
  team: text("a name").optional(),
  capabilities: z.array(matching(/^[a-z0-9.-]{1,128}$/), "expected an array").optional(),
  examples: z.array(text("a question"), "expected an array").optional(),
  delegatesTo: z.array(matching(/^[a-z0-9-]{1,64}$/), "expected an array").optional(),
  timeoutMs: z
    .number("expected a number from 1 to 2147483647")
    .min(1)
    .max(2_147_483_647)
    .optional(),
  recordContent: z.boolean("expected true or false").optional(),
  now: z
    .custom<() => number>((value) => typeof value === "function", "expected a function")
    .optional(),
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
  const shown = issue.path[0] === "postgres" ? "another text" : describe(value); // it may hold a password
  const kind = typeof value === "string" || typeof value === "number" ? RangeError : TypeError;
  throw new kind(`${issue.path.join(".")}: ${issue.message}, got ${shown}.`);
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

function text(what: string) {
  const error = `expected ${what}`;
  return z.string(error).refine((value) => value.trim() !== "", error);
}

function matching(form: RegExp, what = form.source) {
  const error = `expected ${what}`;
  return z.string(error).regex(form, error);
}

function having<Port>(what: string, ...methods: readonly string[]) {
  const has = (value: unknown) =>
    typeof value === "object" &&
    value !== null &&
    methods.every(
      (name) => typeof (value as Readonly<Record<string, unknown>>)[name] === "function",
    );
  return z.custom<Port>(has, `expected ${what}`);
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
