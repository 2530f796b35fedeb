import type { RecordedAnswer, Response, Waiting } from "@constellation/core";
import { MeshError } from "@constellation/core";
import type { ReplyEnvelope } from "@constellation/transport/envelope";
import {
  CancelledError,
  type Context,
  handlers,
  type InvocationId,
  type ObjectContext,
  type ObjectSharedContext,
  object,
  RestatePromise,
  service,
  TimeoutError,
  type WorkflowContext,
  type WorkflowSharedContext,
  workflow,
} from "@restatedev/restate-sdk";
import type {
  Answers,
  HopMessage,
  RecordedLine,
  RoundOutcome,
  RunMessage,
  RunState,
} from "./messages.js";
import type { RestateSettings } from "./settings.js";

/** Work of the services in the process that Restate calls. */
export interface Work {
  /** Asks the request of a run with the answers so far. */
  round(
    runId: string,
    message: RunMessage,
    answers: Answers,
    signal: AbortSignal,
  ): Promise<RoundOutcome>;
  /** A round of a run in a thread has ended. May be called twice. */
  roundEnded(runId: string, message: RunMessage, outcome: RoundOutcome): Promise<void>;
  hop(message: HopMessage, signal: AbortSignal): Promise<ReplyEnvelope>;
}

/** Maximum time that one step of a handler may take, in milliseconds: Restate would suspend it meanwhile. */
const longestMs = 86_400_000;

/** The services of a mesh: its runs, their hops, what they have recorded, and what they wait for. */
export function createServices({ prefix, retentionMs, maxAttempts }: RestateSettings, work: Work) {
  const retryPolicy = {
    ...{ initialInterval: 50, maxInterval: 5_000, exponentiationFactor: 2 },
    ...({ maxAttempts, onMaxAttempts: "kill" } as const),
  };
  const durable = {
    ...{ inactivityTimeout: longestMs, abortTimeout: longestMs, retryPolicy },
    ...{ journalRetention: retentionMs },
  };

  async function noteEnd(
    ctx: WorkflowContext,
    message: RunMessage,
    outcome: RoundOutcome,
  ): Promise<void> {
    if (message.thread === undefined) return;
    await ctx.run("thread", () => work.roundEnded(ctx.key, message, outcome));
  }

  /** A run: it journals nothing but its rounds, waits and timers. */
  const runs = workflow({
    name: `${prefix}-run`,
    options: { ...durable, workflowRetention: retentionMs },
    handlers: {
      run: async (ctx: WorkflowContext, message: RunMessage): Promise<Response> => {
        ctx.set("invocation", ctx.request().id);
        const answers: Record<string, RecordedAnswer> = {};
        let left = message.request.timeoutMs ?? Number.POSITIVE_INFINITY;
        for (let round = 0; ; round++) {
          ctx.set("state", { round, waiting: [], isEnded: false } satisfies RunState);
          const startedAt = await ctx.date.now();
          const outcome = await inTime(ctx, `round ${round}`, left, (signal) =>
            work.round(ctx.key, message, { ...answers }, signal),
          );
          const { response } = outcome;
          left -= (await ctx.date.now()) - startedAt;
          const waiting = left > 0 ? (response.metadata?.waiting ?? []) : [];
          const isEnded = waiting.length === 0;
          ctx.set("state", { round, waiting, isEnded } satisfies RunState);
          await ctx
            .objectClient(waits, waitsKey)
            .replace({ runId: ctx.key, waiting: [...waiting] });
          await noteEnd(ctx, message, outcome);
          await ctx.promise<Response>(`round ${round}`).resolve(response);
          if (isEnded) {
            ctx.objectSendClient(records, ctx.key).forget();
            return response;
          }
          try {
            const [id, answer] = await nextAnswer(ctx, waiting);
            answers[id] = answer;
          } catch (thrown) {
            if (!(thrown instanceof CancelledError)) throw thrown;
            const error = { error: cancelled().toInfo() };
            ctx.set("state", { round: round + 1, waiting: [], isEnded: true } satisfies RunState);
            await ctx.objectClient(waits, waitsKey).replace({ runId: ctx.key, waiting: [] });
            await noteEnd(ctx, message, { response: error, librarians: [] });
            await ctx.promise<Response>(`round ${round + 1}`).resolve(error);
            return error;
          }
        }
      },
      /** The response of a round, once it is there. */
      round: handlers.workflow.shared(
        { inactivityTimeout: 60_000 },
        (ctx: WorkflowSharedContext, round: number): Promise<Response> =>
          ctx.promise<Response>(`round ${round}`).get(),
      ),
      state: handlers.workflow.shared(
        async (ctx: WorkflowSharedContext): Promise<RunState | undefined> =>
          (await ctx.get<RunState>("state")) ?? undefined,
      ),
      /** @returns Whether it is the first answer. */
      answer: handlers.workflow.shared(
        async (
          ctx: WorkflowSharedContext,
          { id, answer }: { readonly id: string; readonly answer: RecordedAnswer },
        ): Promise<boolean> => {
          const promise = ctx.promise<RecordedAnswer>(`answer ${id}`);
          if ((await promise.peek()) !== undefined) return false;
          try {
            await promise.resolve(answer);
            return true;
          } catch {
            return false; // another one came between
          }
        },
      ),
      cancel: handlers.workflow.shared(async (ctx: WorkflowSharedContext): Promise<boolean> => {
        const state = await ctx.get<RunState>("state");
        const invocation = await ctx.get<InvocationId>("invocation");
        if (state === null || invocation === null) return false;
        if (!state.isEnded) ctx.cancel(invocation);
        return true;
      }),
    },
  });

  const hops = service({
    name: `${prefix}-hop`,
    options: { ...durable, idempotencyRetention: retentionMs },
    handlers: {
      call: (ctx: Context, message: HopMessage): Promise<ReplyEnvelope> =>
        cancellable(ctx, "call", (signal) => work.hop(message, signal)),
      /** So that the admin port of the server need not be reachable. */
      cancel: async (ctx: Context, invocation: InvocationId): Promise<void> =>
        ctx.cancel(invocation),
    },
  });

  /** Work of the hops of a run outside of Restate: steps, writes and calls of models. */
  const records = object({
    name: `${prefix}-record`,
    options: { retryPolicy },
    handlers: {
      /** @returns Whether it was not there. */
      add: async (ctx: ObjectContext, { key, phase, body }: RecordedLine): Promise<boolean> => {
        const name = `${phase} ${key}`;
        if ((await ctx.get<string>(name)) !== null) return false;
        ctx.set(name, body);
        return true;
      },
      /** Lines whose key is this one, or continues it after a blank. */
      read: handlers.object.shared(
        async (ctx: ObjectSharedContext, key: string): Promise<readonly RecordedLine[]> => {
          const lines: RecordedLine[] = [];
          for (const name of await ctx.stateKeys()) {
            const [, phase, own = ""] = /^(intent|outcome) (.*)$/s.exec(name) ?? [];
            if (own !== key && !own.startsWith(`${key} `)) continue;
            const body = (await ctx.get<string>(name)) ?? "";
            lines.push({ phase: phase as RecordedLine["phase"], key: own, body }); // of the expression above
          }
          return lines;
        },
      ),
      forget: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
    },
  });

  /** Waits of all runs. */
  const waits = object({
    name: `${prefix}-waits`,
    options: { retryPolicy },
    handlers: {
      replace: async (
        ctx: ObjectContext,
        { runId, waiting }: { readonly runId: string; readonly waiting: readonly Waiting[] },
      ): Promise<void> => {
        if (waiting.length === 0) ctx.clear(runId);
        else ctx.set(runId, waiting);
      },
      list: handlers.object.shared(
        async (ctx: ObjectSharedContext): Promise<readonly Waiting[]> => {
          const all: Waiting[] = [];
          for (const runId of await ctx.stateKeys()) {
            all.push(...((await ctx.get<readonly Waiting[]>(runId)) ?? []));
          }
          return all;
        },
      ),
    },
  });

  return { runs, hops, records, waits };
}

