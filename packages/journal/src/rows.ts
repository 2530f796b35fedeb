import type { StoredDocument, StoredEntry, StoredRun, StoredWait } from "./store.js";

// How the tables of SQL stores are read: their columns have the same names in each.

/** A row: numbers and texts by column. */
export type SqlRow = Readonly<Record<string, unknown>>;

export function readRun(row: SqlRow): StoredRun {
  return {
    id: String(row.id),
    user: optionalText(row.user_id),
    status: String(row.status) as StoredRun["status"], // written by the stores alone
    owner: String(row.owner),
    epoch: Number(row.epoch),
    losses: Number(row.losses),
    createdAt: Number(row.created_at),
    updatedAt: Number(row.updated_at),
    activeMs: Number(row.active_ms),
    request: String(row.request),
    outcome: optionalText(row.outcome),
  };
}

export function readEntry(row: SqlRow): StoredEntry {
  return {
    key: String(row.key),
    phase: String(row.phase) as StoredEntry["phase"], // written by the stores alone
    kind: String(row.kind),
    epoch: Number(row.epoch),
    at: Number(row.at),
    body: String(row.body),
  };
}

export function readWait(row: SqlRow): StoredWait {
  return {
    runId: String(row.run_id),
    id: String(row.id),
    user: optionalText(row.user_id),
    openedAt: Number(row.opened_at),
    expiresAt: row.expires_at === null ? undefined : Number(row.expires_at),
    body: String(row.body),
    answer: optionalText(row.answer),
  };
}

export function readDocument(row: SqlRow): StoredDocument {
  return {
    collection: String(row.collection),
    id: String(row.id),
    user: optionalText(row.user_id),
    at: Number(row.at),
    body: String(row.body),
  };
}

function optionalText(value: unknown): string | undefined {
  return value === null || value === undefined ? undefined : String(value);
}
