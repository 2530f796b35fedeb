import { createHash, timingSafeEqual } from "node:crypto";
import type { User } from "@constellation/core";
import type { AuthOptions, TokenOptions } from "./auth-options.js";
import { createJwtVerifier } from "./jwt-verifier.js";

/** What came of looking at a request's `authorization`. */
export type Identity =
  | { readonly status: "known"; readonly user: User }
  /** No token, or one that is not valid. */
  | { readonly status: "unknown"; readonly problem: "missing" | "invalid" }
  /** The identity provider cannot be asked now. */
  | { readonly status: "unavailable" };

/** Finds out who asks. Never rejects. */
export type Authenticate = (authorization: string | undefined) => Promise<Identity>;

const longestToken = 16_384;

/** Makes the check that `auth` describes. */
export function createAuthenticate({ tokens, jwt }: AuthOptions): Authenticate {
  const known = (tokens ?? []).map(({ token, user }: TokenOptions, index) => ({
    digest: digestOf(token),
    user: user ?? { id: `token-${index + 1}` },
  }));
  const verify = jwt === undefined ? undefined : createJwtVerifier(jwt);

  return async (authorization) => {
    const [, token] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined || token.length > longestToken) {
      return { status: "unknown", problem: authorization === undefined ? "missing" : "invalid" };
    }
    const user = ownerOf(known, token);
    if (user !== undefined) return { status: "known", user };
    return verify === undefined ? { status: "unknown", problem: "invalid" } : verify(token);
  };
}

/** Compares with every token, in a time that says nothing about any of them. */
function ownerOf(
  known: readonly { readonly digest: Buffer; readonly user: User }[],
  token: string,
): User | undefined {
  const digest = digestOf(token);
  let found: User | undefined;
  for (const each of known) if (timingSafeEqual(each.digest, digest)) found = each.user;
  return found;
}

/** Digests have one length, as `timingSafeEqual` needs. */
function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
