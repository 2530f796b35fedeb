import type { User } from "@constellation/core";
import {
  describeValue,
  longestTimerMs,
  requireInteger,
  requireObject,
  requireText,
} from "../option-checks.js";
import { ownVersion } from "../own-version.js";

/** How a mesh shows itself to MCP clients, and what they may ask of it. */
export interface McpServerOptions {
  /**
   * Name the server tells its clients.
   *
   * @default "constellation"
   */
  readonly name?: string | undefined;
  /**
   * Version the server tells its clients.
   *
   * @default the version of this package
   */
  readonly version?: string | undefined;
  /** What the mesh is about, for the client's model: when to ask it. A general sentence where not given. */
  readonly instructions?: string | undefined;
  /** Who is asking, where the transport does not say: it goes to every librarian. */
  readonly user?: User | undefined;
  /**
   * Most time a client may ask for, in milliseconds: 1 to 2147483647. A client that asks for none
   * gets the router's.
   *
   * @default 120_000
   */
  readonly maxTimeoutMs?: number | undefined;
  /**
   * Longest query, in characters: 1 to 100,000.
   *
   * @default 10_000
   */
  readonly maxQueryLength?: number | undefined;
  /**
   * Most queries answered at once, 1 to 100,000, over all clients of a handler. One more gets
   * `SERVICE_UNAVAILABLE`, reason `overloaded`, at once.
   *
   * @default 64
   */
  readonly maxQueries?: number | undefined;
}

/** The defaults named in {@link McpServerOptions}. */
export const mcpServerDefaults = {
  name: "constellation",
  version: ownVersion,
  instructions:
    "Ask questions in plain words with `query`. Answers come with their sources and say how sure they are. `list_librarians` tells who can answer what, `query_librarian` asks one of them.",
  maxTimeoutMs: 120_000,
  maxQueryLength: 10_000,
  maxQueries: 64,
} as const satisfies McpServerOptions;

/** Options with their defaults. */
export interface McpServerSettings {
  readonly name: string;
  readonly version: string;
  readonly instructions: string;
  readonly user: User | undefined;
  readonly maxTimeoutMs: number;
  readonly maxQueryLength: number;
  readonly maxQueries: number;
}

/** Keys of {@link McpServerOptions}. */
export const serverKeys = [
  "name",
  "version",
  "instructions",
  "user",
  "maxTimeoutMs",
  "maxQueryLength",
  "maxQueries",
] as const satisfies readonly (keyof McpServerOptions)[];

/** @throws TypeError or RangeError that names the key and the value. */
export function checkServerOptions(options: unknown): McpServerSettings {
  requireObject("options", options, serverKeys);
  return settingsOf(options as McpServerOptions); // which checks the values
}

/** @throws TypeError or RangeError that names the key and the value. */
export function settingsOf(options: McpServerOptions): McpServerSettings {
  const { name, version, instructions, user, maxTimeoutMs, maxQueryLength, maxQueries } = options;
  requireText("name", name);
  requireText("version", version);
  requireText("instructions", instructions);
  requireInteger("maxTimeoutMs", maxTimeoutMs, 1, longestTimerMs);
  requireInteger("maxQueryLength", maxQueryLength, 1, 100_000);
  requireInteger("maxQueries", maxQueries, 1, 100_000);
  requireUser(user);
  return {
    name: name ?? mcpServerDefaults.name,
    version: version ?? mcpServerDefaults.version,
    instructions: instructions ?? mcpServerDefaults.instructions,
    user,
    maxTimeoutMs: maxTimeoutMs ?? mcpServerDefaults.maxTimeoutMs,
    maxQueryLength: maxQueryLength ?? mcpServerDefaults.maxQueryLength,
    maxQueries: maxQueries ?? mcpServerDefaults.maxQueries,
  };
}

/** @throws TypeError unless `user` is absent or has an id. */
export function requireUser(user: unknown): asserts user is User | undefined {
  if (user === undefined) return;
  const id: unknown = typeof user === "object" && user !== null && "id" in user && user.id;
  if (typeof id !== "string" || id === "") {
    throw new TypeError(`user: expected an object with an id, got ${describeValue(user)}.`);
  }
}
