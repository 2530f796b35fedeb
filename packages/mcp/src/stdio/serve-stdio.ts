import type { Readable, Writable } from "node:stream";
import type { Router } from "@constellation/core";
import {
  StdioServerTransport,
  serveStdio as serveConnection,
} from "@modelcontextprotocol/server/stdio";
import { describeValue, requireObject, requireRouter } from "../option-checks.js";
import { buildServer } from "../server/create-mcp-server.js";
import { createGate } from "../server/gate.js";
import { type McpServerOptions, serverKeys, settingsOf } from "../server/options.js";
import { claimStdout } from "./claim-stdout.js";

/** Options for {@link serveStdio}. */
export interface ServeStdioOptions extends McpServerOptions {
  /** Ends it. */
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

/** Largest message of a client, in bytes. A larger one ends the connection. */
const maxMessageBytes = 4 * 1_048_576;

/**
 * Shows a mesh to the MCP client that started this process, over its standard streams.
 *
 * @returns Resolves when the client closed its end, the signal aborted, or nothing can be written
 *   any more. What was being answered then is cancelled. Never rejects.
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function serveStdio(router: Router, options: ServeStdioOptions = {}): Promise<void> {
  requireRouter(router);
  requireObject("options", options, [...serverKeys, "signal", "stdin", "stdout"]);
  const { signal, stdin = process.stdin, stdout = process.stdout } = options;
  if (signal !== undefined && !(signal instanceof AbortSignal)) {
    throw new TypeError(`signal: expected an AbortSignal, got ${describeValue(signal)}.`);
  }
  const settings = settingsOf(options);
  const gate = createGate(settings.maxQueries);
  const claimed = stdout === process.stdout ? claimStdout() : undefined;
  const transport = new StdioServerTransport(stdin, claimed?.stream ?? stdout, {
    maxBufferSize: maxMessageBytes,
  });
  const connection = serveConnection(() => buildServer(router, settings, gate), { transport });

  return new Promise((resolve) => {
    const stop = () => void connection.close();
    const tellServer = transport.onclose;
    transport.onclose = () => {
      signal?.removeEventListener("abort", stop);
      tellServer?.();
      claimed?.release();
      resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
    if (signal?.aborted) stop();
  });
}
