import { spawn } from "node:child_process";
import { hostname } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createA2AHandler, createA2ALibrarian } from "@constellation/a2a";
import { attributes, createRouter, type Librarian, type Router } from "@constellation/core";
import { createMcpHandler, createMcpLibrarian } from "@constellation/mcp";
import { createNatsTransport } from "@constellation/nats";
import { hasNatsServer, startNatsServer } from "@constellation/nats/testing";
import { createServer, type ServerOptions } from "@constellation/server";
import { openCall } from "@constellation/transport/envelope";
import { context, propagation } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { type KeptSpan, keepSpans, lineOf } from "./keep-spans.js";

/** Calls `work` with baggage of two members. */
function withTenant<Result>(work: () => Result): Result {
  const baggage = propagation.createBaggage({
    tenant: { value: "acme; é" },
    session: { value: "s-1" },
  });
  return context.with(propagation.setBaggage(context.active(), baggage), work);
}

/** Starts a process of a mesh. `spans` ends it, and resolves with what it traced. */
async function startTraced(servers: string, mesh: string) {
  const script = fileURLToPath(new URL("traced-process.ts", import.meta.url));
  const child = spawn(
    process.execPath,
    ["--conditions=@constellation/source", "--import", "tsx", ...[script, servers, mesh]],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("ready");
  return {
    async spans(): Promise<readonly KeptSpan[]> {
      child.kill("SIGTERM");
      return JSON.parse(String((await lines.next()).value)) as readonly KeptSpan[];
    },
  };
}

describe("one trace across processes", () => {
  let kept: ReturnType<typeof keepSpans>;
  const cleanUp: (() => unknown)[] = [];

  beforeEach(() => {
    kept = keepSpans();
  });
  afterEach(async () => {
    for (const each of cleanUp.splice(0).toReversed()) await each();
    await kept.close();
  });

  it.skipIf(!hasNatsServer())(
    "is that of two processes over NATS, with their baggage",
    async () => {
      const server = await startNatsServer();
      cleanUp.push(() => server.stop());
      const worker = await startTraced(server.url, "traced");
      const transport = createNatsTransport({ servers: server.url, mesh: "traced" });
      const router = createRouter({ name: "desk", transport });
      cleanUp.push(() => router.close());
      await router.open();

      const run = withTenant(() => router.start("q", { to: "docs" }));
      const { answer } = await run.response;
      const spans = [...kept.finished(), ...(await worker.spans())];

      expect(answer).toBe("acme; é");
      expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
      expect(spans).toHaveLength(6);
      const below = spans.find(({ name }) => name === "serve docs")?.id;
      expect(lineOf(spans, "serve docs")).toEqual([
        "INTERNAL invoke_workflow desk",
        "INTERNAL invoke_agent docs",
        "CLIENT call docs",
        "SERVER serve docs",
      ]);
      expect(spans.find(({ name }) => name === "invoke_workflow worker")?.parent).toBe(below);
      expect(spans.find(({ kind }) => kind === "CLIENT")?.attributes).toMatchObject({
        [attributes.carrier]: "nats",
        [attributes.librarianId]: "docs",
        [attributes.remoteHost]: hostname(),
      });
      // The record of the run says the same.
      expect(run.explain().hops).toMatchObject([
        { to: "docs", remote: { host: hostname(), hops: [{ to: "docs", outcome: "answer" }] } },
      ]);
    },
  );

  /** A mesh whose librarian answers with its baggage. */
  function remoteMesh(): Router {
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "docs",
      description: "answers with its baggage",
      librarian: async () => {
        const entries = propagation.getBaggage(context.active())?.getAllEntries() ?? [];
        return { answer: entries.map(([name, { value }]) => `${name}=${value}`).join() || "none" };
      },
    });
    cleanUp.push(() => remote.close());
    return remote;
  }

  async function serve(router: Router, mounts: ServerOptions["mounts"]): Promise<string> {
    const server = await createServer(router, { mounts, console: false });
    cleanUp.push(() => server.close());
    return (await server.listen()).url;
  }

  it.each<
    [string, string, (remote: Router) => Promise<Parameters<Router["register"]>[0]>, string, string]
  >([
    [
      "A2A",
      "a2a",
      async (remote) =>
        createA2ALibrarian({
          id: "next",
          url: `${await serve(remote, { "/a2a": createA2AHandler(remote) })}/a2a`,
          forwardBaggage: ["tenant"],
        }),
      "SendMessage",
      "SendMessage",
    ],
    [
      "MCP",
      "mcp",
      async (remote) =>
        createMcpLibrarian({
          id: "next",
          description: "asks the other mesh",
          server: { url: `${await serve(remote, { "/mcp": createMcpHandler(remote) })}/mcp` },
          tool: "query",
          forwardBaggage: ["tenant"],
        }),
      "tools/call query",
      "tools/call query",
    ],
    [
      "HTTP",
      "http",
      async (remote) => ({
        id: "next",
        description: "asks the other mesh",
        librarian: asksOverHttp(await serve(remote, {})),
      }),
      "call next",
      "POST /ask",
    ],
  ])("is that of two meshes over %s, with the baggage that may go there", async (...given) => {
    const [, carrier, connect, client, serverSpan] = given;
    const remote = remoteMesh();
    const local = createRouter({ name: "local" });
    local.register(await connect(remote));
    cleanUp.push(() => local.close());

    const { answer } = await withTenant(() => local.ask("q"));

    expect(answer).toBe("tenant=acme; é");
    const spans = kept.finished();
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(lineOf(spans, "invoke_agent docs")).toEqual([
      "INTERNAL invoke_workflow local",
      "INTERNAL invoke_agent next",
      `CLIENT ${client}`,
      `SERVER ${serverSpan}`,
      "INTERNAL invoke_workflow remote",
      "INTERNAL invoke_agent docs",
    ]);
    expect(spans.find(({ kind }) => kind === "CLIENT")?.attributes).toMatchObject({
      [attributes.carrier]: carrier,
      [attributes.remoteHost]: hostname(),
    });
  });

  it("marks both spans of a call whose librarian failed there", async () => {
    const remote = createRouter({ name: "remote" });
    remote.register({
      id: "docs",
      description: "knows nothing",
      librarian: async () => ({ error: { code: "NOT_FOUND", message: "Nothing is known." } }),
    });
    cleanUp.push(() => remote.close());
    const url = `${await serve(remote, { "/a2a": createA2AHandler(remote) })}/a2a`;
    const local = createRouter({ name: "local" });
    local.register(createA2ALibrarian({ id: "next", url }));
    cleanUp.push(() => local.close());

    await local.ask("q");

    const sides = kept.finished().filter(({ kind }) => kind !== "INTERNAL");
    expect(sides.map((span) => span.attributes[attributes.errorType])).toEqual([
      "NOT_FOUND",
      "NOT_FOUND",
    ]);
  });
});

/** An adapter over HTTP: `POST /ask` with the envelope in its body. */
function asksOverHttp(url: string): Librarian {
  return async (query, given = {}) => {
    const call = openCall(given, {
      forwardBaggage: ["tenant"],
      span: { attributes: { [attributes.carrier]: "http" } },
    });
    const { traceId, spanId } = call.trace ?? {};
    const reply = await call.within(() =>
      fetch(`${url}/ask`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "constellation-envelope": "1",
          traceparent: `00-${traceId}-${spanId}-01`,
        },
        body: JSON.stringify({ query, call: call.envelope() }),
      }),
    );
    const envelope = (await reply.json()) as { readonly response: { readonly answer: string } };
    call.end(envelope);
    return { answer: envelope.response.answer };
  };
}
