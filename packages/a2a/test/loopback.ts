import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on the loopback address. */
export interface Loopback {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves web-standard requests on the loopback address, as an application's own server would. */
export async function serveLoopback(
  handle: (request: Request) => Promise<Response>,
  at = 0,
): Promise<Loopback> {
  const server = createServer((incoming, outgoing) => {
    answer(handle, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => server.listen(at, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(
  handle: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  outgoing.once("close", () => gone.abort());
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array); // no encoding is set
  const { method = "GET", headers, url = "/" } = incoming;
  const request = new Request(new URL(url, `http://${headers.host ?? "127.0.0.1"}`), {
    method,
    headers: Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    ),
    signal: gone.signal,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  });
  const response = await handle(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.flushHeaders();
  const reader = response.body?.getReader();
  outgoing.once("close", () => void reader?.cancel().catch(() => undefined));
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done) break;
    outgoing.write(value);
  }
  outgoing.end();
}
