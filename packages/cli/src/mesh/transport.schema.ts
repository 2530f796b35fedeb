import { z } from "zod";
import { text } from "./schema-fields.js";

const path = text("a path").optional();
const milliseconds = z.int("expected milliseconds").min(10, "expected milliseconds, 10 or more");

/** The key `transport` of a mesh file: addresses alone, or with the options of `createNatsTransport`. */
export const transportSchema = z.union(
  [
    text("an address such as nats://127.0.0.1:4222"),
    z.strictObject({
      servers: z.union([text("an address"), z.array(text("an address")).min(1)]),
      mesh: text("a name").optional(),
      caller: text("a name").optional(),
      credentials: z
        .strictObject({
          file: path,
          nkeyFile: path,
          token: text("a token").optional(),
          user: text("a user").optional(),
          password: text("a password").optional(),
        })
        .optional(),
      tls: z.strictObject({ caFile: path, certFile: path, keyFile: path }).optional(),
      heartbeatMs: milliseconds.optional(),
      lostAfterMs: milliseconds.optional(),
      presenceMs: milliseconds.optional(),
      maxAttempts: z.int("expected 1 to 10").min(1).max(10).optional(),
      trustedPeers: z
        .union([z.literal("all"), z.array(text("a name"))])
        .meta({
          description:
            "Callers whose calls may name the user they are made for: names, or `all`. Default: none.",
        })
        .optional(),
    }),
  ],
  "expected an address such as nats://127.0.0.1:4222, or servers, mesh, caller, credentials, tls ...",
);
