import { optionField } from "@constellation/authoring";
import { userSchema } from "@constellation/authoring/schemas";
import type { User } from "@constellation/core";
import { z } from "zod";

/** Tokens that the server accepts. At least one of the two; `tokens` is searched first. */
export interface AuthOptions {
  /** Static tokens. */
  readonly tokens?: readonly TokenOptions[] | undefined;
  /** Tokens that an identity provider signs. */
  readonly jwt?: JwtOptions | undefined;
}

/** A static token. */
export interface TokenOptions {
  /** At least 16 characters, hard to guess: `openssl rand -hex 32`. */
  readonly token: string;
  /** Its user, passed to every librarian. Default: `{ id: "token-N" }`, N from 1. */
  readonly user?: User | undefined;
  /**
   * Whether its owner is a system, such as a monitor, that observed the metadata of its calls. The metadata then
   * counts as observed, not as a claim, over HTTP, MCP and A2A, so that gates and evidence can rely on it. A token of
   * an identity provider never has this right.
   *
   * @default false
   */
  readonly observed?: boolean | undefined;
}

/** How tokens of an identity provider are verified. */
export interface JwtOptions {
  /** URL of its public keys: https, or http on loopback. */
  readonly jwksUrl: string;
  /** Required value of `iss`. */
  readonly issuer: string;
  /** Value that `aud` must contain. */
  readonly audience: string;
  /**
   * Maximum difference between the clocks, in milliseconds.
   *
   * @default 30_000
   */
  readonly clockToleranceMs?: number | undefined;
  /**
   * Accepted signature algorithms.
   *
   * @default RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA
   */
  readonly algorithms?: readonly string[] | undefined;
  /** Claims that describe the user. */
  readonly user?: UserClaims | undefined;
}

/** Names of claims; a dot separates the keys of nested objects, as in `realm_access.roles`. */
export interface UserClaims {
  /** @default "sub" */
  readonly id?: string | undefined;
  /** @default "name" */
  readonly name?: string | undefined;
  /** @default "groups" */
  readonly teams?: string | undefined;
  /** @default "roles" */
  readonly roles?: string | undefined;
}

/** Minimum length of a token, in characters. */
const minTokenLength = 16;

/** Signature algorithms with public keys. */
export const signatureAlgorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
] as const;

const { text } = optionField;
const claim = text("the name of a claim").optional();
const tolerance = "expected milliseconds from 0 to 600000";

const jwtSchema = z.strictObject({
  jwksUrl: z.string("expected a URL").refine(isSafeUrl, {
    error: "expected a URL with https, or with http on loopback",
  }),
  issuer: text("an issuer"),
  audience: text("an audience"),
  clockToleranceMs: z.number(tolerance).min(0, tolerance).max(600_000, tolerance).optional(),
  algorithms: optionField
    .list(z.enum(signatureAlgorithms, `expected one of ${signatureAlgorithms.join(", ")}`))
    .min(1, "expected at least one")
    .optional(),
  user: z.strictObject({ id: claim, name: claim, teams: claim, roles: claim }).optional(),
});

/** Checks {@link AuthOptions}. */
export const authSchema: z.ZodType<AuthOptions> = z
  .strictObject(
    {
      tokens: optionField
        .list(
          z.strictObject({
            token: z
              .string(`expected text of ${minTokenLength} characters or more`)
              .regex(/^[\x21-\x7e]{16,4096}$/, {
                error: `expected ${minTokenLength} to 4096 visible ASCII characters`,
              }),
            user: userSchema.optional(),
            observed: optionField.flag().optional(),
          }),
        )
        .min(1, "expected at least one")
        .max(1_000, "expected at most 1000")
        .optional(),
      jwt: jwtSchema.optional(),
    },
    "expected an object with tokens or jwt",
  )
  .refine(({ tokens, jwt }) => tokens !== undefined || jwt !== undefined, {
    error: "expected tokens or jwt",
  });

function isSafeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Whether a host name or address is loopback. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
