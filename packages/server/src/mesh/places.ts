import type { PresentLibrarian } from "@constellation/transport";

/** Maximum number of processes listed for one librarian. */
const maxReplicas = 100;

/** A process that serves a librarian. */
interface Place {
  readonly host: string;
  readonly pid: number;
  /** Epoch milliseconds, by the clock of that process. */
  readonly since: number;
}

/** Processes of a librarian; empty for one of this process only. */
interface Places {
  /** The oldest first, at most 100. */
  readonly replicas?: readonly Place[];
  readonly replicaCount?: number;
}

/** Finds where librarians run, by id, as a transport knows it now. A transport that fails counts as empty. */
export function createPlaces(
  presence: (() => readonly PresentLibrarian[]) | undefined,
): (id: string) => Places {
  const known = new Map<string, Places>();
  for (const { info, replicas } of listPresent(presence)) {
    const places = replicas
      .map(({ host, pid, since }) => ({ host, pid, since }))
      .sort((one, other) => one.since - other.since);
    known.set(info.id, {
      replicas: places.slice(0, maxReplicas),
      replicaCount: places.length,
    });
  }
  return (id) => known.get(id) ?? {};
}

function listPresent(
  presence: (() => readonly PresentLibrarian[]) | undefined,
): readonly PresentLibrarian[] {
  try {
    return presence?.() ?? [];
  } catch {
    return []; // the list of librarians is shown without their processes
  }
}
