import { createTransport } from "../src/create-transport.js";
import { createInProcessBus, type InProcessBus } from "../src/in-process-link.js";
import type { Link } from "../src/link.js";

const times = { heartbeatMs: 50, lostAfterMs: 300, presenceMs: 100, maxAttempts: 10 };

/** Starts processes, each with its own link to the bus of its mesh. */
export function processes(wrap: (link: Link) => Link = (link) => link) {
  const buses = new Map<string, InProcessBus>();
  return async (mesh: string) => {
    const bus = buses.get(mesh) ?? createInProcessBus();
    buses.set(mesh, bus);
    const link = bus.connect();
    return {
      transport: createTransport(wrap(link), { ...times, mesh, caller: "test" }),
      crash: () => link.close(),
    };
  };
}
