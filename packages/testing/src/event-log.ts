import type { MeshListener } from "@constellation/core";
import { type MeshEvent, type MeshEventName, meshEventNames } from "@constellation/core";

/** The part of a router that {@link recordEvents} needs. */
export interface EventSource {
  on<Name extends MeshEventName>(name: Name, listener: MeshListener<Name>): () => void;
}

/** Events in the order they came. */
export interface EventLog {
  /** All of them; grows while the log runs. */
  readonly events: readonly MeshEvent[];
  /** Their types, for a test to compare. */
  readonly types: readonly MeshEventName[];
  /** Events of one type, in the same order. */
  of<Name extends MeshEventName>(name: Name): readonly Extract<MeshEvent, { type: Name }>[];
  /** Stops listening. What was recorded stays. */
  stop(): void;
}

/**
 * Records every event of a router, of all its runs, from now on.
 *
 * @example
 * ```ts
 * const log = recordEvents(router);
 * await router.ask("which pods are unhealthy?");
 * log.stop();
 * expect(log.types).toEqual(["run:start", "hop:start", "hop:end", "run:end"]);
 * ```
 */
export function recordEvents(router: EventSource): EventLog {
  const events: MeshEvent[] = [];
  const stops = meshEventNames.map((name) =>
    router.on(name, (event) => {
      events.push(event);
    }),
  );

  return {
    events,
    get types() {
      return events.map(({ type }) => type);
    },
    of<Name extends MeshEventName>(name: Name) {
      return events.filter(
        (event): event is Extract<MeshEvent, { type: Name }> => event.type === name,
      );
    },
    stop() {
      for (const stop of stops) stop();
    },
  };
}
