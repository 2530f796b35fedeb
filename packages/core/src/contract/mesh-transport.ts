import type { LibrarianDefinition } from "./definition.js";
import type { LibrarianInfo } from "./librarian-info.js";

/** What a transport needs of a router. */
export interface MeshMembers {
  register(definition: LibrarianDefinition): void;
  unregister(id: string): boolean;
  list(): readonly LibrarianInfo[];
}

/** Brings the librarians of other processes into a router, as the option `transport` takes it. */
export interface MeshTransport {
  /** Name of the mesh, for loops: librarians of the same mesh and id are the same in every process. */
  readonly mesh: string;
  /** Connects, and waits until it is known which librarians there are. */
  open(signal?: AbortSignal): Promise<void>;
  /**
   * Registers the librarians of other processes, and keeps them up to date. Those that the router has
   * itself stay.
   *
   * @returns A function that stops it.
   */
  join(members: MeshMembers): () => void;
  /** Ends the connection. Never rejects. */
  close(): Promise<void>;
}
