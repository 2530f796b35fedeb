import { once } from "node:events";
import { createServer } from "node:net";

/** Ports of this machine that nothing listened to a moment ago, each another one. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(async (server) => {
      await once(server.listen(0, "127.0.0.1"), "listening");
      const address = server.address();
      if (typeof address !== "object" || address === null) throw new Error("Port not found.");
      return address.port;
    }),
  );
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

/** A port of this machine that nothing listened to a moment ago. */
export async function freePort(): Promise<number> {
  const [port = 0] = await freePorts(1);
  return port;
}
