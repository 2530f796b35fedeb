import type { Transport } from "@constellation/transport";
import { z } from "zod";
import { text } from "./schema-fields.js";

/** A kind of transport: loaded when a mesh file or its JSON Schema needs it. */
interface TransportKind {
  /** Schema of its options, with paths of format `path`. */
  readonly optionsSchema: z.ZodType<object>;
  /** @throws TypeError or RangeError for a wrong option. */
  create(options: object): Transport;
}

/** Loads each kind of transport that a mesh file can name. */
export const loadTransport = {
  async nats(): Promise<TransportKind> {
    const { createNatsTransport, optionsSchema } = await importNats();
    return {
      optionsSchema,
      create: (options) => createNatsTransport(optionsSchema.parse(options)),
    };
  },
  async http(): Promise<TransportKind> {
    const { createHttpTransport, httpOptionsSchema: optionsSchema } = await import(
      "@constellation/transport"
    );
    return {
      optionsSchema,
      create: (options) => createHttpTransport(optionsSchema.parse(options)),
    };
  },
};

type TransportName = keyof typeof loadTransport;

/** The schema of each kind's options in a mesh file: the package checks them when it is loaded. */
export const transportOptions = {
  nats: z
    .record(z.string(), z.unknown(), "expected options of createNatsTransport")
    .meta({ description: "Options of `createNatsTransport`: servers, mesh, credentials, tls ..." }),
  http: z
    .record(z.string(), z.unknown(), "expected options of createHttpTransport")
    .meta({ description: "Options of `createHttpTransport`: listen, peers, token, tls ..." }),
} satisfies Record<TransportName, z.ZodType>;

const names = Object.keys(transportOptions).join(" or ");
const address = "an address such as nats://127.0.0.1:4222 or http://10.0.0.5:7000";
const error = `expected ${address}, or ${names} with options`;

/** The key `transport` of a mesh file: an address alone, or options by kind. */
export const transportSchema = z.union(
  [
    text(address),
    z
      .strictObject({
        nats: transportOptions.nats.optional(),
        http: transportOptions.http.optional(),
        trustedPeers: z
          .union([z.literal("all"), z.array(text("a name"))])
          .meta({
            description:
              "Callers whose calls may name the user they are made for: names, or `all`. Default: none.",
          })
          .optional(),
      })
      .refine(({ nats, http }) => (nats === undefined) !== (http === undefined), error),
  ],
  error,
);

/** The key `transport`, read. */
export interface GivenTransport {
  readonly kind: TransportName;
  readonly options: Readonly<Record<string, unknown>>;
  /** Path of the options in the file. */
  readonly path: readonly string[];
  /** Its addresses, for people. */
  readonly servers: string;
  readonly trustedPeers: readonly string[] | "all";
}

/** Reads the key `transport`, with the options that an address alone represents. */
export function readTransport(given: z.infer<typeof transportSchema>): GivenTransport {
  if (typeof given === "string") {
    const path = ["transport"];
    return /^https?:/i.test(given)
      ? { kind: "http", options: { peers: [given] }, path, servers: given, trustedPeers: [] }
      : { kind: "nats", options: { servers: given }, path, servers: given, trustedPeers: [] };
  }
  const { nats, http = {}, trustedPeers = [] } = given;
  const kind = nats === undefined ? "http" : "nats";
  const options = nats ?? http;
  const servers = [options.servers ?? options.peers ?? []].flat().join(", ");
  return { kind, options, path: ["transport", kind], servers: servers || kind, trustedPeers };
}

export async function importNats(): Promise<typeof import("@constellation/nats")> {
  try {
    return await import("@constellation/nats");
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw thrown;
    throw new Error(
      "a NATS transport needs packages that are not installed: npm install @constellation/nats @nats-io/transport-node@3.3.",
      { cause: thrown },
    );
  }
}
