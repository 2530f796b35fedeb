import { longestTimerMs, requireInteger, requireObject, requireTexts } from "../option-checks.js";
import {
  type McpServerOptions,
  type McpServerSettings,
  serverKeys,
  settingsOf,
} from "../server/options.js";

/** Options for {@link createMcpHandler}: those of the server, and what HTTP needs. */
export interface McpHandlerOptions extends McpServerOptions {
  /**
   * Host names a request may be for, without port, IPv6 in brackets; `"any"` where something in
   * front checks them. A page that points a name of its own at this machine is refused by it.
   *
   * @default ["localhost", "127.0.0.1", "[::1]"]
   */
  readonly allowedHosts?: readonly string[] | "any" | undefined;
  /**
   * Host names of pages that may ask from a browser, without scheme and port; `"any"` for all. A
   * request without `Origin` does not come from a page.
   *
   * @default ["localhost", "127.0.0.1", "[::1]"]
   */
  readonly allowedOrigins?: readonly string[] | "any" | undefined;
  /**
   * Largest request body, in bytes: 1 to 104857600. A larger one gets 413.
   *
   * @default 1_048_576
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Most sessions at once: 1 to 100,000. One more ends the session that was idle longest; when none
   * is idle, it gets 503.
   *
   * @default 100
   */
  readonly maxSessions?: number | undefined;
  /**
   * How long a session may be idle, in milliseconds: 1 to 2147483647. Then it ends; its client is
   * told so with 404 when it comes back, and begins another.
   *
   * @default 300_000
   */
  readonly sessionIdleMs?: number | undefined;
}

const localNames = ["localhost", "127.0.0.1", "[::1]"] as const;

/** The defaults named in {@link McpHandlerOptions}. */
export const mcpHandlerDefaults = {
  allowedHosts: localNames,
  allowedOrigins: localNames,
  maxBodyBytes: 1_048_576,
  maxSessions: 100,
  sessionIdleMs: 300_000,
} as const satisfies McpHandlerOptions;

/** Options with their defaults. */
export interface McpHandlerSettings {
  readonly server: McpServerSettings;
  readonly allowedHosts: readonly string[] | "any";
  readonly allowedOrigins: readonly string[] | "any";
  readonly maxBodyBytes: number;
  readonly maxSessions: number;
  readonly sessionIdleMs: number;
}

const handlerKeys = [
  ...serverKeys,
  "allowedHosts",
  "allowedOrigins",
  "maxBodyBytes",
  "maxSessions",
  "sessionIdleMs",
] as const satisfies readonly (keyof McpHandlerOptions)[];

/** @throws TypeError or RangeError that names the key and the value. */
export function checkHandlerOptions(options: unknown): McpHandlerSettings {
  requireObject("options", options, handlerKeys);
  const checked = options as McpHandlerOptions; // its values are checked below
  const { allowedHosts, allowedOrigins, maxBodyBytes, maxSessions, sessionIdleMs } = checked;
  if (allowedHosts !== "any") requireTexts("allowedHosts", allowedHosts);
  if (allowedOrigins !== "any") requireTexts("allowedOrigins", allowedOrigins);
  requireInteger("maxBodyBytes", maxBodyBytes, 1, 104_857_600);
  requireInteger("maxSessions", maxSessions, 1, 100_000);
  requireInteger("sessionIdleMs", sessionIdleMs, 1, longestTimerMs);
  return {
    server: settingsOf(checked),
    allowedHosts: allowedHosts ?? mcpHandlerDefaults.allowedHosts,
    allowedOrigins: allowedOrigins ?? mcpHandlerDefaults.allowedOrigins,
    maxBodyBytes: maxBodyBytes ?? mcpHandlerDefaults.maxBodyBytes,
    maxSessions: maxSessions ?? mcpHandlerDefaults.maxSessions,
    sessionIdleMs: sessionIdleMs ?? mcpHandlerDefaults.sessionIdleMs,
  };
}
