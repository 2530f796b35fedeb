import { randomUUID } from "node:crypto";
import { redactJson } from "@constellation/authoring";
import { throwIfAborted } from "@constellation/core";
import { createPostgresStore, createSqliteStore, type JournalStore } from "@constellation/journal";
import { type Outcome, type OutcomeStore, outcomeSchema } from "./outcome.js";

const collection = "outcomes";

/** Maximum number of outcomes that are read: the latest ones. */
const maxOutcomes = 50_000;

/**
 * Keeps outcomes as documents of a journal's store, without their secrets: beside the runs of a mesh, or alone. The latest
 * 50,000 are read. It opens the store when it is first used, and leaves it open.
 */
export function createOutcomes(store: JournalStore): OutcomeStore {
  let opened: Promise<unknown> | undefined;
  const open = async () => {
    opened ??= store.open();
    try {
      await opened;
    } catch (thrown) {
      opened = undefined; // the next call tries again
      throw thrown;
    }
  };
  return {
    async record(outcome) {
      const body = redactJson(checkOutcome(outcome));
      await open();
      const document = { collection, id: randomUUID(), user: undefined, at: Date.now(), body };
      await store.write([{ type: "put-document", ...document }]);
    },
    async read(signal) {
      if (signal !== undefined) throwIfAborted(signal);
      await open();
      const documents = await store.listDocuments({ collection, limit: maxOutcomes });
      return documents.toReversed().flatMap(({ body }) => readOutcome(body));
    },
  };
}

/**
 * The outcomes in the journal that a text names: the path of a file of SQLite, or `postgres://...`, which needs the
 * package `pg`. It is opened when it is first used, stays open as long as the process, and does not keep that alive.
 *
 * @throws RangeError for a file of lines of JSON, as earlier versions wrote it.
 */
export function openOutcomes(location: string): OutcomeStore {
  if (/^postgres(?:ql)?:\/\//i.test(location)) {
    return createOutcomes(createPostgresStore({ url: location }));
  }
  if (/\.jsonl?$/i.test(location)) {
    throw new RangeError(
      `outcomes: expected the file of a journal, such as outcomes.db, got ${JSON.stringify(location)}. Record the lines of this one there once.`,
    );
  }
  return createOutcomes(createSqliteStore({ file: location }));
}

/** @throws TypeError for what is not an outcome, naming the field. */
function checkOutcome(outcome: Outcome): Outcome {
  const { data, error } = outcomeSchema.safeParse(outcome);
  if (data !== undefined) return data;
  const [issue] = error?.issues ?? [];
  throw new TypeError(`outcome: ${issue?.path.join(".")}: ${issue?.message}.`);
}

function readOutcome(body: string): readonly Outcome[] {
  const { data } = outcomeSchema.safeParse(JSON.parse(body));
  return data === undefined ? [] : [data]; // another version wrote it
}
