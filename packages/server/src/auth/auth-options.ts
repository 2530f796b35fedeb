import type { User } from "@constellation/core";
import { userSchema } from "@constellation/core/schemas";
import { z } from "zod";
import { listOf } from "../option-error.js";

/** Who may use the server. At least one of the two; a token is looked for in `tokens` first. */
export interface AuthOptions {
  /** Tokens that are known here. */
  readonly tokens?: readonly TokenOptions[] | undefined;
  /** Tokens that an identity provider signs. */
  readonly jwt?: JwtOptions | undefined;
}

/** A token that is known here. */
export interface TokenOptions {
  /** At least 16 characters, hard to guess: `openssl rand -hex 32`. */
  readonly token: string;
  /** Whose it is. Goes to every librarian. None given: `{ id: "token-N" }`, N from 1. */
  readonly user?: User | undefined;
}

/** How tokens of an identity provider are verified. */
export interface JwtOptions {
  /** Where its public keys are: https, or http on loopback. */
  readonly jwksUrl: string;
  /** What `iss` must be. */
  readonly issuer: string;
  /** What `aud` must hold. */
  readonly audience: string;
  /**
   * How far its clock may be off, in milliseconds.
   *
   * @default 30_000
   */
  readonly clockToleranceMs?: number | undefined;
  /**
   * Signatures that are accepted.
   *
   * @default RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA
   */
  readonly algorithms?: readonly string[] | undefined;
  /** Which claims say who is asking. */
  readonly user?: UserClaims | undefined;
}

/** Names of claims; a dot goes into an object, as in `realm_access.roles`. */
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

/** Shortest token that is accepted, in characters. */
const shortestToken = 16;

/** Signatures whose key can be public. */
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

const text = (what: string) => z.string(`expected ${what}`).min(1, `expected ${what}`);
const claim = text("the name of a claim").optional();
const tolerance = "expected milliseconds from 0 to 600000";

const jwtSchema = z.strictObject({
  jwksUrl: z.string("expected a URL").refine(isSafeUrl, {
    error: "expected a URL with https, or with http on loopback",
  }),
  issuer: text("an issuer"),
  audience: text("an audience"),
  clockToleranceMs: z.number(tolerance).min(0, tolerance).max(600_000, tolerance).optional(),
  algorithms: listOf(
    z.enum(signatureAlgorithms, `expected one of ${signatureAlgorithms.join(", ")}`),
  )
    .min(1, "expected at least one")
    .optional(),
  user: z.strictObject({ id: claim, name: claim, teams: claim, roles: claim }).optional(),
});

/** Checks {@link AuthOptions}. */
export const authSchema: z.ZodType<AuthOptions> = z
  .strictObject(
    {
      tokens: listOf(
        z.strictObject({
          token: z
            .string(`expected text of ${shortestToken} characters or more`)
            .regex(/^[\x21-\x7e]{16,4096}$/, {
              error: `expected ${shortestToken} to 4096 visible ASCII characters`,
            }),
          user: userSchema.optional(),
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

/** Whether a host name or address is this machine only. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i.test(host);
}
