import { EventEmitter } from "eventemitter3";
import { describeThrown } from "../contract/unknown-value.js";
import type { MeshEvent, MeshEventName } from "./events.js";

/** Called with an event. Its exceptions and rejections are caught; the first one becomes a process warning. */
export type MeshListener<Name extends MeshEventName = MeshEventName> = (
  event: Extract<MeshEvent, { readonly type: Name }>,
) => void | Promise<void>;

/** Emits events to listeners whose exceptions are caught. */
export class Emitter {
  readonly #emitter = new EventEmitter<Record<MeshEventName, (event: MeshEvent) => void>>();
  /** Number of listeners: events are built only when there is one. */
  listeners = 0;

  emit(event: MeshEvent): void {
    this.#emitter.emit(event.type, event);
  }

  /** @returns A function that removes the listener. */
  on<Name extends MeshEventName>(name: Name, listener: MeshListener<Name>): () => void {
    const guarded = guard(name, listener as unknown as MeshListener); // emitted under this name only
    this.#emitter.on(name, guarded);
    this.listeners++;
    let isOn = true;
    return () => {
      if (!isOn) return;
      isOn = false;
      this.listeners--;
      this.#emitter.off(name, guarded);
    };
  }
}

function guard(name: string, listener: MeshListener): (event: MeshEvent) => void {
  let hasWarned = false;
  const warn = (thrown: unknown) => {
    if (hasWarned) return;
    hasWarned = true;
    process.emitWarning(`A listener of "${name}" threw an error (${describeThrown(thrown)}).`, {
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
