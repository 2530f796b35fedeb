import { createServer, type Server } from "node:net";
import { createRouter } from "@constellation/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type OtlpReceiver, startReceiver } from "../test/otlp-receiver.js";
import { startTelemetry, type Telemetry } from "./telemetry.js";

const secret = "hunter2";

function echoRouter() {
  const router = createRouter();
  router.register({ id: "echo", description: "repeats", librarian: async (q) => ({ answer: q }) });
  return router;
}

describe("a collector that", () => {
  let telemetry: Telemetry | undefined;
  let receiver: OtlpReceiver | undefined;
  let server: Server | undefined;
  let warnings: string[];

  beforeEach(() => {
    warnings = [];
    vi.spyOn(process, "emitWarning").mockImplementation((warning) => {
      warnings.push(String(warning));
    });
  });
  afterEach(async () => {
    await telemetry?.shutdown({ timeoutMs: 50 });
    await receiver?.close();
    await new Promise((resolve) => server?.close(resolve) ?? resolve(undefined));
    telemetry = receiver = server = undefined;
    vi.restoreAllMocks();
  });

  /** A run that is answered, and the outcome of its spans. */
  async function tryWith(url: string, timeoutMs = 1_000): Promise<boolean> {
    telemetry ??= await startTelemetry({
      endpoint: url.replace("http://", `http://user:${secret}@`),
      headers: { authorization: `Bearer ${secret}` },
      sendTimeoutMs: 500,
    });
    await expect(echoRouter().ask("hello")).resolves.toEqual({ answer: "hello" });
    return telemetry.flush({ timeoutMs });
  }

  async function listen(answer: Parameters<typeof createServer>[1]): Promise<string> {
    server = createServer(answer);
    const listening = server;
    await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
    const address = listening.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  }

  it("is not there loses spans, and costs one warning without a secret", async () => {
    const url = await listen(() => {});
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;

    expect(await tryWith(url)).toBe(false);
    expect(await tryWith(url)).toBe(false);

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain(`${url}/v1/traces cannot be reached (ECONNREFUSED)`);
    expect(warnings[0]).not.toContain(secret);
  });

  it.each([400, 404, 500, 302])(
    "answers with status %d is asked once a batch, and warned of once",
    async (status) => {
      receiver = await startReceiver((response) => {
        response.writeHead(status, { location: "/elsewhere" }).end(`no: ${secret}`);
      });

      expect(await tryWith(receiver.url)).toBe(false);
      expect(await tryWith(receiver.url)).toBe(false);

      expect(receiver.received).toHaveLength(2);
      expect(warnings).toEqual([expect.stringContaining(`answered with status ${status}`)]);
      expect(warnings[0]).not.toContain(secret);
    },
  );

  it("is busy for a moment is asked again, and gets everything", async () => {
    receiver = await startReceiver((response, calls) => {
      response.writeHead(calls === 1 ? 503 : 200, { "retry-after": "0.01" }).end("{}");
    });
    telemetry = await startTelemetry({ endpoint: receiver.url, sendTimeoutMs: 5_000 });
    await echoRouter().ask("hello");

    expect(await telemetry.flush()).toBe(true);
    expect(receiver.received).toHaveLength(2);
    expect(warnings).toEqual([]);
  });

  it("never answers holds a flush no longer than it may take, and a shutdown too", async () => {
    receiver = await startReceiver(() => {});
    telemetry = await startTelemetry({ endpoint: receiver.url, sendTimeoutMs: 60_000 });
    const started = performance.now();

    expect(await tryWith(receiver.url, 50)).toBe(false);
    await telemetry?.shutdown({ timeoutMs: 50 });

    expect(performance.now() - started).toBeLessThan(20_000);
    expect(warnings).toEqual([expect.stringContaining("did not answer in time")]);
    await vi.waitFor(async () => expect(await receiver?.connections()).toBe(0), 20_000);
  });

  it("sends no end of an answer is taken at its status, and its connection closed", async () => {
    receiver = await startReceiver((response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536))) {}
      };
      response.on("drain", pour);
      pour();
    });

    expect(await tryWith(receiver.url)).toBe(true);
    await vi.waitFor(async () => expect(await receiver?.connections()).toBe(0), 20_000);
    expect(warnings).toEqual([]);
  });

  it.each([
    ["garbage", (data: string) => data.replace(/^/, "!@#$ garbage\r\n\r\n")],
    ["nothing at all", () => ""],
  ])("answers %s loses spans, and is warned of once", async (_what, answer) => {
    const url = await listen((socket) => {
      socket.on("error", () => {}).once("data", () => socket.end(answer("")));
    });

    expect(await tryWith(url)).toBe(false);

    expect(warnings).toHaveLength(1);
    expect(warnings[0]).not.toContain(secret);
  });

  it("answers 200 with a body that is not JSON counts as success", async () => {
    receiver = await startReceiver((response) => response.writeHead(200).end("<html>"));

    expect(await tryWith(receiver.url)).toBe(true);
    expect(warnings).toEqual([]);
  });

  it("hangs holds no more than a few batches in memory, and slows down no run", async () => {
    receiver = await startReceiver(() => {});
    telemetry = await startTelemetry({ endpoint: receiver.url, sendTimeoutMs: 60_000 });
    const router = echoRouter();

    for (let round = 0; round < 12; round++) {
      await Promise.all(Array.from({ length: 300 }, () => router.ask("hello")));
      await telemetry.flush({ timeoutMs: 1 });
    }

    await vi.waitFor(() => expect(receiver?.received).toHaveLength(8), 20_000);
    expect(warnings).toEqual([expect.stringContaining("is too slow")]);
  });
});
