import type { FastifyRequest } from "fastify";
import type { ServerSettings } from "../settings.js";
import type { CallerOf } from "./caller.js";
import { createNetworkMatcher } from "./connections.js";

/** The origin under which clients reach the server, such as `https://mesh.example.com`. */
export type OriginOf = (request: FastifyRequest) => string;

/**
 * Makes the function that names the server's own origin: `publicUrl`; else the one given by the application in which
 * it is embedded; else the one a trusted proxy reports; else the address that the connection came to. Never `Host` alone,
 * which any caller can write.
 */
export function createOriginReader(
  { publicUrl, trustedProxies }: ServerSettings,
  callerOf: CallerOf | undefined,
): OriginOf {
  if (publicUrl !== undefined) return () => publicUrl;
  const isProxy = createNetworkMatcher(trustedProxies);
  return ({ protocol, host, raw }) => {
    const { socket } = raw;
    const origin = callerOf?.(raw)?.origin;
    if (origin !== undefined) return origin;
    const forwarded = `${protocol}://${host}`;
    if (isProxy(socket.remoteAddress ?? "") && /^https?:/.test(forwarded)) {
      if (URL.canParse(forwarded)) return new URL(forwarded).origin;
    }
    const address = (socket.localAddress ?? "127.0.0.1").replace(/^::ffff:/i, "");
    return `http://${address.includes(":") ? `[${address}]` : address}:${socket.localPort ?? 80}`;
  };
}
