import { createHash, randomUUID } from "node:crypto";
import type {
  AIClient,
  HopContext,
  HopStart,
  JournaledHop,
  RecordedAnswer,
  Response,
  RunEnding,
  RunJournal,
  RunThread,
  Waiting,
  WaitRequest,
} from "@constellation/core";
import { MeshError } from "@constellation/core";
import {
  ContentKeys,
  RecordedWork,
  unknownOutcomeRequest,
  type WorkLine,
} from "@constellation/journal";
import { decodeReply } from "@constellation/transport/envelope";
import type { RestateClient } from "./client.js";
import { type Answers, type RecordedLine, waitingIn } from "./messages.js";

/** The part of a run that a process works on. */
export interface RestatePlace {
  readonly runId: string;
  /** Key of the hop that this process was called for; `undefined`: the run as a whole, which calls no librarian itself. */
  readonly key: string | undefined;
  /** Id of the user of the run. */
  readonly requestedBy: string | undefined;
  readonly answers: Answers;
  /** Records of the hop from processes that have ended. */
  readonly recorded: readonly RecordedLine[];
  /** The thread of the run as a whole. */
  readonly thread?: RunThread | undefined;
}

/**
 * The journal of a part of a run: its first hop, where it was called for one, is called here, and every other hop is an
 * invocation of its own.
 */
