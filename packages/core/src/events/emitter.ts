import { EventEmitter } from "eventemitter3";
import type { MeshEvent, MeshEventName } from "./events.js";

/** Called with an event. What it throws, or rejects with, becomes a process warning and breaks nothing. */
export type MeshListener<Name extends MeshEventName = MeshEventName> = (
  event: Extract<MeshEvent, { readonly type: Name }>,
) => void | Promise<void>;

/** Listeners that can never break a query. */
export interface Emitter {
  /** Whether anybody listens: events are built only then. */
  readonly hasListeners: boolean;
  emit(event: MeshEvent): void;
  /** @returns A function that takes the listener off again. */
  on<Name extends MeshEventName>(name: Name, listener: MeshListener<Name>): () => void;
}

export function createEmitter(): Emitter {
  const emitter = new EventEmitter<Record<MeshEventName, (event: MeshEvent) => void>>();
  let listeners = 0;

  return {
    get hasListeners() {
      return listeners > 0;
    },
    emit(event) {
      emitter.emit(event.type, event);
    },
    on(name, listener) {
      const guarded = guard(name, listener as unknown as MeshListener); // emitted under this name only
      emitter.on(name, guarded);
      listeners++;
      let isOn = true;
      return () => {
        if (!isOn) return;
        isOn = false;
        listeners--;
        emitter.off(name, guarded);
      };
    },
  };
}

function guard(name: string, listener: MeshListener): (event: MeshEvent) => void {
  const warn = (thrown: unknown) => {
    const kind = thrown instanceof Error ? thrown.name : typeof thrown;
    process.emitWarning(`A listener of "${name}" threw (${kind}).`, {
      type: "ConstellationWarning",
      code: "CONSTELLATION_LISTENER",
    });
  };
  return (event) => {
    try {
      const returned = listener(event);
      if (returned !== undefined) Promise.resolve(returned).catch(warn);
    } catch (thrown) {
      warn(thrown);
    }
  };
}
