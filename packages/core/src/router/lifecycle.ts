import type { Health, MeshAtHealth } from "../contract/definition.js";
import { MeshError } from "../contract/mesh-error.js";
import { checkOptions, signalOption } from "../contract/option-checks.js";
import type { BreakerState } from "../contract/resilience.js";
import type { Registration } from "../registry/registration.js";
import { withDeadline } from "../waits/with-deadline.js";
import { routerClosing } from "./run/errors.js";
import type { Mesh } from "./run/model.js";

/** Limits on the time of starting, closing and health checks. */
export interface LifecycleOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum time for each librarian, in milliseconds: 1 to 2147483647, or `Infinity`.
   *
   * @default `startTimeoutMs` of the router for open, 1_000 for health, 5_000 for close
   */
  readonly timeoutMs?: number | undefined;
}

export type CloseOptions = LifecycleOptions;

const lifecycleTable = { signal: signalOption, timeoutMs: { kind: "duration" } } as const;

/** @throws TypeError or RangeError that names the key and the value. */
export function checkLifecycleOptions(options: unknown = {}): LifecycleOptions {
  return checkOptions<LifecycleOptions>("options", options, lifecycleTable);
}

/** Health of each librarian, by id. `unknown`: it has no health check. */
export type HealthReport = Readonly<Record<string, LibrarianHealth>>;

/** Health of one librarian. One whose breaker is open is `down`. */
export interface LibrarianHealth {
  readonly status: Health["status"] | "unknown";
  readonly message?: string | undefined;
  /** Its `start` failed, so it is `down` and cannot answer. Each health check tries again. */
  readonly hasNotStarted?: true | undefined;
  /** State of its circuit breaker, where it has one. */
  readonly breaker?: BreakerState | undefined;
}

/**
 * Opens the transport, then starts every librarian that has a `start`, side by side.
 *
 * @throws MeshError when the transport does not open.
 * @throws AggregateError with a MeshError for each that did not start; the others have started.
 */
export async function openMesh(
  { registry, settings: { transport, startTimeoutMs, journal } }: Mesh,
  options: LifecycleOptions,
): Promise<void> {
  if (transport !== undefined) {
    await limited((signal) => transport.open(signal), options, startTimeoutMs);
  }
  const all = [...registry.registrations()];
  const outcomes = await Promise.allSettled(
    all
      .filter(({ isReady }) => !isReady)
      .map((each) =>
        limited(
          () => each.start(Math.max(options.timeoutMs ?? 0, startTimeoutMs)),
          options,
          startTimeoutMs,
        ).catch((thrown: unknown) => {
          throw withLibrarian(thrown, each.info.id);
        }),
      ),
  );
  const failures: unknown[] = outcomes.flatMap((each) =>
    each.status === "rejected" ? [each.reason as unknown] : [],
  );
  if (failures.length > 0) {
    const names = failures.map((each) => (each as MeshError).message).join(" ");
    throw new AggregateError(
      failures,
      `${failures.length} of ${all.length} did not start: ${names}`,
    );
  }
  // Last, because runs that it takes over need the librarians.
  if (journal !== undefined) await limited(() => journal.open(), options, 30_000);
}

/** Adds the id of the librarian to a timeout. */
function withLibrarian(thrown: unknown, id: string): unknown {
  if (!(thrown instanceof MeshError) || thrown.reason !== "deadline") return thrown;
  return new MeshError("TIMEOUT", `Librarian "${id}" did not start in time.`, {
    reason: "deadline",
    librarian: id,
    cause: thrown,
  });
}

/** Maximum time of a health check where not given, in milliseconds. */
const healthTimeoutMs = 1_000;

/** Runs every health check, side by side. */
export async function checkHealth(
  { registry, settings }: Mesh,
  options: LifecycleOptions,
): Promise<HealthReport> {
  const deadline = Date.now() + (options.timeoutMs ?? healthTimeoutMs);
  const reports = Array.from(registry.registrations(), async (registration) => {
    const mesh = { librarians: registry.list(), deadline };
    const health = await checkOne(registration, mesh, settings.startTimeoutMs, options);
    // A check that the caller gave up says nothing about the librarian.
    if (options.signal?.aborted !== true) registry.setDown(registration, health.status === "down");
    return [registration.info.id, withBreaker(registration, health)] as const;
  });
  return Object.fromEntries(await Promise.all(reports));
}

function withBreaker({ policy }: Registration, health: LibrarianHealth): LibrarianHealth {
  const breaker = policy?.breaker;
  if (breaker === undefined) return health;
  const { state } = breaker;
  return state === "open"
    ? { status: "down", message: "Its circuit breaker is open.", breaker: state }
    : { ...health, breaker: state };
}

async function checkOne(
  registration: Registration,
  mesh: MeshAtHealth,
  startTimeoutMs: number,
  options: LifecycleOptions,
): Promise<LibrarianHealth> {
  const { health } = registration.definition;
  if (registration.hasFailedToStart) {
    try {
      await limited(() => registration.start(startTimeoutMs), options, healthTimeoutMs); // what it needs may be available now
    } catch {
      return { status: "down", message: "It did not start.", hasNotStarted: true };
    }
  }
  if (health === undefined) return { status: "unknown" };
  try {
    const { status, message } = await limited(
      (signal) => health(signal, mesh),
      options,
      healthTimeoutMs,
    );
    if (status !== "up" && status !== "degraded" && status !== "down") {
      return { status: "down", message: "Its health check gave no status." };
    }
    return typeof message === "string" ? { status, message: message.slice(0, 1_000) } : { status };
  } catch (thrown) {
    const error = MeshError.copyOf(thrown);
    const message = error?.reason === undefined ? "Its health check failed." : error.message;
    return { status: "down", message };
  }
}

/** Cancels every run, waits until they have settled, and closes every librarian. */
export async function closeMesh(mesh: Mesh, options: CloseOptions): Promise<void> {
  mesh.isClosed = true;
  const runs = [...mesh.runs];
  for (const run of runs) {
    run.isInterrupted = true;
    run.calls.close(routerClosing());
  }
  const quietly = (work: (signal: AbortSignal) => Promise<unknown>) =>
    limited(work, options, 5_000).catch(() => undefined);
  await quietly(() => Promise.all(runs.map((run) => run.calls.settled())));
  const { transport, journal } = mesh.settings;
  if (journal !== undefined) await quietly(() => journal.close());
  if (transport !== undefined) await quietly(() => transport.close());
  await Promise.all(
    Array.from(mesh.registry.registrations(), (each) => quietly((signal) => each.close(signal))),
  );
}

/** Closes a librarian that was removed. */
export function closeRemoved(registration: Registration): void {
  void limited((signal) => registration.close(signal), {}, 5_000).catch(() => {
    process.emitWarning(`Librarian "${registration.info.id}" did not close.`, {
      type: "ConstellationWarning",
    });
  });
}

/** Waits for work within the limits. */
function limited<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, timeoutMs }: LifecycleOptions,
  defaultMs: number,
): Promise<Result> {
  const limits = { signal, timeoutMs: timeoutMs ?? defaultMs, message: "It took too long." };
  return withDeadline(limits, work);
}
