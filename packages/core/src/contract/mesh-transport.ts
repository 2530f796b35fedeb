import type { LibrarianDefinition } from "./definition.js";
import type { LibrarianInfo } from "./librarian-info.js";
import type { MeshError } from "./mesh-error.js";

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
   * Registers the librarians of other processes, and keeps them up to date. Librarians of the router itself are not
   * replaced.
   *
   * @returns A function that stops it.
   */
  join(members: MeshMembers): () => void;
  /**
   * Whether it sends calls of a librarian to another process when the one that works on them is lost. Those with
   * effects "write", and those that have asked one, are not sent again.
   */
  repeats?(id: string): boolean;
  /**
   * Why the librarians of other processes are not known at present, such as a lost connection. A librarian that
   * is not registered is then unavailable, not unknown. `undefined`: it is known.
   */
  unreachable?(): MeshError | undefined;
  /** Ends the connection. Never rejects. */
  close(): Promise<void>;
}
