/** Address of a process: its name for permissions, and its random id. */
export interface Address {
  readonly name: string;
  readonly node: string;
}

/**
 * The subjects of one mesh. The permissions of the server depend on their tokens: the last token of a call, and of a
 * request to find a process, is the caller's name; a librarian's calls and announcements have its id.
 */
export interface Subjects {
  /** Calls of a librarian in one process, and all else that concerns them, by a caller. */
  call(librarian: string, node: string, caller: string): string;
  /** The same by any caller. */
  calls(librarian: string, node: string): string;
  /** Finds a process that serves a librarian. */
  find(librarian: string, caller: string): string;
  finds(librarian: string): string;
  /** Asks a process how well its librarians could answer. */
  probe(to: Address, caller: string): string;
  /** The same by any caller. */
  probes(to: Address): string;
  /** Start of the subjects of replies to a caller. */
  inboxOf(caller: string): string;
  /** Pings of a process. */
  ping(to: Address): string;
  /** Start of the subjects of the answers to pings of a process. */
  pongsOf(of: Address): string;
  /** Common prefix of these subjects. */
  readonly pongs: string;
  /** Announcements of a librarian, to one process or to `"all"`. */
  member(to: string, librarian: string): string;
  members(to: string): string;
  /** Asks which processes are present. */
  who(caller: string): string;
  readonly whos: string;
  /** Reports that a process does not answer. */
  suspect(caller: string): string;
  readonly suspects: string;
}

/** @param mesh - Name of the mesh: one token. */
export function createSubjects(mesh: string): Subjects {
  const prefix = `mesh.${mesh}`;
  return {
    call: (librarian, node, caller) => `${prefix}.call.${librarian}.${node}.${caller}`,
    calls: (librarian, node) => `${prefix}.call.${librarian}.${node}.*`,
    find: (librarian, caller) => `${prefix}.find.${librarian}.${caller}`,
    finds: (librarian) => `${prefix}.find.${librarian}.*`,
    probe: ({ name, node }, caller) => `${prefix}.probe.${name}.${node}.${caller}`,
    probes: ({ name, node }) => `${prefix}.probe.${name}.${node}.*`,
    inboxOf: (caller) => `${prefix}.inbox.${caller}.`,
    ping: ({ name, node }) => `${prefix}.ping.${name}.${node}`,
    pongsOf: ({ name, node }) => `${prefix}.pong.${name}.${node}.`,
    pongs: `${prefix}.pong.`,
    member: (to, librarian) => `${prefix}.member.${to}.${librarian}`,
    members: (to) => `${prefix}.member.${to}.*`,
    who: (caller) => `${prefix}.who.${caller}`,
    whos: `${prefix}.who.*`,
    suspect: (caller) => `${prefix}.suspect.${caller}`,
    suspects: `${prefix}.suspect.*`,
  };
}

/** The last token of a subject. */
export function lastToken(subject: string): string {
  return subject.slice(subject.lastIndexOf(".") + 1);
}