/** Key of the one object that lists what all runs wait for. */
export const waitsKey = "all";

export type Services = ReturnType<typeof createServices>;

/** A step that is stopped in this process too when its invocation is cancelled. */
async function cancellable<Result>(
  ctx: Context,
  name: string,
  step: (signal: AbortSignal) => Promise<Result>,
  leftMs = Number.POSITIVE_INFINITY,
): Promise<Result> {
  const ending = new AbortController();
  const stop = () => ending.abort();
  ctx.request().attemptCompletedSignal.addEventListener("abort", stop, { once: true });
  try {
    const done = ctx.run(name, () => step(ending.signal));
    return await (leftMs < longestMs ? done.orTimeout(Math.max(1, Math.round(leftMs))) : done);
  } finally {
    stop();
  }
}

/** A round of a run, within the time that the run has left: a timer of Restate ends it where its process cannot. */
async function inTime(
  ctx: Context,
  name: string,
  leftMs: number,
  step: (signal: AbortSignal) => Promise<RoundOutcome>,
): Promise<RoundOutcome> {
  try {
    // The router ends in time by itself, with the answers so far.
    return await cancellable(ctx, name, step, leftMs + 1_000);
  } catch (thrown) {
    if (thrown instanceof TimeoutError) {
      const error = new MeshError("TIMEOUT", "There was no answer in time.", {
        reason: "deadline",
      });
      return { response: { error: error.toInfo() }, librarians: [] };
    }
    if (thrown instanceof CancelledError) {
      return { response: { error: cancelled().toInfo() }, librarians: [] };
    }
    throw thrown;
  }
}

/** Id of a wait, and its answer; `undefined`: it has expired. */
type FirstAnswer = readonly [string, RecordedAnswer | undefined];

/** The first answer to a wait of a run, or its expiry. */
async function nextAnswer(
  ctx: WorkflowContext,
  waiting: readonly Waiting[],
): Promise<readonly [string, RecordedAnswer]> {
  const answered = waiting.map(({ id }) =>
    ctx
      .promise<RecordedAnswer>(`answer ${id}`)
      .get()
      .map((answer, failure): FirstAnswer => {
        if (failure !== undefined) throw failure;
        return [id, answer];
      }),
  );
  const [first] = waiting
    .filter(({ expiresAt }) => expiresAt !== undefined)
    .sort((one, other) => (one.expiresAt ?? 0) - (other.expiresAt ?? 0));
  if (first?.expiresAt !== undefined) {
    const inMs = Math.max(0, first.expiresAt - (await ctx.date.now()));
    answered.push(
      ctx.sleep(inMs).map((_nothing, failure): FirstAnswer => {
        if (failure !== undefined) throw failure;
        return [first.id, undefined];
      }),
    );
  }
  const [id, answer] = await RestatePromise.race(answered);
  if (answer !== undefined) return [id, answer];
  const expired: RecordedAnswer = { outcome: "expired", at: first?.expiresAt ?? 0 };
  await ctx
    .promise<RecordedAnswer>(`answer ${id}`)
    .resolve(expired)
    .catch(() => undefined); // it came at the same time
  return [id, expired];
}

function cancelled(): MeshError {
  return new MeshError("TIMEOUT", "The run was cancelled.", { reason: "cancelled" });
}
