import type { JournalWrite, WriteOutcome } from "../store.js";

/** What is bound to a statement, for each row. */
export type PostgresValue = string | number | null;

/** Writes of one type, in one statement: each takes lists of columns, and returns `n` (from 1) and `is_new`. */
export interface WriteStatement {
  readonly sql: string;
  readonly columns: (write: JournalWrite) => readonly PostgresValue[];
  /** Outcome of a write for which it returns no row. */
  readonly otherwise: WriteOutcome;
}

/** Writes that one statement applies. */
export interface WriteBatch {
  readonly type: JournalWrite["type"];
  /** With their place in the call. */
  readonly writes: { readonly write: JournalWrite; readonly index: number }[];
}

type Write<Type extends JournalWrite["type"]> = Extract<JournalWrite, { type: Type }>;

/** Several of one run may be in one batch: they have an order there. */
const orderedTypes: ReadonlySet<JournalWrite["type"]> = new Set(["append", "open-wait"]);

/** Puts writes of one type together, as far as the order of those of one run, owner or document stays. */
export function batchWrites(writes: readonly JournalWrite[]): readonly WriteBatch[] {
  const batches: WriteBatch[] = [];
  const latest = new Map<string, number>();
  for (const [index, write] of writes.entries()) {
    const subject = nameSubject(write);
    const last = latest.get(subject) ?? -1;
    const isOrdered = orderedTypes.has(write.type);
    let at = batches.findIndex(
      ({ type }, place) => type === write.type && (place > last || (isOrdered && place === last)),
    );
    if (at < 0) at = batches.push({ type: write.type, writes: [] }) - 1;
    batches[at]?.writes.push({ write, index });
    latest.set(subject, at);
  }
  return batches;
}

function nameSubject(write: JournalWrite): string {
  if (write.type === "renew-owner") return `owner ${write.owner}`;
  if (write.type === "put-document" || write.type === "create-document")
    return `document ${JSON.stringify([write.collection, write.id])}`;
  return `run ${write.runId}`;
}

