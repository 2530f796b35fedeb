import { optionField, parseOptions } from "@constellation/authoring";
import { maxTimerMs } from "@constellation/core";
import { z } from "zod";
import {
  type McpServerOptions,
  type McpServerSettings,
  readSettings,
  serverOptionFields,
} from "../server/options.js";

/** Options for {@link createMcpHandler}: those of the server, and what HTTP needs. */
export interface McpHandlerOptions extends McpServerOptions {
  /**
   * Host names a request may be for, without port, IPv6 in brackets; `"any"` where a proxy in front
   * checks them. It protects against DNS rebinding.
   *
   * @default ["localhost", "127.0.0.1", "[::1]"]
   */
  readonly allowedHosts?: readonly string[] | "any" | undefined;
  /**
   * Host names of pages that may send requests from a browser, without scheme and port; `"any"` for all. A
   * request without `Origin` does not come from a page.
   *
   * @default ["localhost", "127.0.0.1", "[::1]"]
   */
  readonly allowedOrigins?: readonly string[] | "any" | undefined;
  /**
   * Maximum size of a request body, in bytes: 1 to 104857600. A larger one gets 413.
   *
   * @default 1_048_576
   */
  readonly maxBodyBytes?: number | undefined;
  /**
   * Maximum number of sessions, 1 to 100,000. One more ends the session that was idle longest; when
   * none is idle, it gets 503.
   *
   * @default 100
   */
  readonly maxSessions?: number | undefined;
  /**
   * How long a session may be idle, in milliseconds: 1 to 2147483647. Then it ends: its client gets
   * 404 for the next request, and begins another.
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

const hostNames = z
  .custom<readonly string[] | "any">((value) => value === "any" || isTexts(value), {
    error: 'expected an array of host names, or "any"',
    params: { wrongType: true },
  })
  .optional();

const handlerOptionsSchema: z.ZodType<McpHandlerOptions> = z.strictObject({
  ...serverOptionFields,
  allowedHosts: hostNames,
  allowedOrigins: hostNames,
  maxBodyBytes: optionField.integer(1, 104_857_600).optional(),
  maxSessions: optionField.integer(1, 100_000).optional(),
  sessionIdleMs: optionField.integer(1, maxTimerMs).optional(),
});

/** @throws TypeError or RangeError that names the key and the value. */
export function checkHandlerOptions(options: unknown): McpHandlerSettings {
  const checked = parseOptions(handlerOptionsSchema, options);
  return {
    server: readSettings(checked),
    allowedHosts: checked.allowedHosts ?? mcpHandlerDefaults.allowedHosts,
    allowedOrigins: checked.allowedOrigins ?? mcpHandlerDefaults.allowedOrigins,
    maxBodyBytes: checked.maxBodyBytes ?? mcpHandlerDefaults.maxBodyBytes,
    maxSessions: checked.maxSessions ?? mcpHandlerDefaults.maxSessions,
    sessionIdleMs: checked.sessionIdleMs ?? mcpHandlerDefaults.sessionIdleMs,
  };
}

function isTexts(value: unknown): boolean {
  return (
    Array.isArray(value) && value.every((item) => typeof item === "string" && item.trim() !== "")
  );
}
