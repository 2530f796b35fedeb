import {
  type Budget,
  type CacheOptions,
  type LibrarianDefinition,
  maxTimerMs,
  type RouterOptions,
} from "@constellation/core";
import { definitionTable, routerTable } from "@constellation/core/checks";
import { z } from "zod";
import { modelSchema } from "./model.schema.js";
import { optionFields } from "./option-fields.js";
import { optionTexts } from "./option-texts.js";
import { count, integer, text } from "./schema-fields.js";
import { serverSchema } from "./server.schema.js";
import { loadTransport, transportOptions, transportSchema } from "./transports.js";

const { fields: cacheTable } = definitionTable.cache;

const librarian = z.strictObject(
  {
    use: text("the name of a package, or the path of a file")
      .regex(
        /^(?:\.{0,2}\/.*|(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*(?:\/[\w./-]+)?)$/,
        "expected the name of a package, or a path that begins with ./, ../ or /",
      )
      .meta({
        description:
          "Package with `createLibrarian` and `optionsSchema`, or path of such a module, relative to this file.",
      }),
    options: z
      .record(z.string(), z.unknown(), "expected the options of the package")
      .meta({
        description: "Options of `createLibrarian`, described by the package's `optionsSchema`.",
      })
      .optional(),
    ...optionFields<LibrarianDefinition, typeof definitionTable>(
      definitionTable,
      optionTexts.librarian,
    ),
    cache: z
      .strictObject(
        {
          ...optionFields<CacheOptions, typeof cacheTable>(cacheTable),
          maxEntries: count(1).optional(),
        },
        "expected ttlMs, staleIfErrorMs, isPublic, maxEntries",
      )
      .meta({ description: "Keeps its complete answers in memory, for each user. Default: off." })
      .optional(),
    services: z
      .boolean("expected true or false")
      .meta({
        description:
          "Whether `serve` and `mcp` offer its routes and tools, where it has any. Default: true.",
      })
      .optional(),
  },
  "expected a librarian: use, options, id ...",
);

const amounts = z.strictObject(
  optionFields<Budget, typeof routerTable.budget.fields>(
    routerTable.budget.fields,
    optionTexts.budget,
  ),
  "expected tokens, costUsd",
);

const mcpSchema = z
  .strictObject(
    {
      maxAnswerLength: integer(
        200,
        1_000_000,
        "Maximum length of an answer, in characters. A longer one is cut, with a link to the whole. Default: 20000.",
      ),
      answerTtlMs: integer(
        1,
        maxTimerMs,
        "How long the whole of an answer that was cut can be read, in milliseconds. Default: 600000.",
      ),
      maxStoredBytes: count(
        0,
        "Maximum size in memory of all answers that can be read, in bytes. Default: 16777216.",
      ),
    },
    "expected maxAnswerLength, answerTtlMs, maxStoredBytes",
  )
  .partial();

/** Schema of a mesh file. */
export const meshFileSchema = z
  .strictObject(
    {
      ...optionFields<RouterOptions, typeof routerTable>(routerTable, optionTexts.router),
      transport: transportSchema
        .meta({
          description:
            "Brings in the librarians that other processes serve over NATS or HTTP, and serves those of this file with `constellation serve`.",
        })
        .optional(),
      model: modelSchema
        .meta({
          description:
            "Model for the librarians. Its key comes from the environment: ANTHROPIC_API_KEY, or the variable in `apiKeyEnv`. Without the key no model is used.",
        })
        .optional(),
      journal: text(
        "a path or an address",
        "Where runs are journaled: path of a SQLite file, relative to this file, or address of a Postgres database. Runs then survive their process, wait for people, and are listed by `constellation runs`.",
      ).optional(),
      budgets: z
        .strictObject(
          {
            userPerDay: amounts.meta({ description: "Of one user in a day, in UTC." }).optional(),
            thread: amounts.meta({ description: "Of one thread." }).optional(),
            day: amounts.meta({ description: "Of all runs in a day, in UTC." }).optional(),
          },
          "expected userPerDay, thread, day",
        )
        .meta({
          description:
            "Maximum that runs together may spend on models, beside `budget`, which is of each run. A call beyond it is refused before it is made.",
        })
        .optional(),
      telemetry: z
        .strictObject(
          {
            serviceName: text("a name", "Names the application.").optional(),
            serviceVersion: text("a version").optional(),
            endpoint: text("a URL", "Base URL of an OTLP/HTTP receiver.").optional(),
            sampleRatio: z
              .number("expected a number from 0 to 1")
              .min(0, "expected a number from 0 to 1")
              .max(1, "expected a number from 0 to 1")
              .meta({ description: "Share of runs that are traced." })
              .optional(),
          },
          "expected serviceName, serviceVersion, endpoint, sampleRatio",
        )
        .meta({
          description: "Sends traces and metrics to `endpoint`, or to OTEL_EXPORTER_OTLP_ENDPOINT.",
        })
        .optional(),
      server: serverSchema
        .meta({ description: "How `serve` serves the mesh. Options of the command come first." })
        .optional(),
      mcp: mcpSchema.meta({ description: "How `serve` and `mcp` answer MCP clients." }).optional(),
      librarians: z
        .array(librarian, "expected a list of librarians")
        .max(10_000, "expected at most 10000 librarians")
        .meta({ description: "Librarians of the mesh." }),
    },
    "expected a mesh: librarians, name, entry ...",
  )
  .refine(({ librarians, transport }) => librarians.length > 0 || transport !== undefined, {
    path: ["librarians"],
    error: "expected at least one librarian",
  })
  .meta({ title: "Constellation mesh", description: "A mesh of librarians." });

/** A mesh file, checked. */
export type MeshFile = z.infer<typeof meshFileSchema>;

/** A librarian of a mesh file. */
export type MeshFileLibrarian = MeshFile["librarians"][number];

/** The schema for editors, with the options of the transports whose packages are installed. */
export async function meshFileJsonSchema(): Promise<object> {
  const schemas = new Map<unknown, object>();
  for (const [name, load] of Object.entries(loadTransport)) {
    const loaded = await load().catch(() => undefined);
    if (loaded === undefined) continue;
    const { $schema: _, ...schema } = z.toJSONSchema(loaded.optionsSchema, { io: "input" });
    schemas.set(transportOptions[name as keyof typeof loadTransport], schema);
  }
  return z.toJSONSchema(meshFileSchema, {
    io: "input",
    override({ zodSchema, jsonSchema }) {
      const schema = schemas.get(zodSchema);
      if (schema === undefined) return;
      for (const key of ["propertyNames", "additionalProperties"] as const) delete jsonSchema[key];
      Object.assign(jsonSchema, schema);
    },
  });
}
