import { connect } from "node:net";
import type { Librarian } from "@constellation/core";
import type { RequestLog } from "@constellation/server";
import { describe, expect, it, vi } from "vitest";
import {
  aborted,
  echo,
  eventsOf,
  heldLibrarian,
  type StreamEvent,
  serveMesh,
  until,
} from "./served-mesh.js";

describe("/ask/stream", () => {
  it("streams events as they happen, and the response last", async () => {
    let goOn: () => void = () => undefined;
    const toldFirst = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const slow: Librarian = async (_query, context) => {
      context?.report?.("reading");
      await toldFirst;
      context?.report?.({ text: "Res" });
      return { answer: "Restart." };
    };
    const mesh = await serveMesh({ slow });

    const reply = await mesh.post("/ask/stream", { query: "how?" });
    const names: string[] = [];
    let last: unknown;
    for await (const { event, data } of eventsOf(reply)) {
      names.push(event);
      last = data;
      if (event === "hop:progress") goOn(); // only because it came before the end
    }

    expect(reply.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    expect(names).toEqual([
      "run",
      "run:start",
      "hop:start",
      "hop:progress",
      "hop:progress",
      "hop:end",
      "run:end",
      "response",
    ]);
    expect(last).toEqual({ status: 200, response: { answer: "Restart." } });
  });

  it("takes the question from the URL by GET", async () => {
    const mesh = await serveMesh({ other: echo, echo });

    const reply = await mesh.fetch("/ask/stream?query=why%3F&to=echo&timeoutMs=900&merge=quorum:2");
    const events: StreamEvent[] = [];
    for await (const event of eventsOf(reply)) events.push(event);

    expect(events[1]?.data).toMatchObject({ to: "echo", query: "why?", timeoutMs: 900 });
    expect(events.at(-1)?.data).toMatchObject({ response: { answer: "You asked: why?" } });
  });

  it.each([
    ["query", "?to=echo"],
    ["timeoutMs", "?query=a&timeoutMs=soon"],
    ["merge.quorum", "?query=a&merge=quorum:0"],
    ["query", "?query=a&query=b"],
    ["colour", "?query=a&colour=red"],
  ])("refuses a wrong %s in the URL before it starts", async (field, parameters) => {
    const mesh = await serveMesh({ echo });

    const reply = await mesh.fetch(`/ask/stream${parameters}`);

    expect(reply.status).toBe(400);
    expect(await reply.json()).toMatchObject({ error: { details: { field } } });
  });

  it("keeps what a librarian threw in the process", async () => {
    const mesh = await serveMesh({
      failing: async () => {
        throw new Error("password=hunter2");
      },
    });

    const text = await (await mesh.post("/ask/stream", { query: "hello" })).text();

    expect(text).toContain("INTERNAL_ERROR");
    expect(text).not.toContain("hunter2");
  });

  it("is logged and counted once it is over, also when the client has left", async () => {
    const lines: RequestLog[] = [];
    const held = heldLibrarian();
    const mesh = await serveMesh(
      { echo, held: held.librarian },
      { log: (line) => lines.push(line) },
    );
    await (await mesh.post("/ask/stream", { query: "a secret" })).text();
    const client = new AbortController();
    await mesh.post("/ask/stream", { query: "hi", to: "held" }, { signal: client.signal });
    const signal = await held.asked;
    client.abort();
    await aborted(signal);

    await until(() => lines.length === 2);
    expect(lines[0]).toMatchObject({ route: "/ask/stream", method: "POST", status: 200 });
    expect(lines[1]).toMatchObject({ route: "/ask/stream", status: 499 });
    expect(lines[0]?.runId).toMatch(/^[\da-f-]{36}$/);
    expect(JSON.stringify(lines)).not.toContain("secret");
  });

  it("is logged with its time, and the code of an error", async () => {
    const lines: RequestLog[] = [];
    const began = Date.now();
    const librarian = async () => ({ error: { code: "NOT_FOUND" as const, message: "Nothing." } });
    const mesh = await serveMesh({ librarian }, { log: (line) => lines.push(line) });
    await (await mesh.post("/ask", { query: "hello" })).text();
    await (await mesh.post("/ask", { query: 7 })).text();
    await until(() => lines.length === 2);

    expect(lines.map(({ status, code }) => [status, code])).toEqual([
      [404, "NOT_FOUND"],
      [400, "INVALID_QUERY"],
    ]);
    for (const { time } of lines) {
      expect(Date.parse(time)).toBeGreaterThanOrEqual(began - 1_000);
      expect(Date.parse(time)).toBeLessThanOrEqual(Date.now());
    }
  });

  it("does not ask by HEAD", async () => {
    const librarian = vi.fn(echo);
    const mesh = await serveMesh({ librarian });

    const reply = await mesh.fetch("/ask/stream?query=a", { method: "HEAD" });

    expect(reply.status).toBe(405);
    expect(reply.headers.get("allow")).toBe("GET, POST");
    expect(librarian).not.toHaveBeenCalled();
  });

  it("gives signs of life while nothing happens", async () => {
    const held = heldLibrarian();
    const mesh = await serveMesh({ held: held.librarian }, { limits: { heartbeatMs: 10 } });

    const reply = await mesh.post("/ask/stream", { query: "hello" });
    let beats = 0;
    for await (const { event } of eventsOf(reply)) {
      if (event === "comment" && ++beats === 3) held.answer();
    }

    expect(beats).toBeGreaterThanOrEqual(3);
  });

  it("cancels the run when the client leaves, and leaves no timer, listener or connection", async () => {
    const signals: AbortSignal[] = [];
    const waiting: Librarian = async (_query, context) => {
      if (context?.signal === undefined) throw new Error("a router gives a signal");
      signals.push(context.signal);
      await aborted(context.signal);
      return { answer: "too late" };
    };
    const mesh = await serveMesh({ waiting });
    await gauge(mesh.url, "runs_in_flight"); // opens a connection that stays
    const before = { timers: open("Timeout"), sockets: open("TCPSocketWrap") };

    for (let round = 0; round < 10; round++) {
      const client = new AbortController();
      const reply = await mesh.post("/ask/stream", { query: "hi" }, { signal: client.signal });
      await eventsOf(reply).next();
      client.abort();
      await until(() => signals.length === round + 1 && signals[round]?.aborted === true);
    }

    await until(async () => (await gauge(mesh.url, "requests_in_flight")) === 0);
    expect(await gauge(mesh.url, "runs_in_flight")).toBe(0);
    // A connection that is kept alive has a timer and two ends: one more of them may be open.
    await until(() => open("Timeout") <= before.timers + 2);
    await until(() => open("TCPSocketWrap") <= before.sockets + 2);
  });

  it("cuts off a client that does not read, so that it holds nothing", async () => {
    const chatty: Librarian = async (_query, context) => {
      for (let line = 0; line < 400; line++) context?.report?.({ text: "x".repeat(65_000) });
      return { answer: "done" };
    };
    const mesh = await serveMesh({ chatty }, { limits: { stallMs: 50, concurrency: 1 } });
    const socket = connect(Number(new URL(mesh.url).port), "127.0.0.1");
    socket.on("error", () => undefined);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.pause();
    socket.write("GET /ask/stream?query=hello HTTP/1.1\r\nhost: localhost\r\n\r\n");

    await until(async () => (await gauge(mesh.url, "requests_in_flight")) === 1);
    await until(async () => (await gauge(mesh.url, "requests_in_flight")) === 0);

    socket.resume();
    await closed;
    expect((await mesh.post("/ask", { query: "hello" })).status).toBe(200);
  });
});

/** What keeps the process busy, by kind. */
function open(kind: "Timeout" | "TCPSocketWrap"): number {
  return process.getActiveResourcesInfo().filter((name) => name === kind).length;
}

async function gauge(url: string, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^constellation_${name} (\\d+)$`, "m").exec(text)?.[1]);
}
