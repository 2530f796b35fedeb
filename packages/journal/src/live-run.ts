import { createHash } from "node:crypto";
import type {
  AIClient,
  DecisionRecord,
  HopStart,
  JournaledHop,
  JournaledRun,
  RecordedAnswer,
  Response,
  RunEnding,
  RunJournal,
  RunThread,
  Waiting,
  WaitRequest,
} from "@constellation/core";
import { MeshError } from "@constellation/core";
import { carriesClaims, decisionOf } from "@constellation/core/checks";
import { ContentKeys } from "./content-keys.js";
import {
  type AskedBody,
  entryVersion,
  type ForkBody,
  formatForkKey,
  type HopBody,
  readBody,
  type ThreadBody,
  threadKey,
} from "./entries.js";
import { cannotRecord, ownedByAnother } from "./journal-errors.js";
import { RecordedWork, unknownOutcomeRequest } from "./recorded-work.js";
import { waitNames } from "./redact-body.js";
import type { JournalSettings } from "./settings.js";
import type { Spending } from "./spending.js";
import type { StoredEntry, StoredWait, WriteOutcome } from "./store.js";
import type { StoredThreads } from "./threads.js";
import type { Writer } from "./writer.js";

/** A run, with its earlier entries. */
export interface LiveRunStart {
  readonly id: string;
  readonly epoch: number;
  /** Id of the user on whose behalf it is. */
  readonly user: string | undefined;
  /** Milliseconds for which it has worked in earlier processes. */
  readonly activeMs: number;
  readonly entries: readonly StoredEntry[];
  readonly waits: readonly StoredWait[];
  readonly stop: JournaledRun["stop"];
  /** As it was asked. */
  readonly query: string;
  /** Id of the thread it is asked in. */
  readonly thread: string | undefined;
  /** Settles once a new run is in the store. */
  readonly created?: Promise<WriteOutcome> | undefined;
}

/** What all runs of a journal share. */
export interface SharedState {
  readonly threads: StoredThreads;
  readonly spending: Spending;
}