export class RestateRun implements RunJournal {
  readonly refusal = undefined;
  readonly thread: Promise<RunThread> | undefined;
  readonly #place: RestatePlace;
  readonly #client: RestateClient;
  readonly #keys = new ContentKeys((value) => JSON.stringify(value));
  readonly #recorded = new Map<string, string>();
  /** Waits of hops below, by the hop that called them. */
  readonly #below = new Map<JournaledHop, readonly Waiting[]>();
  readonly #work = new RecordedWork({
    keyOf: (hop, kind, content) => this.#keyBelow(hop, kind, content),
    hasIntent: (key) => this.#recorded.has(`intent ${key}`),
    readOutcome: (key) => this.#readOutcome(key),
    add: (line) => this.#add(line),
    unknownOutcome: (hop, key, what) => this.unknownOutcome(key, hop.to, what),
    idempotencyKey: (key) => digest(`${this.#place.runId} ${key}`),
  });
  /** Settles when the lines that were added so far are recorded. */
  #added: Promise<unknown> = Promise.resolve();

  constructor(place: RestatePlace, client: RestateClient) {
    this.#place = place;
    this.#client = client;
    this.thread = place.thread && Promise.resolve(place.thread);
    for (const { phase, key, body } of place.recorded) this.#recorded.set(`${phase} ${key}`, body);
  }

  async begun(): Promise<void> {
    // The run was begun before it came here.
  }

  #keyOf(hop: JournaledHop): string {
    const { key } = this.#place;
    const own = this.#keys.ofHop(hop);
    if (key === undefined) return own;
    return hop.parent === undefined ? key : `${key}/${own}`;
  }

  start(hop: JournaledHop): HopStart | undefined {
    const key = this.#keyOf(hop);
    if (hop.parent === undefined && this.#place.key !== undefined) return undefined;
    return { instead: (query, context) => this.#invoke(hop, key, query, context) };
  }

  /** Each time it waited and has an answer now, it is another invocation; those before have what they returned. */
  async #invoke(
    hop: JournaledHop,
    key: string,
    query: string,
    context: HopContext,
  ): Promise<Response> {
    const { runId, answers } = this.#place;
    const call = context.openRemoteCall?.({});
    if (call === undefined) throw new TypeError("A hop without a router was started.");
    const { path, depth, maxDepth, hopsLeft, budget } = call;
    const { effects, idempotent } = hop.registration?.info ?? {};
    const isOnce = effects === "write" && idempotent !== true;
    const { user, trace, metadata, signal, thread } = context;
    const remainingMs = context.remainingMs();
    const caller = {
      ...{ path: path.slice(0, -1), depth, runId, budget },
      // Only the first librarian of a run gets the completed question of its thread.
      ...(thread !== undefined && { thread: { id: thread.id, turns: thread.turns } }),
      ...(Number.isFinite(maxDepth) && { maxDepth }),
      ...(hopsLeft !== undefined && { hopsLeft: hopsLeft + 1 }), // its own is counted there too
      ...(Number.isFinite(remainingMs) && { remainingMs: Math.max(1, Math.floor(remainingMs)) }),
    };
    const asked = { runId, key, to: hop.to, query, user, metadata, caller, trace, answers };
    for (let turn = 0; ; turn++) {
      const message = { ...asked, turn, ...(isOnce && { isOnce }) };
      const reply = await this.#client.callHop(message, digest(`${runId} ${key} ${turn}`), signal);
      const waiting = waitingIn(reply);
      if (waiting.length === 0) {
        // Its own hop is counted here already.
        const { spent } = reply.report ?? {};
        call.end(
          reply.report && { ...reply.report, spent: { ...spent, hops: (spent?.hops ?? 1) - 1 } },
        );
        return decodeReply(reply) ?? { error: unreadable(hop.to).toInfo() };
      }
      if (waiting.some(({ id }) => answers[id] !== undefined)) continue;
      this.#below.set(hop, waiting);
      await Promise.all(waiting.map(({ id }) => context.waitFor(id)));
    }
  }

  ended(): void {
    // Restate keeps what the invocation of a hop returns.
  }

  modelOf(hop: JournaledHop, ai: AIClient): AIClient {
    return this.#work.modelOf(hop, ai);
  }

  step(...step: Parameters<RunJournal["step"]>): ReturnType<RunJournal["step"]> {
    return this.#work.step(...step);
  }

  wait(
    hop: JournaledHop,
    request: WaitRequest,
  ): { readonly answer: RecordedAnswer } | { readonly waiting: Waiting } {
    const { kind, what, data } = request;
    const below = this.#below.get(hop)?.find(({ id }) => id === what);
    if (below !== undefined) return { waiting: below };
    return this.#openWait(this.#keyBelow(hop, "wait", [kind, what, data]), hop.to, request);
  }

  /** A write or a step was begun, and its process has ended. */
  unknownOutcome(key: string, librarian: string, what: string) {
    return this.#openWait(`${key} unknown`, librarian, unknownOutcomeRequest(what));
  }

  #openWait(
    key: string,
    librarian: string,
    request: WaitRequest,
  ): { readonly answer: RecordedAnswer } | { readonly waiting: Waiting } {
    const { runId, answers, requestedBy } = this.#place;
    const id = digest(`${runId} ${key}`).slice(0, 16);
    const answer = answers[id];
    if (answer !== undefined) return { answer };
    const user = requestedBy === undefined ? {} : { requestedBy };
    return { waiting: { ...{ id, runId, librarian }, ...request, ...user } };
  }

  idempotencyKeyOf(hop: JournaledHop): string {
    return digest(`${this.#place.runId} ${this.#keyOf(hop)}`);
  }

  untilIdle(hop: JournaledHop): Promise<void> | undefined {
    return this.#work.untilIdle(hop);
  }

  async end({ response }: RunEnding): Promise<Response> {
    await this.#work.allIdle();
    await this.#added;
    return response;
  }

  #keyBelow(hop: JournaledHop, kind: string, content: unknown): string {
    const own = this.#keys.below(hop, kind, content);
    return this.#place.key === undefined ? own : `${this.#place.key} ${own}`;
  }

  #readOutcome(key: string): object | undefined {
    const body = this.#recorded.get(`outcome ${key}`);
    return body === undefined ? undefined : (JSON.parse(body) as object); // written by `#add`
  }

  /** @returns Whether it was not there. */
  #add({ phase, key, body }: WorkLine): Promise<boolean> {
    const line = { phase, key, body: JSON.stringify(body) };
    const adding = this.#client.addToRecord(this.#place.runId, line, randomUUID());
    this.#added = Promise.allSettled([this.#added, adding]);
    return adding;
  }
}

export function digest(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 32);
}

function unreadable(librarian: string): MeshError {
  return new MeshError("INTERNAL_ERROR", `What "${librarian}" returned cannot be read.`, {
    reason: "invalid-response",
    librarian,
    suggestion: "Run the same version in every process of the mesh.",
  });
}
