import { createHash, timingSafeEqual } from "node:crypto";
import type { AuthOptions, TokenOptions } from "./auth-options.js";
import type { Identity } from "./identity.js";
import { createJwtVerifier } from "./jwt-verifier.js";

/** Identifies the user of a request. Never rejects. */
export type Authenticate = (authorization: string | undefined) => Promise<Identity>;

const maxTokenLength = 16_384;

/** Creates the check that `auth` describes. */
export function createAuthenticate({ tokens, jwt }: AuthOptions): Authenticate {
  const known = (tokens ?? []).map(({ token, user, observed }: TokenOptions, index) => ({
    digest: hashToken(token),
    identity: {
      status: "known" as const,
      user: user ?? { id: `token-${index + 1}` },
      observed: observed ?? false,
    },
  }));
  const verify = jwt === undefined ? undefined : createJwtVerifier(jwt);

  return async (authorization) => {
    const [, token] = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization ?? "") ?? [];
    if (token === undefined || token.length > maxTokenLength) {
      return { status: "unknown", problem: authorization === undefined ? "missing" : "invalid" };
    }
    const identity = findIdentity(known, token);
    if (identity !== undefined) return identity;
    return verify === undefined ? { status: "unknown", problem: "invalid" } : verify(token);
  };
}

/** Compares with every token in constant time, which reveals nothing about any of them. */
function findIdentity(
  known: readonly { readonly digest: Buffer; readonly identity: Identity }[],
  token: string,
): Identity | undefined {
  const digest = hashToken(token);
  let found: Identity | undefined;
  for (const each of known) if (timingSafeEqual(each.digest, digest)) found = each.identity;
  return found;
}

/** Digests have one length, as `timingSafeEqual` needs. */
function hashToken(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}
