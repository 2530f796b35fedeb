import { once } from "node:events";
import { createConnection, createServer, type Socket } from "node:net";

/** A connection to a server that can be cut off without a word, as a network does. */
export interface Partition {
  readonly url: string;
  /** Nothing passes any more, in either direction. */
  cut(): void;
  /** What was held back passes, and all that follows. */
  heal(): void;
  close(): void;
}

/** @param target - As in `nats://127.0.0.1:4222`. */
export async function createPartition(target: string): Promise<Partition> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isCut = false;
  const proxy = createServer((near) => {
    const far = createConnection({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => to.write(data));
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("error", () => undefined); // its close follows
      if (isCut) from.pause();
    }
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const address = proxy.address();
  if (typeof address !== "object" || address === null) throw new Error("The proxy has no port.");
  return {
    url: `nats://127.0.0.1:${address.port}`,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal() {
      isCut = false;
      for (const socket of sockets) socket.resume();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
