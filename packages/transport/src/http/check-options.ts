import { optionField, parseOptions } from "@constellation/authoring";
import { z } from "zod";
import { tokenForm, transportDefaults } from "../settings.js";
import { type HttpTransportOptions, isOwnMachine } from "./options.js";

const name = optionField.matching(tokenForm, "1 to 64 of the characters A-Z, a-z, 0-9, _ and -");
const path = optionField.path().optional();

/** Checks options from outside, such as a mesh file. */
export const httpOptionsSchema: z.ZodType<HttpTransportOptions> = z
  .strictObject({
    peers: optionField.list(optionField.httpUrl()).max(100, "expected 100 at most").optional(),
    listen: z
      .strictObject({
        host: optionField.text("the name or address of a host").optional(),
        port: optionField.integer(0, 65_535).optional(),
      })
      .optional(),
    token: z
      .string("expected a token")
      .min(16, "expected 16 characters or more")
      .regex(/^[\x21-\x7e]+$/, "expected letters, digits and signs, without spaces")
      .optional(),
    tls: z.strictObject({ certFile: path, keyFile: path, caFile: path }).optional(),
    mesh: name.optional(),
    caller: name.optional(),
    heartbeatMs: optionField.integer(10, 60_000).optional(),
    lostAfterMs: optionField.integer(30, 600_000).optional(),
    presenceMs: optionField.integer(50, 60_000).optional(),
    maxAttempts: optionField.integer(1, 10).optional(),
  })
  .refine(({ listen, peers = [] }) => listen !== undefined || peers.length > 0, {
    path: ["peers"],
    error: "expected an address, or `listen`",
  })
  .refine(({ listen, token }) => isOwnMachine(listen?.host ?? "127.0.0.1") || token !== undefined, {
    path: ["token"],
    error: "expected a token where others than this machine can connect",
  })
  .refine(({ tls }) => (tls?.certFile === undefined) === (tls?.keyFile === undefined), {
    path: ["tls"],
    error: "expected `certFile` and `keyFile` together",
  })
  .refine(
    ({ heartbeatMs, lostAfterMs }) =>
      (lostAfterMs ?? transportDefaults.lostAfterMs) >=
      3 * (heartbeatMs ?? transportDefaults.heartbeatMs),
    { path: ["lostAfterMs"], error: "expected at least three times `heartbeatMs`" },
  );

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): HttpTransportOptions {
  return parseOptions(httpOptionsSchema, options, { secrets: ["token"] });
}
