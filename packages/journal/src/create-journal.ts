import { randomUUID } from "node:crypto";
import type {
  ContinuedRun,
  JournaledRun,
  JournalHost,
  MeshError,
  Response,
  RunJournal,
  Waiting,
} from "@constellation/core";
import { mayAnswer } from "@constellation/core/checks";
import { checkAnswer, readAnswer } from "./answers.js";
import { forkRun } from "./fork.js";
import type { ForkOptions, Journal, WaitingFilter } from "./journal.js";
import {
  cancelled,
  cannotContinue,
  cannotFollow,
  lostTooOften,
  nothingWaits,
  unknownRun,
} from "./journal-errors.js";
import { pickThread, plainRequest, readRequest } from "./journaled-request.js";
import { LiveRun, type LiveRunStart } from "./live-run.js";
import type { SavedRun } from "./replay.js";
import { type JournalOptions, type JournalSettings, readSettings } from "./settings.js";
import { Spending } from "./spending.js";
import type { JournalStore, RunFilter, StoredRun } from "./store.js";
import { StoredThreads } from "./threads.js";
import { Writer } from "./writer.js";

/** Collection of the ids of runs that another process is to stop. */
const cancellations = "cancellations";

/** Size of one batch of a deletion. */
const deleteBatch = 500;

/** Time between two deletions of old data, in milliseconds. */
const cleanupMs = 3_600_000;

/** Time between two polls of a run that another process continues, in milliseconds. */
const pollMs = 250;

