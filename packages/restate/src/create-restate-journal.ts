import { randomUUID } from "node:crypto";
import type {
  ContinuedRun,
  HopRecord,
  JournaledRequest,
  JournaledRun,
  JournalHost,
  MeshJournal,
  RemoteHop,
  Response,
  Run,
  RunJournal,
  User,
  Waiting,
} from "@constellation/core";
import { MeshError } from "@constellation/core";
import { mayAnswer } from "@constellation/core/checks";
import {
  checkAnswer,
  createThreads,
  type JournalStore,
  type RunThreads,
  readAnswer,
  type Threads,
} from "@constellation/journal";
import { encodeReply, type ReplyEnvelope, replyTo } from "@constellation/transport/envelope";
import { RestateClient } from "./client.js";
import type { Answers, HopMessage, RoundOutcome, RunMessage } from "./messages.js";
import { digest, RestateRun } from "./restate-run.js";
import { createServices, type Services } from "./services.js";
import { type RestateJournalOptions, type RestateSettings, readSettings } from "./settings.js";
import { SubmittedRun } from "./submitted-run.js";

/** Runs of a mesh on a Restate server. */
export interface RestateJournal extends MeshJournal {
  /** Services for Restate: pass them to `serve({ services })` of its SDK in each worker process. */
  readonly services: readonly Services[keyof Services][];
  /** Conversations; `undefined` without the option `threads`. */
  readonly threads: Threads | undefined;
  /** Waits of runs; with `user`, only those that this user may answer. */
  waiting(filter?: { readonly user?: User | undefined }): Promise<readonly Waiting[]>;
  /** Cancels a run in any process. @returns Whether the run is known. */
  cancel(runId: string): Promise<boolean>;
  /** The response of a run; while it waits, one that lists its waits. */
  response(runId: string): Promise<Response>;
}

/**
 * Creates a journal whose runs are invocations of a Restate server, for one router.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 */
export function createRestateJournal(options: RestateJournalOptions): RestateJournal {
  return new RestateRuns(readSettings(options));
}

class RestateRuns implements RestateJournal {
  readonly services: readonly Services[keyof Services][];
  readonly threads: RunThreads | undefined;
  readonly #client: RestateClient;
  readonly #store: JournalStore | undefined;
  #host: JournalHost | undefined;

  constructor(settings: RestateSettings) {
    const services = createServices(settings, {
      round: (runId, message, answers, signal) => this.#round(runId, message, answers, signal),
      hop: (message, signal) => this.#hop(message, signal),
      roundEnded: (runId, message, outcome) => this.#roundEnded(runId, message, outcome),
    });
    this.#store = settings.threads?.store;
    this.threads = settings.threads && createThreads(settings.threads);
    this.services = Object.values(services);
    this.#client = new RestateClient(settings, services);
  }

  join(host: JournalHost): void {
    if (this.#host !== undefined) throw new TypeError("journal: it belongs to another router.");
    this.#host = host;
  }

  async open(): Promise<void> {
    // The server may start later: calls wait for it.
  }

  begin({ id, request }: JournaledRun): RunJournal {
    const { query, user, options } = request;
    const thread =
      typeof options.thread === "string"
        ? this.threads?.begin(options.thread, { runId: id, query, user: user?.id })
        : undefined;
    thread?.catch(() => undefined); // the router says so
    return new SubmittedRun(id, messageOf(request), this.#client, thread);
  }

  async resume(runId: string, given: unknown): Promise<ContinuedRun> {
    const answer = checkAnswer(given);
    const state = await this.#client.stateOf(runId);
    const waiting = state?.waiting.find(({ id }) => id === answer.id);
    if (state === undefined || waiting === undefined) throw nothingWaits(answer.id);
    const { id } = waiting;
    const isFirst = await this.#client.answer(runId, { id, answer: readAnswer(waiting, answer) });
    if (!isFirst) throw nothingWaits(id);
    return { id: runId, response: this.#follow(runId, state.round + 1) };
  }

  async #follow(runId: string, round: number): Promise<Response> {
    try {
      return await this.#client.roundOf(runId, round);
    } catch (thrown) {
      return { error: MeshError.from(thrown, "restate").toInfo() };
    }
  }

  async waiting({ user }: { readonly user?: User | undefined } = {}): Promise<readonly Waiting[]> {
    const all = await this.#client.waiting();
    return all.filter((each) => user === undefined || mayAnswer(each, user));
  }

  cancel(runId: string): Promise<boolean> {
    return this.#client.cancel(runId);
  }

  async response(runId: string): Promise<Response> {
    const { round = 0 } = (await this.#client.stateOf(runId)) ?? {};
    return this.#follow(runId, round);
  }

  async close(): Promise<void> {
    this.#client.close();
    await this.#store?.close();
  }

  async #round(
    runId: string,
    { request, thread }: RunMessage,
    answers: Answers,
    signal: AbortSignal,
  ): Promise<RoundOutcome> {
    const { timeoutMs = Number.POSITIVE_INFINITY, user } = request;
    const place = { runId, key: undefined, requestedBy: user?.id, answers, recorded: [], thread };
    const run = this.#continue(runId, { ...request, timeoutMs }, place, signal);
    const response = await run.response;
    return { response, librarians: isRun(run) ? librariansThatAnswered(run.explain().hops) : [] };
  }

  async #roundEnded(
    runId: string,
    { thread }: RunMessage,
    { response, librarians }: RoundOutcome,
  ): Promise<void> {
    if (thread !== undefined) await this.threads?.end(thread.id, runId, response, librarians);
  }

  async #hop(message: HopMessage, signal: AbortSignal): Promise<ReplyEnvelope> {
    const { runId, key, to, query, user, metadata, caller, trace, answers } = message;
    const recorded = await this.#client.readRecord(runId, key);
    const place = { runId, key, requestedBy: user?.id, answers, recorded };
    const written = await this.#beforeWrite(message, place);
    if (written !== undefined) return encodeReply(written);
    const request: JournaledRequest = {
      ...{ query, to, user, metadata, observed: false },
      timeoutMs: caller.remainingMs ?? Number.POSITIVE_INFINITY,
      options: { caller, ...(trace !== undefined && { trace }) },
    };
    const run = this.#continue(digest(`${runId} ${key}`), request, place, signal);
    return isRun(run) ? replyTo(run) : encodeReply(await run.response);
  }

