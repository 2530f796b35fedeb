import { setImmediate as nextTurn } from "node:timers/promises";
import type {
  HopContext,
  HopStart,
  JournaledHop,
  JournaledRequest,
  Response,
  Router,
  Run,
  RunEnding,
  RunJournal,
  RunThread,
} from "@constellation/core";
import { journalHostOf, MeshError } from "@constellation/core";
import { ContentKeys } from "./content-keys.js";
import {
  type AskedBody,
  type ForkBody,
  formatForkKey,
  type HopBody,
  readBody,
  type ThreadBody,
} from "./entries.js";
import type { StoredEntry } from "./store.js";

/** A run that has ended, with the result of each hop. Plain data, for a file. */
export interface SavedRun {
  readonly version: 1;
  readonly id: string;
  readonly request: JournaledRequest;
  readonly response: Response;
  readonly entries: readonly Pick<StoredEntry, "key" | "phase" | "kind" | "body">[];
}

/** Maximum time without a hop in a replay, in milliseconds. After that the replay differs from the recording. */
const maxStallMs = 5_000;

/**
 * Runs a saved run again in a mesh, without a call of a librarian or a model: each hop gets its recorded result, in
 * the recorded order, and the router does the rest.
 *
 * @param router - With librarians of the same ids, which are not called.
 * @returns The run; its response and its events are those of the saved one, apart from times, progress and calls of
 *   models. A hop that was not recorded ends with `SERVICE_UNAVAILABLE`, reason `journal-failed`.
 * @throws TypeError for what is not a saved run, or not a router.
 */
export function replayRun(router: Router, saved: SavedRun): Run {
  if (saved.version !== 1 || !Array.isArray(saved.entries)) {
    throw new TypeError("saved: expected what journal.save has returned.");
  }
  const host = journalHostOf(router);
  const request = { ...saved.request, timeoutMs: Number.POSITIVE_INFINITY };
  return host.continueRun(saved.id, request, (stop) => new ReplayedRun(saved, stop));
}

/** A moment of the recorded run: a hop began or ended. */
interface RecordedMoment {
  readonly order: number;
  readonly key: string;
  readonly body: HopBody;
  readonly kind: "start" | "end";
}

/** A hop that has started in the replay. */
interface StartedHop {
  readonly hop: JournaledHop;
  readonly context: HopContext;
  readonly resolve: (response: Response) => void;
}

class ReplayedRun implements RunJournal {
  readonly refusal = undefined;
  readonly isReplay = true;
  readonly thread: Promise<RunThread> | undefined;
  readonly #keys = new ContentKeys((value) => JSON.stringify(value)); // what was recorded has no secrets
  readonly #recorded = new Map<string, HopBody>();
  readonly #forked = new Map<string, string>();
  readonly #started = new Map<string, StartedHop>();
  readonly #ended = new Set<string>();
  readonly #asked = new Set<string>();
  readonly #moments: readonly RecordedMoment[];
  readonly #stop: (error: MeshError) => void;
  /** What ended the run, where that was its deadline: a hop without a record had no time to begin. */
  readonly #deadline: MeshError | undefined;
  #isOver = false;
  #changed = (): void => undefined;

  constructor({ entries, request, response }: SavedRun, stop: (error: MeshError) => void) {
    this.#stop = stop;
    const isOver = response.error?.details?.reason === "deadline";
    this.#deadline = isOver ? deadlineIn(response) : undefined;
    const { body } = entries.find(({ kind }) => kind === "thread") ?? {};
    const entered = body === undefined ? undefined : readBody<ThreadBody>(body)?.thread;
    if (entered !== undefined) this.thread = Promise.resolve(entered);
    else if (request.options.thread !== undefined)
      this.thread = Promise.reject(refusalIn(response));
    this.thread?.catch(() => undefined); // it shows when the run enters it
    const moments: RecordedMoment[] = [];
    for (const { key, phase, kind, body } of entries) {
      const { query } = (kind === "fork" && readBody<ForkBody>(body)) || {};
      if (query !== undefined) this.#forked.set(key, query);
      const read = kind === "hop" && phase === "outcome" ? readBody<HopBody>(body) : undefined;
      const { asked } = read ?? {};
      if (read === undefined || asked === undefined) continue;
      this.#recorded.set(key, read);
      moments.push({ order: asked.ended, key, body: read, kind: "end" });
      moments.push({ order: asked.started, key, body: read, kind: "start" });
    }
    this.#moments = moments.sort((one, other) => one.order - other.order);
    void this.#play();
  }

  async begun(): Promise<void> {
    // It is not recorded.
  }

