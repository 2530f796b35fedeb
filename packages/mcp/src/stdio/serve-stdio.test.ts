import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough, type Readable, type Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterEach, describe, expect, it } from "vitest";
import { exampleMesh } from "../../test/meshes.js";
import { serveStdio } from "./serve-stdio.js";

/** Runs the mesh of `test/stdio-server.ts` from source, as a client starts a server. */
const command = {
  command: process.execPath,
  args: [
    "--conditions=@constellation/source",
    "--import",
    "tsx",
    fileURLToPath(new URL("../../test/stdio-server.ts", import.meta.url)),
  ],
};

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

describe("serveStdio", () => {
  it("answers a client that started the process, whatever librarians print", async () => {
    const transport = new StdioClientTransport({ ...command, stderr: "pipe" });
    const client = new Client({ name: "test", version: "1" });
    const garbage: Error[] = [];
    client.onerror = (error) => garbage.push(error);
    await client.connect(transport);
    cleanUp.push(() => client.close());

    const said = await client.callTool({
      name: "query_librarian",
      arguments: { librarian: "talkative", query: "say something" },
    });
    const asked = await client.callTool({ name: "query", arguments: { query: "restart" } });

    expect(said.structuredContent).toMatchObject({ answer: "said" });
    expect(asked.structuredContent).toMatchObject({ answer: 'See the runbook for "restart".' });
    expect(garbage).toEqual([]);
  });

  it("writes nothing but the protocol to stdout, and ends when the client closes its end", async () => {
    const child = start();
    const stdout = textOf(child.stdout);
    const stderr = textOf(child.stderr);
    write(child.stdin, request(1, "initialize", initialize), {
      method: "notifications/initialized",
    });
    write(
      child.stdin,
      request(2, "tools/call", {
        name: "query_librarian",
        arguments: { librarian: "talkative", query: "say something" },
      }),
    );
    await stdout.until((text) => text.includes('"id":2'));

    child.stdin.end();
    const [code] = (await once(child, "exit")) as [number | null];

    expect(code).toBe(0);
    const messages = stdout.text().trim().split("\n");
    expect(messages.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { id: 1, result: { serverInfo: { name: "constellation" } } },
      { id: 2, result: { structuredContent: { answer: "said" } } },
    ]);
    expect(stderr.text()).toContain("this line is not a message of the protocol");
    expect(stderr.text()).toContain("served");
  });

  it("ends when its signal aborts", async () => {
    const ending = new AbortController();
    const stdin = new PassThrough();
    const served = serveStdio(exampleMesh(), {
      signal: ending.signal,
      stdin,
      stdout: new PassThrough(),
    });

    ending.abort();

    await served;
    expect(stdin.listenerCount("data")).toBe(0);
  });

  it("ends at once when its signal has aborted before", async () => {
    const served = serveStdio(exampleMesh(), {
      signal: AbortSignal.abort(),
      stdin: new PassThrough(),
      stdout: new PassThrough(),
    });

    await expect(served).resolves.toBeUndefined();
  });

  it("ends when nothing can be written any more", async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const served = serveStdio(exampleMesh(), { stdin, stdout });

    stdout.destroy(new Error("EPIPE"));

    await served;
  });

  it("ends with a message larger than any it takes", async () => {
    const stdin = new PassThrough();
    const served = serveStdio(exampleMesh(), { stdin, stdout: new PassThrough() });

    stdin.write(Buffer.alloc(5 * 1_048_576, "x"));

    await served;
  });

  it("continues after a line that is not a message", async () => {
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const served = serveStdio(exampleMesh(), { stdin, stdout });
    const answers = textOf(stdout);

    stdin.write("garbage\n{}\n");
    write(stdin, request(1, "initialize", initialize));
    await answers.until((text) => text.includes('"id":1'));

    stdin.end();
    await served;
  });

  it("refuses wrong options at once, naming key and value", () => {
    expect(() => serveStdio(exampleMesh(), { port: 1 } as object)).toThrow('unknown key "port"');
    expect(() => serveStdio(exampleMesh(), { signal: 7 } as object)).toThrow(
      "signal: expected an AbortSignal, got 7.",
    );
  });
});

const initialize = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "by hand", version: "1" },
};

function request(id: number, method: string, params: unknown) {
  return { id, method, params };
}

function write(to: Writable, ...messages: readonly object[]): void {
  for (const message of messages) to.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}

function start(): ChildProcessByStdio<Writable, Readable, Readable> {
  const child = spawn(command.command, command.args, { stdio: ["pipe", "pipe", "pipe"] });
  cleanUp.push(async () => {
    if (child.exitCode === null) child.kill("SIGKILL");
  });
  return child;
}

/** Collects what a stream says. */
function textOf(stream: Readable) {
  let text = "";
  stream.setEncoding("utf8");
  stream.on("data", (piece: string) => {
    text += piece;
  });
  return {
    text: () => text,
    async until(isThere: (text: string) => boolean): Promise<void> {
      while (!isThere(text)) await once(stream, "data");
    },
  };
}
