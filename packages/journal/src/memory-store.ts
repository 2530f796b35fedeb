import type {
  JournalStore,
  JournalWrite,
  StoredDocument,
  StoredEntry,
  StoredRun,
  StoredWait,
  WriteOutcome,
} from "./store.js";

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

interface RunInMemory {
  readonly run: Mutable<StoredRun>;
  readonly entries: Map<string, StoredEntry>;
  readonly waits: Map<string, Mutable<StoredWait>>;
  /** A wait was answered since its last owner claimed it. */
  isAnswered: boolean;
}

/** Options of {@link createMemoryStore}. */
export interface MemoryStoreOptions {
  /**
   * Maximum number of ended runs, and of documents of a collection; the oldest go first. Integer, 1 or more.
   *
   * @default 1_000
   */
  readonly maxKept?: number | undefined;
}

/**
 * A store that ends with its process: for tests, and for approvals that need not survive a restart.
 *
 * @throws RangeError for a wrong `maxKept`.
 */
export function createMemoryStore({ maxKept = 1_000 }: MemoryStoreOptions = {}): JournalStore {
  if (!Number.isInteger(maxKept) || maxKept < 1) {
    throw new RangeError(`maxKept: expected an integer of 1 or more, got ${String(maxKept)}.`);
  }
  const runs = new Map<string, RunInMemory>();
  const owners = new Map<string, number>();
  const collections = new Map<string, Map<string, StoredDocument>>();

  function apply(write: JournalWrite): WriteOutcome {
    switch (write.type) {
      case "create-run": {
        const { runId: id, user, owner, at, request } = write;
        if (runs.has(id)) return "duplicate";
        const run: StoredRun = {
          ...{ id, user, owner, request, status: "running", epoch: 1, losses: 0 },
          ...{ createdAt: at, updatedAt: at, activeMs: 0, outcome: undefined },
        };
        runs.set(id, { run, entries: new Map(), waits: new Map(), isAnswered: false });
        return "applied";
      }
      case "create-document":
      case "put-document": {
        const { type, ...document } = write;
        const documents = collections.get(write.collection) ?? new Map<string, StoredDocument>();
        if (type === "create-document" && documents.has(write.id)) return "duplicate";
        collections.set(write.collection, documents);
        documents.delete(write.id);
        documents.set(write.id, document);
        const [oldest] = documents.keys();
        if (documents.size > maxKept && oldest !== undefined) {
          documents.delete(oldest);
          collections.delete(`${write.collection}/${oldest}`);
        }
        return "applied";
      }
      case "renew-owner":
        owners.set(write.owner, write.leaseUntil);
        return "applied";
      default:
        return applyToRun(write);
    }
  }

  function applyToRun(write: Extract<JournalWrite, { runId: string }>): WriteOutcome {
    const found = runs.get(write.runId);
    if (found === undefined || write.type === "create-run") return "refused";
    const { run, entries, waits } = found;
    if (write.type === "answer-wait") {
      const wait = waits.get(write.id);
      if (wait === undefined || run.status === "ended") return "refused";
      if (wait.answer !== undefined) return "duplicate";
      wait.answer = write.body;
      found.isAnswered = true;
      return "applied";
    }
    if (write.epoch !== run.epoch) return "refused";
    switch (write.type) {
      case "append": {
        const { type: _, runId: _run, ...entry } = write;
        const key = `${entry.phase} ${entry.key}`;
        if (entries.has(key)) return "duplicate";
        entries.set(key, entry);
        return "applied";
      }
      case "open-wait": {
        const { runId, id, at, expiresAt, body } = write;
        if (waits.has(id)) return "duplicate";
        const wait = { runId, id, user: run.user, openedAt: at, expiresAt, body };
        waits.set(id, { ...wait, answer: undefined });
        return "applied";
      }
      case "release-run": {
        const { status, at, activeMs, outcome } = write;
        const losses = status === "waiting" ? 0 : run.losses;
        Object.assign(run, { status, updatedAt: at, activeMs, losses, owner: "" });
        if (outcome !== undefined) run.outcome = outcome;
        if (status === "ended") forgetOldest();
        return "applied";
      }
    }
  }

  function forgetOldest(): void {
    const ended = [...runs.values()].filter(({ run }) => run.status === "ended");
    for (const { run } of ended.slice(0, -maxKept)) runs.delete(run.id);
  }

  function isFree({ run, isAnswered }: RunInMemory, now: number): boolean {
    if (run.status === "waiting") return isAnswered;
    return run.status === "running" && (owners.get(run.owner) ?? 0) < now;
  }

  return {
    open: async () => undefined,
    write: async (writes) => writes.map(apply),
    async readRun(runId) {
      const found = runs.get(runId);
      return found === undefined ? undefined : { ...found.run };
    },
    readEntries: async (runId, skip = 0) =>
      [...(runs.get(runId)?.entries.values() ?? [])].slice(skip),
    readDocument: async (collection, id) => collections.get(collection)?.get(id),
    async listRuns({ user, status, before = Infinity, limit }) {
      const all = [...runs.values()].map(({ run }) => ({ ...run }));
      return all
        .filter((run) => user === undefined || run.user === user)
        .filter((run) => status === undefined || run.status === status)
        .filter((run) => run.createdAt < before)
        .reverse()
        .sort((one, other) => other.createdAt - one.createdAt)
        .slice(0, limit);
    },
    async listWaits({ runId, isOpen, expiresBy, limit }) {
      return [...runs.values()]
        .filter(({ run }) => run.status !== "ended" && (runId === undefined || run.id === runId))
        .flatMap(({ waits }) => [...waits.values()].map((wait) => ({ ...wait })))
        .filter((wait) => isOpen !== true || wait.answer === undefined)
        .filter((wait) => expiresBy === undefined || (wait.expiresAt ?? Infinity) <= expiresBy)
        .sort((one, other) => one.openedAt - other.openedAt)
        .slice(0, limit);
    },
    async listDocuments({ collection, user, before = Infinity, limit }) {
      return [...(collections.get(collection)?.values() ?? [])]
        .filter((each) => (user === undefined || each.user === user) && each.at < before)
        .reverse()
        .sort((one, other) => other.at - one.at)
        .slice(0, limit);
    },
    async claim({ owner, now, leaseUntil, runId, limit }) {
      owners.set(owner, leaseUntil);
      const free = [...runs.values()]
        .filter(({ run }) => runId === undefined || run.id === runId)
        .filter((each) => isFree(each, now))
        .slice(0, limit);
      return free.map((found) => {
        const { run } = found;
        const losses = run.status === "running" && run.owner !== "" ? run.losses + 1 : run.losses;
        Object.assign(run, { owner, losses, epoch: run.epoch + 1, status: "running" });
        run.updatedAt = now;
        found.isAnswered = false;
        return { ...run };
      });
    },
    async delete({ runId, user, before, collection, documentId, limit }) {
      let deleted = 0;
      if (collection === undefined && documentId === undefined) {
        for (const { run } of [...runs.values()]) {
          if (deleted === limit) break;
          if (runId !== undefined && run.id !== runId) continue;
          if (user !== undefined && run.user !== user) continue;
          if (before !== undefined && !(run.status === "ended" && run.updatedAt < before)) continue;
          runs.delete(run.id);
          deleted++;
        }
      }
      if (runId !== undefined) return deleted;
      let left = limit;
      for (const [name, documents] of collections) {
        if (collection !== undefined && name !== collection) continue;
        for (const each of [...documents.values()]) {
          if (left === 0) break;
          if (documentId !== undefined && each.id !== documentId) continue;
          if (user !== undefined && each.user !== user) continue;
          if (before !== undefined && each.at >= before) continue;
          documents.delete(each.id);
          left--;
        }
        if (documents.size === 0) collections.delete(name);
      }
      return deleted + limit - left;
    },
    close: async () => undefined,
  };
}
