import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import {
  type ModelAnswer,
  type ModelScript,
  type ModelStep,
  type PlannedAnswer,
  planAnswer,
  type RecordedRequest,
} from "./model-step.js";

/** The protocol of a model server. */
export interface ModelProtocol {
  /** The only path that answers. */
  readonly path: string;
  /** The whole answer, as JSON. */
  whole(answer: PlannedAnswer): object;
  /** The same answer as events of a stream. Those of `pieces` are sent one by one. */
  events(answer: PlannedAnswer): readonly string[];
  /** The body of a failure. */
  failure(status: number, message: string): object;
  /** Finds the problem of a request. `undefined` for a valid one. */
  findProblem(body: RecordedRequest["body"]): string | undefined;
}

/** Options for a server. */
export interface ModelServerOptions {
  /** The only accepted key. Without it, any key is accepted, and so is a request without a key. */
  readonly apiKey?: string | undefined;
}

/** A server on this machine that plays a model. */
export interface ModelServer {
  /** Its address, for `baseURL`. */
  readonly url: string;
  /** Requests so far, oldest first, including those answered with a failure. */
  readonly requests: readonly RecordedRequest[];
  /** Number of connections that are busy with a request. */
  readonly busy: number;
  /** Adds steps to the script. */
  play(...steps: readonly ModelStep[]): void;
  /** Closes open connections and stops the server. */
  close(): Promise<void>;
}

/** Starts a server on a free port of the loopback address. */
export async function startModelServer(
  protocol: ModelProtocol,
  script: ModelScript,
  { apiKey }: ModelServerOptions,
): Promise<ModelServer> {
  const steps: ModelStep[] = typeof script === "function" ? [] : [...script];
  const requests: { -readonly [Key in keyof RecordedRequest]: RecordedRequest[Key] }[] = [];
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  let busy = 0;

  async function nextAnswer(request: RecordedRequest): Promise<string | ModelAnswer> {
    if (request.path !== protocol.path) return { status: 404, message: "not found" };
    if (apiKey !== undefined && request.headers.authorization !== `Bearer ${apiKey}`) {
      return { status: 401, message: `invalid key ${request.headers.authorization}` };
    }
    const problem = protocol.findProblem(request.body);
    if (problem !== undefined) return { status: 400, message: problem };
    const step = typeof script === "function" ? script : steps.shift();
    if (step === undefined) return { status: 400, message: "the script has no step left" };
    return typeof step === "function" ? step(request) : step;
  }

  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      if (ms === Number.POSITIVE_INFINITY) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        resolve();
      }, ms);
      timers.add(timer);
    });
  }

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = parseBody(await readBody(incoming));
    const { url: path = "", headers } = incoming;
    const request = { path, headers, body, at: Date.now(), isClosed: false };
    requests.push(request);
    busy++;
    outgoing.once("close", () => {
      busy--;
      request.isClosed = !outgoing.writableFinished;
    });
    const planned = planAnswer(await nextAnswer(request), body);
    if (planned.afterMs !== undefined) await pause(planned.afterMs);
    if (planned.cut === "before") incoming.socket.destroy();
    else if (planned.garbage !== undefined) sendGarbage(outgoing, planned, body.stream === true);
    else if (planned.status !== undefined) sendFailure(outgoing, protocol, planned);
    else if (body.stream === true) await sendEvents(outgoing, protocol, planned, pause);
    else sendWhole(outgoing, protocol, planned);
  }

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((thrown: unknown) => {
      outgoing.destroy(thrown instanceof Error ? thrown : undefined);
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a listening TCP server has one

  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get busy() {
      return busy;
    },
    play: (...more) => void steps.push(...more),
    async close() {
      for (const timer of timers) clearTimeout(timer);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function sendFailure(
  outgoing: ServerResponse,
  protocol: ModelProtocol,
  { status = 500, message = "scripted failure", retryAfterMs }: PlannedAnswer,
): void {
  outgoing.writeHead(status, {
    "content-type": "application/json",
    "request-id": "req_scripted",
    ...(retryAfterMs !== undefined && {
      "retry-after-ms": String(retryAfterMs),
      "retry-after": String(Math.ceil(retryAfterMs / 1_000)),
    }),
  });
  outgoing.end(JSON.stringify(protocol.failure(status, message)));
}

function sendGarbage(
  outgoing: ServerResponse,
  { garbage = "", status = 200 }: PlannedAnswer,
  isStream: boolean,
): void {
  outgoing.writeHead(status, {
    "content-type": isStream ? "text/event-stream" : "application/json",
  });
  outgoing.end(garbage);
}

function sendWhole(outgoing: ServerResponse, protocol: ModelProtocol, answer: PlannedAnswer): void {
  const body = JSON.stringify(protocol.whole(answer));
  outgoing.writeHead(200, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(body),
  });
  if (answer.cut !== "during") outgoing.end(body);
  else outgoing.write(body.slice(0, body.length / 2), () => outgoing.destroy());
}

async function sendEvents(
  outgoing: ServerResponse,
  protocol: ModelProtocol,
  answer: PlannedAnswer,
  pause: (ms: number) => Promise<void>,
): Promise<void> {
  outgoing.writeHead(200, { "content-type": "text/event-stream" });
  const events = protocol.events(answer);
  const kept = answer.cut === "during" ? events.slice(0, Math.ceil(events.length / 2)) : events;
  for (const event of kept) {
    if (outgoing.destroyed) return;
    await new Promise<void>((resolve) => outgoing.write(event, () => resolve()));
    if (answer.betweenMs !== undefined) await pause(answer.betweenMs);
  }
  if (answer.cut === "during") outgoing.destroy();
  else outgoing.end();
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer); // no encoding was set
  return Buffer.concat(chunks).toString();
}

function parseBody(text: string): RecordedRequest["body"] {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === "object" && body !== null) return body as RecordedRequest["body"];
  } catch {
    // Recorded as text below.
  }
  return { text };
}