/** The journal of a run that this process works on. */
export class LiveRun implements RunJournal {
  readonly refusal: MeshError | undefined;
  readonly thread: Promise<RunThread> | undefined;
  readonly #shared: SharedState;
  /** Ids of the librarians that answered, in the order they did. */
  readonly #answering = new Set<string>();
  readonly #run: LiveRunStart;
  readonly #writer: Writer;
  readonly #settings: JournalSettings;
  readonly #ended: (run: LiveRun, isWaiting: boolean) => void;
  readonly #keys: ContentKeys;
  readonly #recorded = new Map<string, string>();
  readonly #waits = new Map<string, StoredWait>();
  readonly #work = new RecordedWork({
    keyOf: (hop, kind, content) => this.#keys.below(hop, kind, content),
    hasIntent: (key) => this.#recorded.has(`intent ${key}`),
    readOutcome: (key) => this.#readRecorded("outcome", key),
    add: ({ phase, key, kind, body, small }) =>
      this.#write(phase, key, kind, body, small).then(() => true),
    unknownOutcome: (hop, key, what) => this.#unknownOutcome(hop, key, what),
    idempotencyKey: (key) => this.#idempotencyKey(key),
  });
  readonly #starts = new WeakMap<JournaledHop, { readonly order: number; readonly turn: number }>();
  readonly #decisions = new WeakMap<JournaledHop, readonly DecisionRecord[]>();
  /** Keys of the intents of writes that are called in this process. */
  readonly #attempts = new WeakMap<JournaledHop, string>();
  /** Number of hops that have begun, and of those that have ended, so far; after a recovery it continues above what is recorded. */
  #order: number;
  #length = 0;
  #failure: MeshError | undefined;

  /** @param ended - Called once it is over in this process. */
  constructor(
    run: LiveRunStart,
    writer: Writer,
    settings: JournalSettings,
    shared: SharedState,
    ended: (run: LiveRun, isWaiting: boolean) => void,
  ) {
    this.#run = run;
    this.#shared = shared;
    this.#writer = writer;
    this.#settings = settings;
    this.#ended = ended;
    this.#keys = new ContentKeys(settings.writeBody);
    this.refusal = writer.failure === undefined ? undefined : cannotRecord(writer.failure);
    for (const { phase, key, body } of run.entries) {
      this.#recorded.set(`${phase} ${key}`, body);
      this.#length += body.length;
    }
    this.#order = run.entries.length * 2;
    for (const wait of run.waits) this.#waits.set(wait.id, wait);
    this.thread = run.thread === undefined ? undefined : this.#enterThread(run.thread);
  }

  /** With the thread as it was when the run began. */
  async #enterThread(id: string): Promise<RunThread> {
    const recorded = this.#readRecorded<ThreadBody>("outcome", threadKey);
    if (recorded !== undefined) return recorded.thread;
    try {
      const { id: runId, query, user } = this.#run;
      const thread = await this.#shared.threads.begin(id, { runId, query, user });
      await this.#write("outcome", threadKey, "thread", { v: entryVersion, thread });
      return thread;
    } catch (thrown) {
      if (thrown instanceof MeshError) throw thrown;
      throw cannotRecord(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
  }

  get id(): string {
    return this.#run.id;
  }

  /** Ends its work in this process. */
  stop(error: MeshError): void {
    this.#run.stop(error);
  }

  async begun(): Promise<void> {
    await this.#run.created;
  }

  askedAs(hop: JournaledHop): string | undefined {
    if (this.#recorded.size === 0) return undefined;
    return this.#readRecorded<ForkBody>("outcome", formatForkKey(this.#keys.ofHop(hop)))?.query;
  }

  start(hop: JournaledHop): HopStart | undefined {
    const key = this.#keys.ofHop(hop);
    this.#starts.set(hop, { order: ++this.#order, turn: currentTurn() });
    const { effects, idempotent, version } = hop.registration?.info ?? {};
    const isWrite = effects === "write";
    const outcome = this.#readRecorded<HopBody>("outcome", key);
    if (outcome?.response !== undefined && outcome.stopped !== "cancelled") {
      const { response, isClaim = false } = outcome;
      if (isWrite || outcome.version === version) {
        this.#noteAnswer(hop, response);
        return { response, isClaim };
      }
    }
    if (!isWrite) return undefined;
    // Each call has an intent of its own: it may have waited, or someone had it repeated.
    for (let attempt = key, number = 2; ; attempt = `${key} attempt ${number++}`) {
      if (!this.#recorded.has(`intent ${attempt}`)) {
        this.#attempts.set(hop, attempt);
        return { intent: this.#write("intent", attempt, "hop", { v: entryVersion }) };
      }
      if (idempotent === true) return undefined;
      if (this.#recorded.has(`outcome ${attempt} waited`)) continue;
      const known = this.#unknownOutcome(hop, attempt, `${hop.to}: ${hop.query}`);
      if ("waiting" in known) return known;
      if (known.answer.outcome === "repeat") continue;
      // It is checked like any response of a librarian.
      return { response: known.answer.value as Response, isClaim: true };
    }
  }

  waited(hop: JournaledHop): void {
    const attempt = this.#attempts.get(hop);
    if (attempt === undefined) return;
    void this.#write("outcome", `${attempt} waited`, "wait", { v: entryVersion }).catch(noop);
  }

  ended(hop: JournaledHop, response: Response, stopped: MeshError | undefined): void {
    this.#noteAnswer(hop, response);
    const { version } = hop.registration?.info ?? {};
    const decisions = this.#decisions.get(hop);
    const body: HopBody = {
      v: entryVersion,
      ...(version !== undefined && { version }),
      // A function cannot be kept, and without it another response would be merged.
      ...(typeof response.merge !== "function" && { response }),
      asked: this.#askedBody(hop),
      ...(decisions !== undefined && { decisions }),
      ...(carriesClaims(response.metadata) && { isClaim: true }),
      ...(stopped !== undefined && {
        stopped: stopped.reason === "deadline" ? "deadline" : "cancelled",
      }),
    };
    const without: HopBody = { v: entryVersion };
    void this.#write("outcome", this.#keys.ofHop(hop), "hop", body, without).catch(noop);
  }

  #noteAnswer({ to }: JournaledHop, { answer, delegate }: Response): void {
    if (answer !== undefined && delegate === undefined) this.#answering.add(to);
  }

  #askedBody(hop: JournaledHop): AskedBody {
    const { parent, to, via, query, metadata, merge } = hop;
    const start = this.#starts.get(hop);
    const started = start?.order ?? ++this.#order; // one that was refused
    const isAtOnce = start?.turn === currentTurn();
    const place = { started, ended: ++this.#order, to, via, ...(isAtOnce && { isAtOnce }) };
    if (parent === undefined || via !== "ask") return place;
    return {
      ...place,
      parent: this.#keys.ofHop(parent),
      query,
      ...(metadata !== parent.metadata && { metadata: added(metadata, parent.metadata) }),
      ...(merge !== undefined && typeof merge !== "function" && { merge }),
    };
  }

  modelOf(hop: JournaledHop, ai: AIClient): AIClient {
    const { user, thread } = this.#run;
    return this.#work.modelOf(hop, this.#shared.spending.within(ai, { user, thread }));
  }

  step(...step: Parameters<RunJournal["step"]>): ReturnType<RunJournal["step"]> {
    return this.#work.step(...step);
  }

  wait(
    hop: JournaledHop,
    request: WaitRequest,
  ): { readonly answer: RecordedAnswer } | { readonly waiting: Waiting } {
    const { kind, what, data } = request;
    const found = this.#openWait(hop, this.#keys.below(hop, "wait", [kind, what, data]), request);
    if ("answer" in found) {
      const decisions = this.#decisions.get(hop) ?? [];
      this.#decisions.set(hop, [...decisions, decisionOf(request, found.answer)]);
    }
    return found;
  }

  idempotencyKeyOf(hop: JournaledHop): string {
    return this.#idempotencyKey(this.#keys.ofHop(hop));
  }

  untilIdle(hop: JournaledHop): Promise<void> | undefined {
    return this.#work.untilIdle(hop);
  }

  async end({ response, waiting, isInterrupted, activeMs }: RunEnding): Promise<Response> {
    const { id, epoch } = this.#run;
    const stopped = waiting.length > 0 ? "waiting" : "ended";
    let outcome: WriteOutcome | Error;
    if (this.#run.thread !== undefined && !isInterrupted) {
      const librarians = [...this.#answering];
      await this.#shared.threads.end(this.#run.thread, id, response, librarians).catch(noop);
    }
    try {
      outcome = await this.#writer.write({
        ...{ type: "release-run", runId: id, epoch, at: Date.now() },
        status: isInterrupted ? "running" : stopped,
        activeMs: this.#run.activeMs + activeMs,
        outcome: isInterrupted ? undefined : this.#text(response, this.#settings.maxEntryLength),
      });
    } catch (thrown) {
      outcome = thrown instanceof Error ? thrown : new Error(String(thrown));
    }
    this.#ended(this, stopped === "waiting");
    if (outcome === "applied") return response;
    this.#failure ??= outcome instanceof Error ? cannotRecord(outcome) : ownedByAnother();
    // The answer is returned anyway, but a run that waits could not continue.
    if (waiting.length === 0 && response.answer !== undefined) return response;
    return waiting.length === 0 ? response : { error: this.#failure.toInfo() };
  }

  #unknownOutcome(hop: JournaledHop, key: string, what: string) {
    return this.#openWait(hop, `${key} unknown`, unknownOutcomeRequest(what));
  }

  #openWait(
    hop: JournaledHop,
    key: string,
    request: WaitRequest,
  ): { readonly answer: RecordedAnswer } | { readonly waiting: Waiting } {
    const { id: runId, epoch, user } = this.#run;
    const id = createHash("sha256").update(`${runId} ${key}`).digest("hex").slice(0, 16);
    const known = this.#waits.get(id);
    if (known?.answer !== undefined) {
      return { answer: JSON.parse(known.answer) as RecordedAnswer }; // written by `resume`
    }
    if (known !== undefined) return { waiting: JSON.parse(known.body) as Waiting }; // written below
    const waiting: Waiting = {
      ...{ id, runId, librarian: hop.to },
      ...request,
      ...(user !== undefined && { requestedBy: user }),
    };
    const at = Date.now();
    const { expiresAt } = request;
    const { maxEntryLength } = this.#settings;
    // Data that is too large to keep is dropped, also for the person who decides.
    const { data: _, ...withoutData } = waiting;
    const body =
      this.#text(waiting, maxEntryLength, waitNames) ??
      this.#settings.writeBody(withoutData, waitNames);
    this.#writer.add({ type: "open-wait", runId, id, epoch, at, expiresAt, body }, (outcome) =>
      this.#written(outcome),
    );
    return { waiting };
  }

  #idempotencyKey(key: string): string {
    return createHash("sha256").update(`${this.#run.id} ${key}`).digest("base64url").slice(0, 32);
  }

  #readRecorded<Body extends { readonly v: number }>(
    phase: StoredEntry["phase"],
    key: string,
  ): Body | undefined {
    const body = this.#recorded.size === 0 ? undefined : this.#recorded.get(`${phase} ${key}`);
    return body === undefined ? undefined : readBody<Body>(body);
  }

  /**
   * @param small - Kept in its place where it is too large.
   * @returns Resolves once it is on disk; rejects with a MeshError where it is not.
   */
  #write(
    phase: StoredEntry["phase"],
    key: string,
    kind: string,
    body: object,
    small?: object,
  ): Promise<void> {
    const { maxEntryLength, maxRunLength } = this.#settings;
    const { id: runId, epoch } = this.#run;
    const whole = this.#text(body, Math.min(maxEntryLength, maxRunLength - this.#length));
    if (whole === undefined && small === undefined) return Promise.resolve();
    const text = whole ?? JSON.stringify(small);
    this.#length += text.length;
    const at = Date.now();
    return new Promise((resolve, reject) => {
      this.#writer.add(
        { type: "append", runId, key, phase, kind, epoch, at, body: text },
        (outcome) => {
          const failure = this.#written(outcome);
          if (failure === undefined) resolve();
          else reject(failure);
        },
      );
    });
  }

  /** @returns Why it was not written. */
  #written(outcome: WriteOutcome | Error): MeshError | undefined {
    if (outcome === "applied" || outcome === "duplicate") return undefined;
    this.#failure ??= outcome instanceof Error ? cannotRecord(outcome) : ownedByAnother();
    if (outcome === "refused") this.#run.stop(this.#failure);
    return this.#failure;
  }

  /** JSON without secrets. @returns `undefined` where it is too long, or an object of the application cannot be read. */
  #text(value: object, maxLength: number, kept: readonly string[] = []): string | undefined {
    try {
      const isTooLong = JSON.stringify(value).length > maxLength;
      return isTooLong ? undefined : this.#settings.writeBody(value, kept);
    } catch {
      return undefined;
    }
  }
}

let turn = 0;
let isTurning = false;

/** Number of the turn of the event loop. */
function currentTurn(): number {
  if (!isTurning) {
    isTurning = true;
    setImmediate(() => {
      turn++;
      isTurning = false;
    });
  }
  return turn;
}

/** Metadata that `context.ask` added: values of the parent itself are left out. */
function added(
  metadata: JournaledHop["metadata"] = {},
  above: JournaledHop["metadata"] = {},
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(metadata).filter(([key, value]) => value !== above[key]),
  );
}

function noop(): void {
  // A failure to write stops the run, and shows when it ends.
}
