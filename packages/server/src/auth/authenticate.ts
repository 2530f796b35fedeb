import { createHash, timingSafeEqual } from "node:crypto";
import type { User } from "@constellation/core";
import type { AuthOptions, TokenOptions } from "./auth-options.js";
import type { Identity } from "./identity.js";
import { createJwtVerifier } from "./jwt-verifier.js";

/** Identifies the user of a request. Never rejects. */
export type Authenticate = (authorization: string | undefined) => Promise<Identity>;

const maxTokenLength = 16_384;

/** Creates the check that `auth` describes. */
export function createAuthenticate({ tokens, jwt }: AuthOptions): Authenticate {
  const known = (tokens ?? []).map(({ token, user }: TokenOptions, index) => ({
    digest: digestOf(token),
    user: user ?? { id: `token-${index + 1}` },
  }));
  const verify = jwt === undefined ? undefined : createJwtVerifier(jwt);

  return async (authorization) => {
    const [, token] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined || token.length > maxTokenLength) {
      return { status: "unknown", problem: authorization === undefined ? "missing" : "invalid" };
    }
    const user = ownerOf(known, token);
    if (user !== undefined) return { status: "known", user };
    return verify === undefined ? { status: "unknown", problem: "invalid" } : verify(token);
  };
}

/** Compares with every token in constant time, which reveals nothing about any of them. */
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
