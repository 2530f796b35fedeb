import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../http/problem.js";
import type { Service } from "../service.js";
import type { ServerSettings } from "../settings.js";
import type { Identity } from "./identity.js";

/** Path at which clients find the issuer of tokens for a resource. Source: RFC 9728, 3. */
const metadataPath = "/.well-known/oauth-protected-resource";

/**
 * Adds the metadata of the server and of each mount, such as `/mcp`, for OAuth clients: where tokens are
 * verified with the keys of an identity provider. It needs no token itself.
 */
export function addResourceMetadata(app: FastifyInstance, { settings, originOf }: Service): void {
  const { jwt } = settings.auth ?? {};
  if (jwt === undefined) return;
  const resources = new Set(["", ...Object.keys(settings.mounts)]);
  const config = { isPublic: true };
  const answer = (request: FastifyRequest) => {
    const path = pathWithoutQuery(request).slice(metadataPath.length);
    if (!resources.has(path)) {
      throw new Problem(404, "NOT_FOUND", "Resource not found.", {
        suggestion: `Resources: ${["/", ...Object.keys(settings.mounts)].join(", ")}.`,
      });
    }
    return {
      resource: `${originOf(request)}${settings.basePath}${path}`,
      authorization_servers: [jwt.issuer],
      bearer_methods_supported: ["header"],
    };
  };
  app.get(metadataPath, { config }, answer);
  app.get(`${metadataPath}/*`, { config }, answer);
}

/**
 * The challenge of a 401.
 *
 * Source: RFC 6750, 3, and RFC 9728, 5.1.
 */
export function challengeFor(
  request: FastifyRequest,
  origin: string,
  { auth, mounts, basePath }: ServerSettings,
  identity: Identity,
): string {
  const requested = `${pathWithoutQuery(request)}/`;
  const mount = Object.keys(mounts).find((path) => requested.startsWith(`${path}/`)) ?? "";
  const isInvalid = identity.status === "unknown" && identity.problem === "invalid";
  const parameters = [
    ...(isInvalid ? ['error="invalid_token"'] : []),
    ...(auth?.jwt === undefined
      ? []
      : [`resource_metadata="${origin}${basePath}${metadataPath}${mount}"`]),
  ];
  return ["Bearer", parameters.join(", ")].join(" ").trim();
}

function pathWithoutQuery({ url }: FastifyRequest): string {
  return url.split("?", 1)[0] ?? "";
}
