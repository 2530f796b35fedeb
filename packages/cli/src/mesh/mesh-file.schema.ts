import { z } from "zod";
import { inputFields } from "./input.schema.js";
import { mcpSchema } from "./mcp.schema.js";
import { modelSchema } from "./model.schema.js";
import {
  breakerSchema,
  resilienceFields,
  retrySchema,
  singleFlightSchema,
} from "./resilience.schema.js";
import { amount, count, duration, text } from "./schema-fields.js";
import { serverSchema } from "./server.schema.js";
import { transportSchema } from "./transport.schema.js";

const id = z
  .string("expected the id of a librarian")
  .regex(/^[a-z0-9-]{1,64}$/, "expected lower-case letters, digits and -, at most 64")
  .meta({ description: "Id of a librarian: lower-case letters, digits and `-`." });

const names = () => z.array(text("a name"), "expected a list of names");

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
    id: id.optional(),
    name: text("a name").meta({ description: "For people." }).optional(),
    description: text("a sentence")
      .meta({ description: "What it can answer. Other librarians find it by this." })
      .optional(),
    team: text("a name").meta({ description: "Who owns it." }).optional(),
    capabilities: z
      .array(
        z
          .string("expected a capability")
          .regex(/^[a-z0-9.-]{1,128}$/, "expected lower-case letters, digits, - and ."),
        "expected a list of capabilities",
      )
      .meta({ description: "What it can do, hierarchical: `docs.network`." })
      .optional(),
    examples: z
      .array(text("a question"), "expected a list of questions")
      .meta({ description: "Questions it answers well." })
      .optional(),
    delegatesTo: z
      .array(id, "expected a list of ids")
      .meta({ description: "Ids it may delegate to. Default: any; empty: none." })
      .optional(),
    effects: z
      .enum(["read", "write"], "expected read or write")
      .meta({ description: "Whether a call changes anything outside." })
      .optional(),
    services: z
      .boolean("expected true or false")
      .meta({
        description:
          "Whether `serve` and `mcp` offer its routes and tools, where it has any. Default: true.",
      })
      .optional(),
    timeoutMs: duration()
      .meta({ description: "Maximum duration of one call, in milliseconds." })
      .optional(),
    concurrency: count(1)
      .meta({ description: "Maximum number of its calls at once, in all runs. Default: no limit." })
      .optional(),
    ...resilienceFields,
    fallback: z
      .array(id, "expected a list of ids")
      .meta({ description: "Librarians that are asked instead when it fails, in this order." })
      .optional(),
    allow: z
      .strictObject(
        { users: names().optional(), teams: names().optional(), roles: names().optional() },
        "expected users, teams, roles",
      )
      .meta({ description: "Who may ask it: one match is enough. Default: everyone." })
      .optional(),
  },
  "expected a librarian: use, options, id ...",
);

/** Schema of a mesh file. */
export const meshFileSchema = z
  .strictObject(
    {
      name: text("a name")
        .meta({ description: "Name of the mesh in traces and records." })
        .optional(),
      entry: id
        .meta({
          description: "Librarian asked when no other is named. Default: the only librarian.",
        })
        .optional(),
      timeoutMs: duration()
        .meta({ description: "Maximum duration of a run, in milliseconds. Default: 30000." })
        .optional(),
      maxDepth: count(1)
        .meta({
          description: "Maximum number of librarians on one path, the entry included. Default: 5.",
        })
        .optional(),
      maxHops: count(0)
        .meta({ description: "Maximum number of librarians called in one run. Default: 64." })
        .optional(),
      maxFanout: count(1)
        .meta({ description: "Maximum number of delegates of one response. Default: 16." })
        .optional(),
      fanoutConcurrency: count(1)
        .meta({ description: "Maximum number of delegates of one response at once. Default: 4." })
        .optional(),
      concurrency: count(1)
        .meta({
          description: "Maximum number of librarians at work, in all runs. Default: no limit.",
        })
        .optional(),
      maxQueue: count(0)
        .meta({ description: "Maximum number of calls that wait for a slot. Default: 1000." })
        .optional(),
      ...inputFields,
      retry: retrySchema.optional(),
      breaker: breakerSchema.optional(),
      singleFlight: singleFlightSchema.optional(),
      merge: z
        .union(
          [
            z.enum(["merge-all", "best-confidence", "first-success", "race", "ai-blend"]),
            z.strictObject({ quorum: count(1) }),
          ],
          "expected merge-all, best-confidence, first-success, race, ai-blend or { quorum: n }",
        )
        .meta({ description: "Merge strategy of parallel answers. Default: merge-all." })
        .optional(),
      blendTimeoutMs: duration()
        .meta({
          description:
            "Maximum time for the model's text of ai-blend, in milliseconds. Default: half of what remains.",
        })
        .optional(),
      loops: z
        .enum(["path", "work"], "expected path or work")
        .meta({ description: "What counts as a loop: the same librarian, or the same work." })
        .optional(),
      budget: z
        .strictObject(
          {
            tokens: amount("a number of tokens").optional(),
            costUsd: amount("an amount in US dollars").optional(),
          },
          "expected tokens, costUsd or both",
        )
        .meta({ description: "Maximum use of models by one run." })
        .optional(),
      recordContent: z
        .boolean("expected true or false")
        .meta({ description: "Puts queries, answers and errors on spans. Off by default." })
        .optional(),
      secrets: z
        .record(
          z.string(),
          z.array(id, "expected a list of ids"),
          "expected ids by key of metadata",
        )
        .meta({
          description: "Keys of metadata that are secret, with the librarians each is meant for.",
        })
        .optional(),
      transport: transportSchema
        .meta({
          description:
            "Brings in the librarians that other processes serve over NATS, and serves those of this file with `constellation serve`.",
        })
        .optional(),
      model: modelSchema
        .meta({
          description:
            "Model for the librarians. Its key comes from the environment: ANTHROPIC_API_KEY, or the variable in `apiKeyEnv`. Without the key no model is used.",
        })
        .optional(),
      telemetry: z
        .strictObject(
          {
            serviceName: text("a name").meta({ description: "Names the application." }).optional(),
            serviceVersion: text("a version").optional(),
            endpoint: text("a URL")
              .meta({ description: "Base URL of an OTLP/HTTP receiver." })
              .optional(),
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

/** The schema for editors. */
export function meshFileJsonSchema(): object {
  return z.toJSONSchema(meshFileSchema, { io: "input" });
}
