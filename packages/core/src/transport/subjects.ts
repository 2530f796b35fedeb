/** The subjects of one mesh. */
export interface Subjects {
  /** Calls of a librarian by a caller. */
  call(librarian: string, caller: string): string;
  /** Calls of a librarian by anyone. */
  calls(librarian: string): string;
  /** The cancel of a call. */
  cancel(requestId: string): string;
  readonly cancels: string;
  /** Start of the subjects of replies to a caller. */
  inboxOf(caller: string): string;
}

/** @param mesh - Name of the mesh: one token. */
export function subjectsOf(mesh: string): Subjects {
  return {
    call: (librarian, caller) => `mesh.${mesh}.call.${librarian}.${caller}`,
    calls: (librarian) => `mesh.${mesh}.call.${librarian}.*`,
    cancel: (requestId) => `mesh.${mesh}.cancel.${requestId}`,
    cancels: `mesh.${mesh}.cancel.*`,
    inboxOf: (caller) => `mesh.${mesh}.inbox.${caller}.`,
  };
}

/** The last token of a subject. */
export function lastToken(subject: string): string {
  return subject.slice(subject.lastIndexOf(".") + 1);
}
