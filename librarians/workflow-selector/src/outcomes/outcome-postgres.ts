import { redactJson } from "@constellation/authoring";
import { withDeadline } from "@constellation/core";
import { checkOutcome, checkTable, maxOutcomes, readOutcome } from "./check-outcome.js";
import type { OutcomeStore } from "./outcome.js";

/** Runs statements: a pool or a client of the package `pg` is one. */
export interface OutcomeSqlClient {
  query(text: string, values: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

/** Options of {@link createOutcomePostgres} and {@link createOutcomeSqlite}. */
export interface OutcomeTableOptions {
  /**
   * Name of the table: a lower case letter or `_`, then up to 40 of these and digits. Created where it is missing.
   *
   * @default "workflow_outcomes"
   */
  readonly table?: string | undefined;
}

/**
 * Keeps outcomes in a table of Postgres, for any number of processes. The latest 50,000 are read. The client stays
 * open: it is yours.
 *
 * @throws RangeError for the name of the table.
 */
export function createOutcomePostgres(
  client: OutcomeSqlClient,
  options: OutcomeTableOptions = {},
): OutcomeStore {
  const table = checkTable(options.table ?? "workflow_outcomes");
  const create = `
    CREATE TABLE IF NOT EXISTS ${table} (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      workflow_id text NOT NULL,
      event text NOT NULL,
      at timestamptz NOT NULL,
      outcome json NOT NULL
    )`;
  let created: Promise<unknown> | undefined;
  const ready = async () => {
    created ??= client.query(create, []);
    try {
      await created;
    } catch (thrown) {
      created = undefined; // asked for again by the next call
      throw thrown;
    }
  };

  return {
    async record(outcome) {
      const checked = checkOutcome(outcome);
      await ready();
      await client.query(
        `INSERT INTO ${table} (workflow_id, event, at, outcome) VALUES ($1, $2, $3, $4)`,
        [checked.workflow_id, checked.event, checked.at, redactJson(checked)],
      );
    },
    read: (signal) =>
      withDeadline({ signal }, async () => {
        await ready();
        const { rows } = await client.query(
          `SELECT outcome FROM ${table} ORDER BY id DESC LIMIT ${maxOutcomes}`,
          [],
        );
        return rows.toReversed().flatMap((row) => readOutcome(Object(row).outcome));
      }),
  };
}
