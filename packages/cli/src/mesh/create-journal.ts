import { accessSync, constants, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createFolder } from "@constellation/authoring";
import {
  createJournal,
  createMemoryStore,
  createPostgresStore,
  createSqliteStore,
  type Journal,
  type JournalStore,
  type SharedBudgets,
  type ThreadOptions,
} from "@constellation/journal";
import type { CommandIO } from "../command-io.js";
import { ConfigurationError } from "../configuration-error.js";

/** Journal where none is named. */
export const defaultJournal = ".constellation/journal.db";

/** The journal of the environment, else the default one; `undefined` where CONSTELLATION_JOURNAL is empty: none. */
export function journalIn({ CONSTELLATION_JOURNAL }: CommandIO["env"]): string | undefined {
  return CONSTELLATION_JOURNAL === "" ? undefined : (CONSTELLATION_JOURNAL ?? defaultJournal);
}

/**
 * Creates the folder of a journal. A folder that is new is ignored by Git.
 *
 * @returns `undefined` for a file whose folder cannot be made or written.
 */
export function usableJournal(place: string | undefined, folder: string): string | undefined {
  if (place === undefined || isAddress(place)) return place;
  const own = dirname(resolve(folder, place));
  try {
    const topmost = createFolder(own, 0o700);
    accessSync(own, constants.W_OK);
    // Questions of people must not be committed.
    if (topmost === own) writeFileSync(join(own, ".gitignore"), "*\n", { flag: "wx" });
    return place;
  } catch {
    return undefined;
  }
}

/**
 * Creates the journal that a command or a mesh file names.
 *
 * @param place - Path of a SQLite file, or `postgres://user@host/database`.
 * @param folder - Folder that a path is relative to.
 * @throws ConfigurationError for an invalid address.
 */
export function createMeshJournal(place: string, folder: string, budgets?: SharedBudgets): Journal {
  return createJournal({ store: createStore(place, folder), threads, budgets });
}

/** Creates a journal in memory: for threads of a chat and budgets that need not survive the process. */
export function createMemoryJournal(budgets?: SharedBudgets): Journal {
  return createJournal({ store: createMemoryStore(), threads, budgets });
}

const threads: ThreadOptions = {
  // Loads the package with the first follow-up.
  completeFollowUp: async (query, turns) =>
    (await import("@constellation/nlu")).completeFollowUp(query, turns),
};

function createStore(place: string, folder: string): JournalStore {
  try {
    return isAddress(place)
      ? createPostgresStore({ url: place })
      : createSqliteStore({ file: resolve(folder, place) });
  } catch (thrown) {
    throw new ConfigurationError(`--journal: ${(thrown as Error).message}`, { cause: thrown });
  }
}

/** Whether a place is a database, and not a file. */
export function isAddress(place: string): boolean {
  return /^[a-z]+:\/\//i.test(place);
}