/** @param at - Name of the schema, quoted, and a dot. */
export function createWriteStatements(
  at: string,
): Readonly<Record<JournalWrite["type"], WriteStatement>> {
  /** Adds rows that belong to a run, where the epoch is that of its owner: the lock keeps the next one waiting. */
  const addGuarded = (table: "entries" | "waits", columns: string, types: string, key: string) => `
    WITH given AS (
      SELECT * FROM unnest($1::text[], $2::integer[], ${types})
      WITH ORDINALITY AS given (run_id, epoch, ${columns}, n)
    ), live AS (
      SELECT number, id, epoch FROM ${at}runs WHERE id = ANY ($1) FOR SHARE
    ), held AS (
      SELECT live.number AS run, given.* FROM given
      JOIN live ON live.id = given.run_id AND live.epoch = given.epoch
    ), added AS (
      INSERT INTO ${at}${table} (run, ${columns}${table === "entries" ? ", epoch" : ""})
      SELECT run, ${columns}${table === "entries" ? ", epoch" : ""} FROM held ORDER BY n
      ON CONFLICT DO NOTHING RETURNING run, ${key}
    )
    SELECT n::integer, (run, ${key}) IN (SELECT run, ${key} FROM added)
      AND n = min(n) OVER (PARTITION BY run, ${key}) AS is_new
    FROM held`;

  return {
    "create-run": statement<"create-run">(
      "duplicate",
      `WITH given AS (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
        WITH ORDINALITY AS given (id, user_id, owner, at, request, n)
      ), added AS (
        INSERT INTO ${at}runs (id, user_id, owner, created_at, updated_at, request)
        SELECT id, user_id, owner, at, at, request FROM given ORDER BY n
        ON CONFLICT DO NOTHING RETURNING id
      )
      SELECT n::integer, true AS is_new FROM given JOIN added USING (id)`,
      ({ runId, user, owner, at, request }) => [runId, user ?? null, owner, at, request],
    ),
    append: statement<"append">(
      "refused",
      addGuarded(
        "entries",
        "key, phase, kind, at, body",
        "$3::text[], $4::text[], $5::text[], $6::bigint[], $7::text[]",
        "key, phase",
      ),
      ({ runId, epoch, key, phase, kind, at, body }) => [runId, epoch, key, phase, kind, at, body],
    ),
    "open-wait": statement<"open-wait">(
      "refused",
      addGuarded(
        "waits",
        "id, opened_at, expires_at, body",
        "$3::text[], $4::bigint[], $5::bigint[], $6::text[]",
        "id",
      ),
      ({ runId, epoch, id, at, expiresAt, body }) => [
        runId,
        epoch,
        id,
        at,
        expiresAt ?? null,
        body,
      ],
    ),
    "answer-wait": statement<"answer-wait">(
      "refused",
      `WITH given AS (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[])
        WITH ORDINALITY AS given (run_id, id, body, n)
      ), open_runs AS (
        SELECT number, id FROM ${at}runs WHERE id = ANY ($1) AND status <> 'ended' FOR UPDATE
      ), known AS (
        SELECT given.n, given.body, waits.number, waits.run FROM given
        JOIN open_runs ON open_runs.id = given.run_id
        JOIN ${at}waits ON waits.run = open_runs.number AND waits.id = given.id
      ), answered AS (
        UPDATE ${at}waits SET answer = known.body FROM known
        WHERE waits.number = known.number AND waits.answer IS NULL RETURNING waits.number, waits.run
      ), noted AS (
        UPDATE ${at}runs SET is_answered = true FROM answered WHERE runs.number = answered.run
      )
      SELECT n::integer, answered.number IS NOT NULL AS is_new FROM known LEFT JOIN answered USING (number)`,
      ({ runId, id, body }) => [runId, id, body],
    ),
    "release-run": statement<"release-run">(
      "refused",
      `UPDATE ${at}runs SET status = given.status, owner = '', updated_at = given.at,
        active_ms = given.active_ms, outcome = COALESCE(given.outcome, runs.outcome),
        losses = CASE WHEN given.status = 'waiting' THEN 0 ELSE losses END
      FROM unnest($1::text[], $2::integer[], $3::text[], $4::bigint[], $5::bigint[], $6::text[])
        WITH ORDINALITY AS given (id, epoch, status, at, active_ms, outcome, n)
      WHERE runs.id = given.id AND runs.epoch = given.epoch
      RETURNING n::integer, true AS is_new`,
      ({ runId, epoch, status, at, activeMs, outcome }) => [
        runId,
        epoch,
        status,
        at,
        activeMs,
        outcome ?? null,
      ],
    ),
    "renew-owner": statement<"renew-owner">(
      "applied",
      `INSERT INTO ${at}owners (id, lease_until) SELECT * FROM unnest($1::text[], $2::bigint[])
      ON CONFLICT (id) DO UPDATE SET lease_until = excluded.lease_until`,
      ({ owner, leaseUntil }) => [owner, leaseUntil],
    ),
    "create-document": statement<"create-document">(
      "duplicate",
      `WITH given AS (
        SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
        WITH ORDINALITY AS given (collection, id, user_id, at, body, n)
      ), added AS (
        INSERT INTO ${at}documents (collection, id, user_id, at, body)
        SELECT collection, id, user_id, at, body FROM given ORDER BY n
        ON CONFLICT DO NOTHING RETURNING collection, id
      )
      SELECT n::integer, true AS is_new FROM given JOIN added USING (collection, id)`,
      ({ collection, id, user, at, body }) => [collection, id, user ?? null, at, body],
    ),
    "put-document": statement<"put-document">(
      "applied",
      `INSERT INTO ${at}documents (collection, id, user_id, at, body)
      SELECT collection, id, user_id, at, body
      FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::text[])
        WITH ORDINALITY AS given (collection, id, user_id, at, body, n) ORDER BY n
      ON CONFLICT (collection, id) DO UPDATE SET number = DEFAULT,
        user_id = excluded.user_id, at = excluded.at, body = excluded.body`,
      ({ collection, id, user, at, body }) => [collection, id, user ?? null, at, body],
    ),
  };
}

function statement<Type extends JournalWrite["type"]>(
  otherwise: WriteOutcome,
  sql: string,
  columns: (write: Write<Type>) => readonly PostgresValue[],
): WriteStatement {
  // A batch holds writes of one type, and is applied by the statement of that type.
  return { sql, otherwise, columns: (write) => columns(write as Write<Type>) };
}
