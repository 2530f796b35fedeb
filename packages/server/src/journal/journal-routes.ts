import { setTimeout as delay } from "node:timers/promises";
import { describeValue } from "@constellation/authoring";
import type { ContinuedRun, Run, User, WaitAnswer, Waiting } from "@constellation/core";
import type { Journal, StoredEntry, StoredRun } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendEvents } from "../http/event-stream.js";
import { Problem, problemFrom, wrongField } from "../http/problem.js";
import { readBody } from "../http/read-request.js";
import { jobOf } from "../http/work.js";
import type { RunOrigin } from "../runs/run-store.js";
import type { Service } from "../service.js";
import { serverSentEvent } from "../streams/server-sent-event.js";
import { toHttpStatus } from "../streams/streamed-run.js";
import { streamHeaders } from "../streams/to-stream.js";
import { answerBodySchema, readOutcome } from "./journal.schema.js";

/** Time between two polls of a run that another process may work on, in milliseconds. */
const pollMs = 250;

/** Adds the routes that need a journal: `/waiting`, and answers, events and cancellation of a run. */
export function addJournalRoutes(app: FastifyInstance, service: Service): void {
  const { router, settings, work } = service;

  app.get("/waiting", async ({ user }) => {
    const all = await requireJournal(service).waiting({
      ...(settings.hasUsers && { user: user ?? nobody }),
      limit: maxWaiting,
    });
    const waiting = all.filter((each) => isFor(service, user, each)).slice(0, maxListed);
    return createLibrarianFilter(router, user).apply({ waiting });
  });

  app.post<RunRequest & { Params: { waitId: string } }>(
    "/runs/:id/waiting/:waitId",
    { config: { isWork: true } },
    async (request, reply) => {
      const { id: runId, waitId } = request.params;
      const answer = readBody(answerBodySchema, request.body);
      await resumeRun(service, request, reply, runId, { ...answer, id: waitId });
      const run = await requireJournal(service).store.readRun(runId);
      return reply.code(202).send({ runId, status: run?.status ?? "running" });
    },
  );

  app.post<RunRequest>("/runs/:id/cancel", async (request, reply) => {
    const run = await readOwnRun(service, request);
    const outcome = await requireJournal(service).cancel(run.id);
    return reply.code(202).send({ runId: run.id, status: outcome ?? run.status });
  });

  app.get<RunRequest>("/runs/:id/events", { config: { isWork: true } }, async (request, reply) => {
    const run = await readOwnRun(service, request);
    const after = readEventId(request);
    const ending = new AbortController();
    const stop = () => ending.abort();
    const place = await work.begin({
      ...jobOf(request, reply),
      cancel: stop,
      isStanding: true,
    });
    const filter = createLibrarianFilter(router, request.user);
    async function* texts(): AsyncGenerator<string> {
      const followed = followRun(requireJournal(service), run.id, after, ending.signal);
      for await (const { id, name, data } of followed) {
        const event = serverSentEvent(name, filter.apply(data));
        yield id === undefined ? event : `id: ${id}\n${event}`;
      }
    }
    try {
      const { limits } = settings;
      await sendEvents(reply, texts(), {
        ...{ limits, headers: streamHeaders("events"), onDisconnect: stop },
      });
    } catch {
      // The journal cannot be read now: the client reconnects and continues after its last event.
    } finally {
      place.leave();
    }
  });
}

/**
 * Answers a wait as the user of the request, and continues the run.
 *
 * @throws Problem 403 or 404 where the user may not answer, or nothing waits for it.
 */
export async function resumeRun(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  runId: string,
  answer: Omit<WaitAnswer, "user">,
): Promise<Run | ContinuedRun> {
  const { user } = request;
  const waiting = await requireJournal(service).waiting({ runId, limit: maxWaiting });
  const wait = waiting.find(({ id }) => id === answer.id);
  if (wait !== undefined && !isFor(service, user, wait)) throw notForUser();
  // The run is read with the rights of its own user, as the journal names them, not of the user who answers.
  return withPlace(service, request, reply, {}, () =>
    service.router.resume(runId, { ...answer, user }),
  );
}

/** Runs work in a slot of its own. @throws Problem when the mesh refuses it. */
export async function withPlace<Result>(
  { work }: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  origin: RunOrigin,
  does: () => Promise<Result>,
): Promise<Result> {
  const place = await work.begin(jobOf(request, reply));
  try {
    return await place.within(origin, does);
  } catch (thrown) {
    throw problemFrom(thrown);
  } finally {
    place.leave();
  }
}

