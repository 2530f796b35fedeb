import { createPostgresStore, createSqliteStore, type JournalStore } from "../src/index.js";

/** @param place - Path of a SQLite file, or address of a Postgres database. */
export function storeAt(place: string): JournalStore {
  return place.startsWith("postgres:")
    ? createPostgresStore({ url: place })
    : createSqliteStore({ file: place });
}