  /** Notes that a write begins. @returns What comes in its place, where it had begun before. */
  async #beforeWrite(
    { runId, key, turn, isOnce, to, query }: HopMessage,
    place: ConstructorParameters<typeof RestateRun>[0],
  ): Promise<Response | undefined> {
    if (isOnce !== true) return undefined;
    const run = new RestateRun(place, this.#client);
    // The turn before may have ended so: then someone has said what happened.
    const before = turn === 0 ? undefined : run.unknownOutcome(`${key} ${turn - 1}`, to, "");
    if (before !== undefined && "answer" in before && before.answer.outcome === "answered") {
      return before.answer.value as Response; // it is checked like any response of a librarian
    }
    const line = { key: `${key} ${turn}`, phase: "intent", body: "{}" } as const;
    const isFirst = await this.#client.addToRecord(runId, line, randomUUID());
    if (isFirst) return undefined;
    const known = run.unknownOutcome(line.key, to, `${to}: ${query}`);
    if ("answer" in known) return undefined; // of the next turn
    const { what } = known.waiting;
    const error = new MeshError(
      "UNAUTHORIZED",
      `"${to}" waits for the outcome of a write: ${what}`,
      {
        reason: "waiting",
        librarian: to,
      },
    );
    return { error: error.toInfo(), partial: true, metadata: { waiting: [known.waiting] } };
  }

  #continue(
    runId: string,
    request: JournaledRequest,
    place: ConstructorParameters<typeof RestateRun>[0],
    signal: AbortSignal,
  ): ContinuedRun {
    if (this.#host === undefined) throw new Error("The journal has no router.");
    return this.#host.continueRun(runId, request, (stop) => {
      const end = () => stop(cancelled());
      signal.addEventListener("abort", end, { once: true });
      if (signal.aborted) end();
      return new RestateRun(place, this.#client);
    });
  }
}

/** Each after those that it asked, because clocks of processes differ. */
function librariansThatAnswered(hops: readonly (HopRecord | RemoteHop)[]): readonly string[] {
  const known = new Set(hops.map(({ id }) => id));
  const isRoot = ({ parentId }: HopRecord | RemoteHop) =>
    parentId === undefined || !known.has(parentId);
  const collect = ({ id, to, outcome, remote }: HopRecord | RemoteHop): readonly string[] => [
    ...hops.filter((below) => !isRoot(below) && below.parentId === id).flatMap(collect),
    ...librariansThatAnswered(remote?.hops ?? []),
    ...(outcome === "answer" || outcome === "partial" ? [to] : []),
  ];
  return [...new Set(hops.filter(isRoot).flatMap(collect))];
}

/** A run of this process is one of its router. */
function isRun(run: ContinuedRun): run is Run {
  return "explain" in run;
}

/** Without what JSON cannot hold: an infinite time is left out. */
function messageOf({ timeoutMs, ...request }: JournaledRequest): RunMessage {
  return { request: { ...request, ...(Number.isFinite(timeoutMs) && { timeoutMs }) } };
}

function nothingWaits(id: string): MeshError {
  return new MeshError("NOT_FOUND", `Nothing waits for this answer: "${id}".`, {
    suggestion: "List what waits: journal.waiting().",
  });
}

function cancelled(): MeshError {
  return new MeshError("TIMEOUT", "The run was cancelled.", { reason: "cancelled" });
}