/**
 * Creates a journal, for one router.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createJournal(options: JournalOptions): Journal {
  return new RunsJournal(readSettings(options));
}

class RunsJournal implements Journal {
  readonly store: JournalStore;
  readonly threads: StoredThreads;
  readonly spending: Spending;
  lost: string | undefined;
  readonly #settings: JournalSettings;
  readonly #writer: Writer;
  readonly #owner = randomUUID();
  readonly #live = new Map<string, LiveRun>();
  #host: JournalHost | undefined;
  #opening: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> | undefined;
  #recovering = 0;
  #cleanedAt = 0;
  #isClosed = false;

  constructor(settings: JournalSettings) {
    this.store = settings.store;
    this.#settings = settings;
    this.#writer = new Writer(this.store, () => this.#open());
    const { threads, writeBody } = settings;
    const opened = () => this.#open();
    this.threads = new StoredThreads(this.store, opened, writeBody, threads);
    this.spending = new Spending(this.store, opened, this.#writer, this.#owner, settings.budgets);
  }

  join(host: JournalHost): void {
    if (this.#host !== undefined) throw new TypeError("journal: it belongs to another router.");
    this.#host = host;
  }

  async open(): Promise<void> {
    await this.#open();
    await this.#sweep();
  }

  #open(): Promise<void> {
    this.#opening ??= this.#openOnce().catch((thrown: unknown) => {
      this.#opening = undefined; // the next write tries again
      throw thrown;
    });
    return this.#opening;
  }

  async #openOnce(): Promise<void> {
    this.lost = await this.store.open();
    if (this.lost !== undefined) warn(this.lost);
    const { leaseMs } = this.#settings;
    await this.store.write([
      { type: "renew-owner", owner: this.#owner, leaseUntil: Date.now() + leaseMs },
    ]);
    if (this.#isClosed) return;
    this.#timer = setInterval(() => this.#tick(), leaseMs / 3);
    this.#timer.unref();
  }

  begin({ id, request, stop }: JournaledRun): RunJournal {
    const user = request.user?.id;
    const created = this.#writer.write({
      ...{ type: "create-run", runId: id, user, owner: this.#owner, at: Date.now() },
      request: this.#settings.writeBody(plainRequest(request), ["user"]),
    });
    created.catch(() => undefined); // the first entry fails too
    const start = { id, epoch: 1, user, activeMs: 0, entries: [], waits: [], stop, created };
    return this.#begin({ ...start, ...pickThread(request) });
  }

  #begin(start: LiveRunStart): LiveRun {
    return this.#track(new LiveRun(start, this.#writer, this.#settings, this, this.#ended));
  }

  #track(run: LiveRun): LiveRun {
    this.#live.set(run.id, run);
    return run;
  }

  readonly #ended = (run: LiveRun, isWaiting: boolean): void => {
    if (this.#live.get(run.id) === run) this.#live.delete(run.id);
    if (isWaiting && !this.#isClosed) void this.#sweep(); // it may have been answered while it still worked
  };

  async resume(runId: string, given: unknown): Promise<ContinuedRun> {
    const answer = checkAnswer(given);
    await this.#open();
    const waits = await this.store.listWaits({ runId, limit: 10_000 });
    const wait = waits.find(({ id }) => id === answer.id);
    if (wait === undefined) throw nothingWaits(answer.id, "Nothing waits for this answer");
    if (wait.answer !== undefined) throw nothingWaits(answer.id, "It was answered already");
    if (wait.expiresAt !== undefined && wait.expiresAt <= Date.now()) {
      throw nothingWaits(answer.id, "It has expired");
    }
    const recorded = readAnswer(JSON.parse(wait.body) as Waiting, answer); // written by a live run
    const body = this.#settings.writeBody(recorded, ["outcome", "by"]);
    const write = { type: "answer-wait", runId, id: answer.id, at: Date.now(), body } as const;
    const outcome = await this.#writer.write(write);
    if (outcome !== "applied") throw nothingWaits(answer.id, "It was answered already");
    const before = await this.store.readRun(runId);
    const [claimed] = await this.#claim(1, runId);
    const continued = claimed === undefined ? undefined : await this.#continue(claimed);
    return continued ?? { id: runId, response: this.#followRun(runId, before?.updatedAt ?? 0) };
  }

  async waiting({ runId, user, limit = 100 }: WaitingFilter = {}): Promise<readonly Waiting[]> {
    await this.#open();
    const open = await this.store.listWaits({ runId, isOpen: true, limit: 10_000 });
    const all = open.map(({ body }) => JSON.parse(body) as Waiting); // written by a live run
    return all.filter((each) => user === undefined || mayAnswer(each, user)).slice(0, limit);
  }

  async runs(filter: Partial<RunFilter> = {}): Promise<readonly StoredRun[]> {
    await this.#open();
    return this.store.listRuns({ limit: 100, ...filter });
  }

  async cancel(runId: string): Promise<"ended" | "running" | undefined> {
    await this.#open();
    const live = this.#live.get(runId);
    if (live !== undefined) {
      live.stop(cancelled());
      return "running";
    }
    for (;;) {
      const run = await this.store.readRun(runId);
      if (run === undefined) return undefined;
      if (run.status === "ended") return "ended";
      if (run.status === "running") {
        const document = { collection: cancellations, id: runId, user: run.user, at: Date.now() };
        await this.#writer.write({ type: "put-document", ...document, body: "{}" });
        return "running";
      }
      // No process owns it: it ends here, unless one claims it meanwhile.
      if (await this.#endWith(run, cancelled())) return "ended";
    }
  }

  /** Stops runs of this process that others have cancelled. */
  async #stopCancelled(): Promise<void> {
    if (this.#live.size === 0) return;
    for (const { id } of await this.store.listDocuments({
      collection: cancellations,
      limit: 1_000,
    })) {
      const live = this.#live.get(id);
      if (live === undefined) continue;
      live.stop(cancelled());
      await this.store.delete({ collection: cancellations, documentId: id, limit: 1 });
    }
  }

  async save(runId: string): Promise<SavedRun> {
    await this.#open();
    const run = await this.store.readRun(runId);
    if (run?.status !== "ended" || run.outcome === undefined) throw unknownRun(runId);
    const entries = await this.store.readEntries(runId);
    return {
      version: 1,
      id: runId,
      request: readRequest(run.request),
      response: JSON.parse(run.outcome) as Response, // written by a live run
      entries: entries.map(({ key, phase, kind, body }) => ({ key, phase, kind, body })),
    };
  }

  async fork(runId: string, at: string, { query }: ForkOptions = {}): Promise<ContinuedRun> {
    await this.#open();
    const run = await this.store.readRun(runId);
    if (run === undefined || this.#host === undefined) throw unknownRun(runId);
    const entries = await this.store.readEntries(runId);
    const { writeBody } = this.#settings;
    const forked = forkRun({ request: run.request, entries }, at, query, writeBody);
    if (forked === undefined) throw unknownRun(`${runId}, hop ${at}`);
    const { request, entries: kept } = forked;
    const id = randomUUID();
    const { user } = run;
    const create = { runId: id, user, owner: this.#owner, at: Date.now(), request };
    this.#writer.add({ type: "create-run", ...create });
    for (const each of kept) this.#writer.add({ type: "append", runId: id, ...each, epoch: 1 });
    const begun = readRequest(request);
    const begin = { id, epoch: 1, user, activeMs: 0, entries: kept, waits: [] };
    const start = { ...begin, ...pickThread(begun) };
    return this.#host.continueRun(id, begun, (stop) => this.#begin({ ...start, stop }));
  }

  async deleteUser(user: string): Promise<number> {
    await this.#open();
    let deleted = 0;
    for (;;) {
      const batch = await this.store.delete({ user, limit: deleteBatch });
      deleted += batch;
      if (batch === 0) return deleted;
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    clearInterval(this.#timer);
    try {
      await this.#sweeping;
      await this.#writer.flushed();
      if (this.#opening === undefined) return;
      await this.#opening;
      // Its runs can be claimed at once.
      await this.store.write([{ type: "renew-owner", owner: this.#owner, leaseUntil: 0 }]);
    } catch (thrown) {
      warn(`The journal was not closed in order: ${String(thrown)}`);
    } finally {
      await this.store.close().catch(() => undefined);
    }
  }

  #tick(): void {
    const leaseUntil = Date.now() + this.#settings.leaseMs;
    this.#writer.add({ type: "renew-owner", owner: this.#owner, leaseUntil });
    void this.#sweep();
  }

  /** Ends waits that have expired, and claims runs without an owner. Never rejects. */
  #sweep(): Promise<void> {
    this.#sweeping ??= this.#sweepOnce()
      .catch((thrown: unknown) => {
        if (!this.#isClosed) warn(`The journal could not be read: ${String(thrown)}`);
      })
      .finally(() => {
        this.#sweeping = undefined;
      });
    return this.#sweeping;
  }

  async #sweepOnce(): Promise<void> {
    if (this.#host === undefined || this.#isClosed) return;
    await this.#open();
    await this.#stopCancelled();
    const now = Date.now();
    const expired = await this.store.listWaits({ isOpen: true, expiresBy: now, limit: 100 });
    for (const { runId, id, expiresAt = now } of expired) {
      const body = JSON.stringify({ outcome: "expired", at: expiresAt });
      await this.#writer.write({ type: "answer-wait", runId, id, at: now, body });
    }
    for (;;) {
      const room = this.#settings.maxRecoveries - this.#recovering;
      if (room < 1 || this.#isClosed) break;
      const claimed = await this.#claim(room);
      for (const run of claimed) await this.#continue(run);
      if (claimed.length < room) break;
    }
    const { maxAgeMs } = this.#settings;
    if (maxAgeMs !== Number.POSITIVE_INFINITY && now - this.#cleanedAt > cleanupMs) {
      this.#cleanedAt = now;
      await this.store.delete({ before: now - maxAgeMs, limit: deleteBatch });
    }
  }

  #claim(limit: number, runId?: string): Promise<readonly StoredRun[]> {
    const now = Date.now();
    const leaseUntil = now + this.#settings.leaseMs;
    return this.store.claim({ owner: this.#owner, now, leaseUntil, runId, limit });
  }

  /** @returns `undefined` where it cannot be continued: it has then ended with an error. */
  async #continue(stored: StoredRun): Promise<ContinuedRun | undefined> {
    const { id, epoch, losses, activeMs } = stored;
    if (losses >= this.#settings.maxLosses) {
      await this.#endWith(stored, lostTooOften(losses));
      return undefined;
    }
    const entries = await this.store.readEntries(id);
    const waits = await this.store.listWaits({ runId: id, limit: 10_000 });
    try {
      const { timeoutMs, ...request } = readRequest(stored.request);
      const left = Math.max(1_000, timeoutMs - activeMs);
      const continued = this.#host?.continueRun(id, { ...request, timeoutMs: left }, (stop) =>
        this.#begin({
          ...{ id, epoch, user: stored.user, activeMs, entries, waits, stop },
          ...pickThread(request),
        }),
      );
      this.#recovering++;
      void continued?.response.then(() => {
        this.#recovering--;
        if (!this.#isClosed) void this.#sweep();
      });
      return continued;
    } catch (thrown) {
      await this.#endWith(stored, cannotContinue(thrown));
      return undefined;
    }
  }

  /** @returns Whether it has ended so: `false` where another process has it. */
  async #endWith({ id, epoch, activeMs }: StoredRun, error: MeshError): Promise<boolean> {
    const outcome = await this.#writer.write({
      ...{ type: "release-run", runId: id, epoch, status: "ended", at: Date.now(), activeMs },
      outcome: JSON.stringify({ error: error.toInfo() } satisfies Response),
    });
    return outcome === "applied";
  }

  /** The response of a run that another process continues. */
  async #followRun(runId: string, since: number): Promise<Response> {
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, pollMs).unref());
      if (this.#isClosed) return { error: cannotFollow(runId).toInfo() };
      try {
        const run = await this.store.readRun(runId);
        if (run === undefined) return { error: cannotFollow(runId).toInfo() };
        if (run.status === "running" || run.updatedAt <= since || run.outcome === undefined) {
          continue;
        }
        return JSON.parse(run.outcome) as Response; // written by a live run
      } catch {
        // The store is temporarily unavailable.
      }
    }
  }
}

function warn(message: string): void {
  process.emitWarning(message, { type: "ConstellationWarning" });
}
