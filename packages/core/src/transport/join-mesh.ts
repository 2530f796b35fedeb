import type { LibrarianInfo } from "../contract/librarian-info.js";
import type { MeshMembers } from "../contract/mesh-transport.js";
import { remoteLibrarian } from "./remote-librarian.js";
import type { Transport } from "./transport.js";

/**
 * Registers the librarians of other processes with a router, and keeps them up to date.
 *
 * @returns A function that stops it.
 */
export function joinMesh(members: MeshMembers, transport: Transport): () => void {
  /** Those that were registered here. */
  const registered = new Map<string, LibrarianInfo>();

  function update(): void {
    const present = new Map(transport.present().map(({ info }) => [info.id, info]));
    for (const [id, info] of registered) {
      if (present.get(id) === info) continue;
      registered.delete(id);
      members.unregister(id);
    }
    const own = new Set(members.list().map(({ id }) => id));
    for (const [id, info] of present) {
      if (own.has(id)) continue;
      members.register(remoteLibrarian(transport, info));
      registered.set(id, info);
    }
  }

  update();
  return transport.onChange(update);
}
