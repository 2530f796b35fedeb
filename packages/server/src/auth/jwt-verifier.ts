import { readBodyBounded } from "@constellation/authoring";
import type { User } from "@constellation/core";
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify } from "jose";
import { type JwtOptions, signatureAlgorithms, type UserClaims } from "./auth-options.js";
import type { Identity } from "./identity.js";

const fetchTimeoutMs = 5_000;
const maxKeySetBytes = 1_048_576;

/**
 * Verifies tokens of an identity provider. Its keys are fetched when first needed, and again when a
 * token names one that is not there, at most every 30 seconds.
 *
 * @returns A function that never rejects.
 */
export function createJwtVerifier(options: JwtOptions): (token: string) => Promise<Identity> {
  const { jwksUrl, issuer, audience, clockToleranceMs = 30_000, user: claims = {} } = options;
  const algorithms = [...(options.algorithms ?? signatureAlgorithms)];
  const keys = createRemoteJWKSet(new URL(jwksUrl), { [customFetch]: fetchKeys });

  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockToleranceMs / 1_000,
        requiredClaims: ["exp"],
      });
      const user = readUser(payload, claims);
      return user === undefined
        ? { status: "unknown", problem: "invalid" }
        : { status: "known", user, observed: false };
    } catch (thrown) {
      return isAboutToken(thrown)
        ? { status: "unknown", problem: "invalid" }
        : { status: "unavailable" };
    }
  };
}

/** Whether the token is at fault, not the provider. */
function isAboutToken(thrown: unknown): boolean {
  return (
    thrown instanceof errors.JWTClaimValidationFailed ||
    thrown instanceof errors.JWTExpired ||
    thrown instanceof errors.JWTInvalid ||
    thrown instanceof errors.JWSInvalid ||
    thrown instanceof errors.JWSSignatureVerificationFailed ||
    thrown instanceof errors.JOSEAlgNotAllowed ||
    thrown instanceof errors.JOSENotSupported ||
    thrown instanceof errors.JWKSNoMatchingKey ||
    thrown instanceof errors.JWKSMultipleMatchingKeys
  );
}

/** Fetches the key set with a timer of its own, because `AbortSignal.timeout` can get lost on Node.js 20. */
async function fetchKeys(url: string, { headers }: { readonly headers: Headers }) {
  const controller = new AbortController();
  const timer = setTimeout(
    () => controller.abort(new Error("The key set could not be fetched in time.")),
    fetchTimeoutMs,
  );
  try {
    const response = await fetch(url, {
      headers,
      redirect: "manual",
      signal: controller.signal,
    });
    const keys = await readBodyBounded(response, maxKeySetBytes);
    if (keys === undefined) throw new Error("The key set is too large.");
    return new Response(Uint8Array.from(keys), { status: response.status });
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}

function readUser(payload: JWTPayload, claims: UserClaims): User | undefined {
  const id = readText(claimAt(payload, claims.id ?? "sub"));
  if (id === undefined) return undefined;
  const name = readText(claimAt(payload, claims.name ?? "name"));
  const teams = readTexts(claimAt(payload, claims.teams ?? "groups"));
  const roles = readTexts(claimAt(payload, claims.roles ?? "roles"));
  return {
    id,
    ...(name !== undefined && { name }),
    ...(teams !== undefined && { teams }),
    ...(roles !== undefined && { roles }),
  };
}

/** A claim whose name has dots, else the claim at that path. */
function claimAt(payload: JWTPayload, name: string): unknown {
  if (Object.hasOwn(payload, name)) return payload[name];
  return name
    .split(".")
    .reduce<unknown>(
      (at, key) =>
        typeof at === "object" && at !== null && Object.hasOwn(at, key)
          ? (at as Readonly<Record<string, unknown>>)[key]
          : undefined,
      payload,
    );
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  if (typeof value === "string") return value.split(" ").filter((part) => part !== "");
  if (!Array.isArray(value)) return undefined;
  return value.filter((part): part is string => typeof part === "string");
}
