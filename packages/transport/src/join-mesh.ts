import type { MeshMembers } from "@constellation/core";
import { createRemoteEstimates } from "./probes.js";
import { remoteLibrarian } from "./remote-librarian.js";
import type { Transport } from "./transport.js";

/**
 * Registers the librarians of other processes with a router, and keeps them up to date.
 *
 * @returns A function that stops it.
 */
export function joinMesh(members: MeshMembers, transport: Transport): () => void {
  /** Librarians that were registered here, with their descriptions as JSON. */
  const registered = new Map<string, string>();
  const estimate = createRemoteEstimates(transport);

  function update(): void {
    const present = new Map(transport.present().map(({ info }) => [info.id, info]));
    for (const [id, description] of registered) {
      if (JSON.stringify(present.get(id)) === description) continue;
      registered.delete(id);
      members.unregister(id);
    }
    const own = new Set(members.list().map(({ id }) => id));
    for (const [id, info] of present) {
      if (own.has(id)) continue;
      members.register(remoteLibrarian(transport, info, estimate));
      registered.set(id, JSON.stringify(info));
    }
  }

  update();
  return transport.onChange(update);
}