export interface RunRequest {
  Params: { id: string };
  Querystring: { lastEventId?: string };
}

/** Maximum number of waits that are read, and listed. */
const maxWaiting = 10_000;
const maxListed = 100;

/** Whether a user may see a wait: one that `by` names, or, without `by`, one who may read the run. */
function isFor(
  { settings }: Service,
  user: User | undefined,
  { by, requestedBy }: Waiting,
): boolean {
  if (by !== undefined) return true; // the journal compares
  return settings.mayReadRun(user, {
    user: requestedBy === undefined ? undefined : { id: requestedBy },
  });
}

function notForUser(): Problem {
  return new Problem(403, "UNAUTHORIZED", "The user may not answer this.", {
    suggestion:
      "Have the user of the run answer, or someone whom `by` of the wait or `mayReadRun` of the server names.",
    details: { reason: "not-allowed" },
  });
}

/** A caller without a token, whom no wait names. */
const nobody: User = { id: "" };

/** @throws Problem 404 where there is none. */
export function requireJournal({ settings: { journal } }: Service): Journal {
  if (journal !== undefined) return journal;
  throw new Problem(404, "NOT_FOUND", "The server has no journal.", {
    suggestion: "Pass `journal` to the router and the server; `constellation serve` does both.",
  });
}

/** Whether a user may read a journaled run. */
export function mayReadStored(
  { settings }: Service,
  user: User | undefined,
  run: StoredRun,
): boolean {
  return settings.mayReadRun(user, { user: run.user === undefined ? undefined : { id: run.user } });
}

/** @throws Problem 404 for a run that is unknown, or that the user may not read. */
export async function readOwnRun(
  service: Service,
  { params: { id }, user }: Pick<FastifyRequest<RunRequest>, "params" | "user">,
): Promise<StoredRun> {
  const run = await requireJournal(service).store.readRun(id);
  if (run === undefined || !mayReadStored(service, user, run)) {
    throw new Problem(404, "NOT_FOUND", "Run not found.", {
      suggestion: "Only journaled runs can be continued, watched and cancelled.",
    });
  }
  return run;
}

/** @throws Problem 400 for an id that no event has. */
function readEventId({ headers, query }: FastifyRequest<RunRequest>): number {
  const given = headers["last-event-id"] ?? query.lastEventId ?? "0";
  if (typeof given === "string" && /^\d{1,9}$/.test(given)) return Number(given);
  throw wrongField("last-event-id", `expected the id of an event, got ${describeValue(given)}`);
}

interface RunEvent {
  /** Number of the entry. Absent for data that is repeated to a client that reconnects. */
  readonly id?: number;
  readonly name: string;
  readonly data: object;
}

/**
 * Follows a run in the journal, in any process: its entries in order, its waits, and finally its response.
 *
 * @param after - Number of the last entry that the client has.
 */
async function* followRun(
  journal: Journal,
  runId: string,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<RunEvent> {
  yield { name: "run", data: { runId } };
  let number = after;
  let waitingSince = 0;
  while (!signal.aborted) {
    const run = await journal.store.readRun(runId); // read before its entries, which are complete once the run has ended
    for (const entry of await journal.store.readEntries(runId, number)) {
      number++;
      yield { id: number, name: `entry:${entry.kind}`, data: describeEntry(entry) };
    }
    if (run === undefined) return;
    if (run.status === "waiting" && run.updatedAt !== waitingSince) {
      waitingSince = run.updatedAt;
      yield { name: "waiting", data: { waiting: await journal.waiting({ runId }) } };
    }
    if (run.status === "ended") {
      const response = readOutcome(run);
      const status = response === undefined ? 200 : toHttpStatus(response);
      yield { name: "response", data: { status, response: response ?? {} } };
      return;
    }
    await delay(pollMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}

/** An entry as a client may see it: the librarian, but no text. */
function describeEntry({ key, phase, at }: StoredEntry): object {
  const hop = key.split(" ")[0]?.split("/").at(-1) ?? "";
  const [to] = /^[a-z0-9-]{1,200}/.exec(hop) ?? [];
  return { phase, at, ...(to !== undefined && { to }) };
}
