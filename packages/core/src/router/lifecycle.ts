import type { Health, MeshAtHealth } from "../contract/definition.js";
import { guardSignal } from "../contract/guarded-signal.js";
import { MeshError } from "../contract/mesh-error.js";
import { refuseUnknownKeys, requireDuration, requireSignal } from "../contract/option-checks.js";
import type { BreakerState } from "../contract/resilience.js";
import { describeValue, isRecord } from "../contract/unknown-value.js";
import type { Registration } from "../registry/registration.js";
import { DeadlineTimer } from "./run/deadline-timer.js";
import { callerCancelled, routerClosing, tookTooLong } from "./run/errors.js";
import type { Mesh } from "./run/model.js";

/** How long starting, closing or a health check may take. */
export interface LifecycleOptions {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Longest time for each librarian, in milliseconds: 1 to 2147483647, or `Infinity`.
   *
   * @default 30_000 for open, 1_000 for health, 5_000 for close
   */
  readonly timeoutMs?: number | undefined;
}

export type CloseOptions = LifecycleOptions;

const lifecycleKeys: ReadonlySet<string> = new Set<keyof LifecycleOptions>(["signal", "timeoutMs"]);

/** @throws TypeError or RangeError that names the key and the value. */
export function checkLifecycleOptions(options: unknown = {}): LifecycleOptions {
  if (!isRecord(options)) {
    throw new TypeError(`options: expected an object, got ${describeValue(options)}.`);
  }
  refuseUnknownKeys("options", options, lifecycleKeys);
  requireSignal(options.signal);
  requireDuration("timeoutMs", options.timeoutMs);
  return options as LifecycleOptions; // every key was checked above
}

/** Health of each librarian, by id. `unknown`: it has no health check. */
export type HealthReport = Readonly<Record<string, LibrarianHealth>>;

/** Health of one librarian. One whose breaker is open is `down`. */
export interface LibrarianHealth {
  readonly status: Health["status"] | "unknown";
  readonly message?: string | undefined;
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
  { registry, settings: { transport } }: Mesh,
  options: LifecycleOptions,
): Promise<void> {
  if (transport !== undefined) {
    await limited((signal) => transport.open(signal), options, 30_000);
  }
  const all = [...registry.registrations()];
  const outcomes = await Promise.allSettled(
    all
      .filter(({ isReady }) => !isReady)
      .map((each) => limited(() => each.start(), options, 30_000)),
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
}

/** Longest time of a health check where not given, in milliseconds. */
const healthTimeoutMs = 1_000;

/** Runs every health check, side by side. */
export async function healthOf(
  { registry }: Mesh,
  options: LifecycleOptions,
): Promise<HealthReport> {
  const deadline = Date.now() + (options.timeoutMs ?? healthTimeoutMs);
  const reports = Array.from(registry.registrations(), async (registration) => {
    const mesh = { librarians: registry.list(), deadline };
    const health = await healthOfOne(registration, mesh, options);
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

async function healthOfOne(
  { definition: { health } }: Registration,
  mesh: MeshAtHealth,
  options: LifecycleOptions,
): Promise<NonNullable<HealthReport[string]>> {
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
  for (const run of runs) run.calls.close(routerClosing());
  const quietly = (work: (signal: AbortSignal) => Promise<unknown>) =>
    limited(work, options, 5_000).catch(() => undefined);
  await quietly(() => Promise.all(runs.map((run) => run.settlement.settled())));
  const { transport } = mesh.settings;
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

/** Waits for work, no longer than allowed. Rejects with a MeshError when the time is up. */
async function limited<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  { signal, timeoutMs }: LifecycleOptions,
  defaultMs: number,
): Promise<Result> {
  if (signal?.aborted) throw callerCancelled(signal.reason);
  const controller = new AbortController();
  guardSignal(controller.signal);
  let giveUp: (error: MeshError) => void = () => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    giveUp = (error) => {
      controller.abort(error);
      reject(error);
    };
  });
  const timer = new DeadlineTimer({ fire: () => giveUp(tookTooLong()) });
  const onAbort = () => giveUp(callerCancelled(signal?.reason));
  try {
    signal?.addEventListener("abort", onAbort, { once: true });
    timer.set(timeoutMs ?? defaultMs);
    return await Promise.race([givenUp, work(controller.signal)]);
  } finally {
    timer.clear();
    signal?.removeEventListener("abort", onAbort);
  }
}
