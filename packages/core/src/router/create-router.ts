import type { AnswerEstimates } from "../contract/answer-estimate.js";
import type { LibrarianDefinition } from "../contract/definition.js";
import type { ContinuedRun, JournalHost } from "../contract/journal.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import type { Response } from "../contract/response.js";
import { describeValue } from "../contract/unknown-value.js";
import type { WaitAnswer } from "../contract/waiting.js";
import { Emitter, type MeshListener } from "../events/emitter.js";
import { type MeshEventName, meshEventNames } from "../events/events.js";
import { checkMesh, type MeshReport } from "../registry/check-mesh.js";
import { repeatedBy } from "../registry/registration.js";
import { Registry } from "../registry/registry.js";
import { SlotPool } from "../resilience/slot-pool.js";
import { otelApi } from "../tracing/otel-api.js";
import { type AskOptions, checkAskOptions } from "./ask-options.js";
import {
  checkListOptions,
  type ListOptions,
  listServices,
  mayAskFor,
  type OfferedServices,
} from "./hop/list-options.js";
import { probeFor, type RouterProbeOptions } from "./hop/probe.js";
import {
  type CloseOptions,
  checkHealth,
  checkLifecycleOptions,
  closeMesh,
  closeRemoved,
  type HealthReport,
  type LifecycleOptions,
  openMesh,
} from "./lifecycle.js";
import { createRunObserver } from "./observation/run-observer.js";
import { askInBackground, performRun, type Run, startRun } from "./perform-run.js";
import { now } from "./run/deadline-timer.js";
import { noJournal } from "./run/errors.js";
import type { Mesh } from "./run/model.js";
import { type RouterOptions, readSettings } from "./run/router-options.js";

/** Load of a router. All zero where no limit is set. */
export interface RouterLoad {
  /** Calls that have a slot: those of librarians that `concurrency` limits. */
  readonly active: number;
  /** Calls that wait for one. */
  readonly waiting: number;
  /** Estimate of how long a new call would wait, in milliseconds; 0 while a slot is free. */
  readonly estimatedWaitMs: number;
}

/** Asks librarians, and follows their delegations. */
export interface Router {
  /**
   * Adds a librarian.
   *
   * @throws TypeError or RangeError that names the key and the value; nothing is added then.
   */
  register(definition: LibrarianDefinition): void;
  /**
   * Removes a librarian and closes it. Hops that have begun continue.
   *
   * @returns Whether there was one.
   */
  unregister(id: string): boolean;
  /**
   * All librarians, in the order of registration; with options, those that a user may ask.
   *
   * @throws TypeError for a wrong option.
   */
  list(options?: ListOptions): readonly LibrarianInfo[];
  /**
   * Librarians with a capability: `kubernetes` finds those that declare `kubernetes.facts` too. With
   * options, those that a user may ask.
   *
   * @throws TypeError for a wrong option.
   */
  find(capability: string, options?: ListOptions): readonly LibrarianInfo[];

  /**
   * Asks, and returns the final response.
   *
   * @returns A valid response. Never rejects: failures are in its `error`.
   * @throws TypeError or RangeError at once for a wrong option, naming it and its value.
   */
  ask(query: string, options?: AskOptions): Promise<Response>;
  /**
   * Asks librarians how well they could answer a query, without calling them: those that the user may ask. For
   * adapters that answer the probe of another mesh.
   *
   * @throws TypeError or RangeError for a wrong option, naming it and its value.
   */
  probe(query: string, options?: RouterProbeOptions): Promise<AnswerEstimates>;
  /** Asks, and returns the run, with its response, events, record and `cancel`. Throws as `ask` does. */
  start(query: string, options?: AskOptions): Run;

  /**
   * Answers what a run waits for, and continues it. Needs a `journal`.
   *
   * @param runId - The `runId` of the entry of `metadata.waiting`; the run may be of another process.
   * @returns The run, once the answer is recorded: a {@link Run} where this process continues it.
   * @throws MeshError `NOT_FOUND` where nothing waits for the answer, `UNAUTHORIZED` where the user may not
   *   give it, `INVALID_QUERY` for an answer of the wrong kind, `SERVICE_UNAVAILABLE` without a journal.
   */
  resume(runId: string, answer: WaitAnswer): Promise<Run | ContinuedRun>;

  /**
   * Services of the librarians (routes and tools), in the order of registration; with options, those that
   * a user may ask. For adapters that serve the mesh.
   *
   * @throws TypeError for a wrong option.
   */
  services(options?: ListOptions): readonly OfferedServices[];

  /** Load of the router, for adapters that refuse work that cannot be done in time. */
  load(): RouterLoad;
  /**
   * Finds delegation cycles, unknown targets, chains longer than `maxDepth`, librarians that declare
   * more delegates than `maxFanout`, and librarians that cannot be reached. With options, in the part
   * of the mesh that a user may ask.
   *
   * @throws TypeError for a wrong option.
   */
  check(options?: ListOptions): MeshReport;
  /**
   * Listens to an event of every run.
   *
   * @returns A function that stops listening.
   * @throws RangeError for a name that is not an event.
   */
  on<Name extends MeshEventName>(name: Name, listener: MeshListener<Name>): () => void;

