import { optionField, parseOptions } from "@constellation/authoring";
import { type TransportTimes, tokenForm, transportDefaults } from "@constellation/transport";
import { z } from "zod";

/** Options for {@link createNatsTransport}. */
export interface NatsTransportOptions extends TransportTimes {
  /** Addresses of NATS servers with JetStream, such as `nats://127.0.0.1:4222`. */
  readonly servers: string | readonly string[];
  /**
   * Name of the mesh: processes of the same name see each other. 1 to 64 of the characters `A-Z`, `a-z`,
   * `0-9`, `_` and `-`.
   *
   * @default "constellation"
   */
  readonly mesh?: string | undefined;
  /**
   * Name of this process for those it calls: `trustedPeers` names it. It is the last token of the
   * subjects it publishes calls to, so the server's permissions can fix it. The same characters as `mesh`.
   *
   * @default "any"
   */
  readonly caller?: string | undefined;
  /** How the server identifies this process. */
  readonly credentials?: NatsCredentials | undefined;
  /** TLS, where it needs more than a server that asks for it. */
  readonly tls?: NatsTls | undefined;
}

/** Exactly one of `file`, `nkeyFile`, `token`, and `user` with `password`. */
export interface NatsCredentials {
  /** Path of a `.creds` file: the user's JWT and key, and with them its account. */
  readonly file?: string | undefined;
  /** Path of a file with the seed of the user's nkey. */
  readonly nkeyFile?: string | undefined;
  readonly token?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
}

/** Files for TLS, as paths. */
export interface NatsTls {
  /** Certificate authorities of the server's certificate. Default: those of the system. */
  readonly caFile?: string | undefined;
  /** Certificate of this process, and its key. */
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

/** The defaults named in {@link NatsTransportOptions}. */
export const natsTransportDefaults = {
  ...transportDefaults,
  mesh: "constellation",
  caller: "any",
} as const satisfies Partial<NatsTransportOptions>;

const token = z
  .string("expected text")
  .regex(tokenForm, "expected 1 to 64 of the characters A-Z, a-z, 0-9, _ and -");

const address = z
  .string("expected an address")
  .refine(isAddress, "expected an address such as nats://127.0.0.1:4222");

const path = optionField.path().optional();

/** Checks options from outside, such as a mesh file. */
export const optionsSchema: z.ZodType<NatsTransportOptions> = z
  .strictObject({
    servers: z.union(
      [address, z.array(address).min(1).readonly()],
      "expected an address such as nats://127.0.0.1:4222, or an array of them",
    ),
    mesh: token.optional(),
    caller: token.optional(),
    credentials: z
      .strictObject({
        file: path,
        nkeyFile: path,
        token: optionField.text("a token").optional(),
        user: optionField.text("a user").optional(),
        password: optionField.text("a password").optional(),
      })
      .refine(isOneKind, "expected one of `file`, `nkeyFile`, `token`, and `user` with `password`")
      .optional(),
    tls: z.strictObject({ caFile: path, certFile: path, keyFile: path }).optional(),
    heartbeatMs: optionField.integer(10, 60_000).optional(),
    lostAfterMs: optionField.integer(30, 600_000).optional(),
    presenceMs: optionField.integer(50, 60_000).optional(),
    maxAttempts: optionField.integer(1, 10).optional(),
  })
  .refine(
    ({ heartbeatMs, lostAfterMs }) =>
      (lostAfterMs ?? transportDefaults.lostAfterMs) >=
      3 * (heartbeatMs ?? transportDefaults.heartbeatMs),
    { path: ["lostAfterMs"], error: "expected at least three times `heartbeatMs`" },
  );

/** @throws TypeError for a wrong type and RangeError for a wrong value, naming key and value. */
export function checkOptions(options: unknown): NatsTransportOptions {
  return parseOptions(optionsSchema, options, { secrets: ["token", "password"] });
}

function isAddress(value: string): boolean {
  const withScheme = value.includes("://") ? value : `nats://${value}`;
  if (!URL.canParse(withScheme)) return false;
  const { protocol, hostname, username } = new URL(withScheme);
  return ["nats:", "tls:"].includes(protocol) && hostname !== "" && username === "";
}

function isOneKind(credentials: NatsCredentials): boolean {
  const { file, nkeyFile, token: given, user, password } = credentials;
  const isUser = user !== undefined || password !== undefined;
  const kinds = [file, nkeyFile, given, isUser || undefined].filter((kind) => kind !== undefined);
  return kinds.length === 1 && (user === undefined) === (password === undefined);
}