  async #play(): Promise<void> {
    for (const { key, kind, body } of this.#moments) {
      if (body.stopped === "cancelled" && kind === "end") continue; // it follows from the other hops
      const { asked, response } = body;
      if (kind === "start") {
        if (asked?.parent === undefined || this.#asked.has(key)) continue;
        if (!(await this.#until(() => this.#started.has(asked.parent ?? "")))) return;
        if (!this.#asked.has(key)) this.#askAgain(key, asked);
      } else {
        const isThere = () => this.#started.has(key) || this.#ended.has(key);
        if (!(await this.#until(isThere))) return;
        if (!this.#ended.has(key)) {
          if (body.stopped === "deadline") this.#started.get(key)?.hop.stop(deadlineIn(response));
          else this.#finish(key, body);
          if (!(await this.#until(() => this.#ended.has(key)))) return;
        }
      }
      await nextTurn(); // what follows from it happens before the next
    }
    if (!this.#isOver) {
      await this.#until(() => this.#isOver);
    }
  }

  /** @returns Whether it happened; otherwise the run is over, or was stopped because the mesh differs. */
  async #until(isTrue: () => boolean): Promise<boolean> {
    while (!isTrue() && !this.#isOver) {
      let timer: NodeJS.Timeout | undefined;
      const isStalled = await new Promise<boolean>((resolve) => {
        this.#changed = () => resolve(false);
        timer = setTimeout(() => resolve(true), maxStallMs);
      });
      clearTimeout(timer);
      if (isStalled) {
        this.#stop(stoppedReplay());
        return false;
      }
    }
    return isTrue();
  }

  askedAs(hop: JournaledHop): string | undefined {
    return this.#forked.get(formatForkKey(this.#keys.ofHop(hop)));
  }

  start(hop: JournaledHop): HopStart | undefined {
    const key = this.#keys.ofHop(hop);
    const body = this.#recorded.get(key);
    if (body === undefined) return this.#startUnrecorded(key, hop);
    return {
      instead: (_query, context) =>
        new Promise((resolve) => {
          this.#started.set(key, { hop, context, resolve });
          this.#askAtOnce(key);
          if (body.asked?.isAtOnce === true && body.stopped === undefined) this.#finish(key, body);
          this.#changed();
        }),
    };
  }

  #startUnrecorded(key: string, hop: JournaledHop): HopStart {
    const deadline = this.#deadline;
    if (deadline === undefined) {
      return { response: { error: notRecorded(key).toInfo() }, isClaim: true };
    }
    return {
      instead: (_query, context) =>
        new Promise((resolve) => {
          this.#started.set(key, { hop, context, resolve });
          void nextTurn().then(() => hop.stop(deadline));
        }),
    };
  }

  #finish(key: string, { response, decisions = [] }: HopBody): void {
    const started = this.#started.get(key);
    for (const decision of decisions) started?.hop.decided(decision);
    started?.resolve(response ?? { error: notRecorded(key).toInfo() });
  }

  /** Calls that a librarian made in its first turn, before anything else began or ended. */
  #askAtOnce(key: string): void {
    const own = this.#recorded.get(key)?.asked?.started ?? Number.POSITIVE_INFINITY;
    for (const { order, kind, key: below, body } of this.#moments) {
      if (order <= own) continue;
      if (kind === "end" || !below.startsWith(`${key}/`)) return;
      if (body.asked?.parent === key) this.#askAgain(below, body.asked);
    }
  }

  /** Its own response is recorded, so it does not matter what comes back. */
  #askAgain(key: string, { parent = "", query = "", to, metadata, merge }: AskedBody): void {
    this.#asked.add(key);
    const options = {
      to,
      ...(metadata !== undefined && { context: metadata }),
      ...(merge !== undefined && { merge }),
    };
    this.#started
      .get(parent)
      ?.context.ask(query, options)
      .catch(() => undefined);
  }

  ended(hop: JournaledHop, response: Response): void {
    const key = this.#keys.ofHop(hop);
    this.#ended.add(key);
    this.#started.get(key)?.resolve(response); // one that was stopped settles at once
    this.#changed();
  }

  modelOf(_hop: JournaledHop): ReturnType<RunJournal["modelOf"]> {
    const refuse = () => Promise.reject(notRecorded("a call of a model"));
    return { complete: refuse, analyze: refuse, runTools: refuse };
  }

  step(): ReturnType<RunJournal["step"]> {
    return Promise.reject(notRecorded("a step"));
  }

  wait(): ReturnType<RunJournal["wait"]> {
    throw notRecorded("a wait");
  }

  idempotencyKeyOf(hop: JournaledHop): string {
    return this.#keys.ofHop(hop);
  }

  untilIdle(): undefined {
    return undefined;
  }

  async end({ response }: RunEnding): Promise<Response> {
    this.#isOver = true;
    this.#changed();
    return response;
  }
}

/** Why a run was not asked in its thread. */
function refusalIn({ error }: Response): MeshError {
  const { code = "NOT_FOUND", message = "The thread was not found.", details } = error ?? {};
  return new MeshError(code, message, { details, suggestion: error?.suggestion });
}

/** What stopped a hop whose time was up. */
function deadlineIn({ error }: Partial<Response> = {}): MeshError {
  const message = error?.message ?? "There was no answer in time.";
  return new MeshError("TIMEOUT", message, { reason: "deadline" });
}

function notRecorded(what: string): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", `The saved run has no record of ${what}.`, {
    reason: "journal-failed",
    suggestion: "Save the run again: the mesh asks for something else than it did.",
  });
}

function stoppedReplay(): MeshError {
  return new MeshError("SERVICE_UNAVAILABLE", "The mesh does not do what the saved run did.", {
    reason: "journal-failed",
    suggestion: "Save the run again: the mesh asks for something else than it did.",
  });
}
