import type { Readable, Writable } from "node:stream";
import { optionField, parseOptions } from "@constellation/authoring";
import type { Router } from "@constellation/core";
import {
  StdioServerTransport,
  serveStdio as serveConnection,
} from "@modelcontextprotocol/server/stdio";
import { z } from "zod";
import { buildServer } from "../server/create-mcp-server.js";
import { createHandlerState } from "../server/handler-state.js";
import {
  type McpServerOptions,
  readSettings,
  requireRouter,
  serverOptionFields,
} from "../server/options.js";
import { claimStdout } from "./claim-stdout.js";

/** Options for {@link serveStdio}. */
export interface ServeStdioOptions extends McpServerOptions {
  /** Ends the connection. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Where the client's messages come from.
   *
   * @default process.stdin
   */
  readonly stdin?: Readable | undefined;
  /**
   * Where the messages to the client go. While it is `process.stdout`, everything else that is
   * written there, by `console.log` for one, goes to `process.stderr` instead.
   *
   * @default process.stdout
   */
  readonly stdout?: Writable | undefined;
}

const stdioOptionsSchema: z.ZodType<ServeStdioOptions> = z.strictObject({
  ...serverOptionFields,
  signal: z
    .custom<AbortSignal>((value) => value instanceof AbortSignal, {
      error: "expected an AbortSignal",
      params: { wrongType: true },
    })
    .optional(),
  stdin: optionField.port<Readable>("on", "pause").optional(),
  stdout: optionField.port<Writable>("write").optional(),
});

/** Maximum size of a message of a client, in bytes. A larger one ends the connection. */
const maxMessageBytes = 4 * 1_048_576;

/**
 * Serves a mesh to the MCP client that started this process, over its standard streams.
 *
 * @returns Resolves when the client closed its end, the signal aborted, or nothing can be written
 *   any more. Queries in flight are cancelled then. Never rejects.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function serveStdio(router: Router, options: ServeStdioOptions = {}): Promise<void> {
  requireRouter(router);
  const checked = parseOptions(stdioOptionsSchema, options);
  const { signal, stdin = process.stdin, stdout = process.stdout } = checked;
  const settings = readSettings(checked);
  const shared = createHandlerState(settings);
  const claimed = stdout === process.stdout ? claimStdout() : undefined;
  const transport = new StdioServerTransport(stdin, claimed?.stream ?? stdout, {
    maxBufferSize: maxMessageBytes,
  });
  const connection = serveConnection(() => buildServer(router, settings, shared), { transport });

  return new Promise((resolve) => {
    const stop = () => void connection.close();
    const closeServer = transport.onclose;
    transport.onclose = () => {
      signal?.removeEventListener("abort", stop);
      closeServer?.();
      claimed?.release();
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}