  /**
   * Opens the transport, if there is one, and starts every librarian that has a `start`. Without it each
   * starts before its first hop.
   */
  open(options?: LifecycleOptions): Promise<void>;
  /**
   * Runs the health check of each librarian; those without one are `unknown`. A librarian that is
   * `down` is left out of `context.availableDelegates` until a later check. Never rejects. Throws as
   * `ask` does.
   */
  health(options?: LifecycleOptions): Promise<HealthReport>;
  /**
   * Cancels every run, waits for them, and closes every librarian. Later queries get
   * `SERVICE_UNAVAILABLE`. Never rejects.
   */
  close(options?: CloseOptions): Promise<void>;
}

/**
 * Creates a router.
 *
 * @throws TypeError or RangeError for a wrong option, naming it and its value.
 *
 * @example
 * ```ts
 * const router = createRouter({ timeoutMs: 5_000 });
 * router.register({ id: "echo", description: "repeats", librarian: async (query) => ({ answer: query }) });
 * const { answer } = await router.ask("hello");
 * ```
 */
export function createRouter(options: RouterOptions = {}): Router {
  const settings = readSettings(options);
  const registry = new Registry(settings.resilience);
  const emitter = new Emitter();
  const slots = new SlotPool(settings.concurrency, settings.maxQueue, now);
  const mesh: Mesh = {
    settings,
    registry,
    emitter,
    slots,
    flights: new Map(),
    runs: [],
    isClosed: false,
  };

  const router: Router = {
    register(definition) {
      registry.register(definition);
    },
    unregister(id) {
      const registration = registry.unregister(id);
      if (registration !== undefined) closeRemoved(registration);
      return registration !== undefined;
    },
    list: (listOptions) => registry.list(mayAskFor(checkListOptions(listOptions))),
    find: (capability, listOptions) =>
      registry.find(capability, mayAskFor(checkListOptions(listOptions))),
    ask(query, askOptions = noOptions) {
      const checked = askOptions === noOptions ? noOptions : checkAskOptions(askOptions);
      // Fast path: most routers have neither listeners nor spans.
      const isWatched = emitter.listeners > 0 || otelApi() !== undefined;
      const observer = isWatched ? createRunObserver(mesh, undefined) : undefined;
      if (checked.background === true) return askInBackground(mesh, query, checked, observer);
      return performRun(mesh, query, checked, observer).response;
    },
    probe: (query, options) => probeFor(registry, query, options),
    start: (query, askOptions = noOptions) => startRun(mesh, query, checkAskOptions(askOptions)),
    async resume(runId, answer) {
      if (settings.journal === undefined) throw noJournal();
      return settings.journal.resume(runId, answer);
    },
    services: (listOptions) => listServices(registry, checkListOptions(listOptions)),
    load: () => ({
      active: slots.limit.active,
      waiting: slots.waiting,
      estimatedWaitMs: slots.estimatedWaitMs,
    }),
    check: (listOptions) =>
      checkMesh(registry.list(mayAskFor(checkListOptions(listOptions))), {
        ...settings,
        repeatedBy: (id) => [
          ...repeatedBy(registry.get(id)?.policy),
          ...(settings.transport?.repeats?.(id) === true ? ["the transport"] : []),
        ],
      }),
    on(name, listener) {
      if (!meshEventNames.includes(name)) {
        throw new RangeError(
          `event: expected one of ${meshEventNames.join(", ")}, got ${describeValue(name)}.`,
        );
      }
      if (typeof listener !== "function") {
        throw new TypeError(`listener: expected a function, got ${describeValue(listener)}.`);
      }
      return emitter.on(name, listener);
    },
    open: (lifecycle) => openMesh(mesh, checkLifecycleOptions(lifecycle)),
    health: (lifecycle) => checkHealth(mesh, checkLifecycleOptions(lifecycle)),
    close: (lifecycle) => closeMesh(mesh, checkLifecycleOptions(lifecycle)),
  };
  settings.transport?.join(router);
  settings.journal?.join(journalHost(mesh));
  hosts.set(router, journalHost(mesh));
  return router;
}

const hosts = new WeakMap<Router, JournalHost<Run>>();

/**
 * The interface of a router for journals. A router without a journal has it too, for replays.
 *
 * @throws TypeError for what is not a router.
 * @beta
 */
export function journalHostOf(router: Router): JournalHost<Run> {
  const host = hosts.get(router);
  if (host === undefined) throw new TypeError("router: expected one that createRouter has made.");
  return host;
}

function journalHost(mesh: Mesh): JournalHost<Run> {
  return {
    continueRun(id, { query, to, user, metadata, observed, timeoutMs, options }, journal) {
      const given = checkAskOptions({ ...options, to, user, metadata, observed, timeoutMs });
      return startRun(mesh, query, given, { id, journal });
    },
  };
}

const noOptions: AskOptions = Object.freeze({});
