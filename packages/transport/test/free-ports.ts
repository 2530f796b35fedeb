import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Below those that Linux gives to connections and to listeners on port 0: nothing takes one by chance meanwhile. */
const [lowest, beyond] = [12_000, 32_000];

/** Ports of this machine that nothing listened to a moment ago, each another one. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const free = new Set<number>();
  while (free.size < count) {
    const port = randomInt(lowest, beyond);
    if (await isFree(port)) free.add(port);
  }
  return [...free];
}

/** A port of this machine that nothing listened to a moment ago. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, "127.0.0.1"), "listening");
  } catch {
    return false;
  }
  await once(server.close(), "close");
  return true;
}
