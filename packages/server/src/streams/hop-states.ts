import { modelLine } from "@constellation/authoring";
import type { MeshEvent, Outcome, Via } from "@constellation/core";

/** What a front end shows of a hop. */
export interface HopState {
  /** Number in its run, from 1. */
  readonly id: number;
  /** Hop that delegated or asked; absent for the first. */
  readonly parentId?: number;
  /** Id of the librarian. */
  readonly to: string;
  readonly via: Via;
  /** At most 1,000 characters. */
  readonly query: string;
  /** Why it was chosen. */
  readonly reason?: string;
  readonly state: "running" | Outcome;
  /** Its current progress, for display. Absent once it has ended. */
  readonly progress?: string;
  readonly durationMs?: number;
  /** 0 to 1. */
  readonly confidence?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Maximum number of characters of a text of a hop. */
const maxLength = 1_000;

/** Follows the hops of a run. */
export interface HopStates {
  /** @returns The hop that an event changes, if any. */
  add(event: MeshEvent): HopState | undefined;
}

/** Creates the states of one run. */
export function createHopStates(): HopStates {
  const hops = new Map<number, HopState>();

  function change(hop: HopState): HopState {
    hops.set(hop.id, hop);
    return hop;
  }

  return {
    add(event) {
      if (event.type === "hop:start" || event.type === "hop:refused") {
        const { hopId: id, parentId, to, via, query, reason } = event;
        return change({
          ...{ id, to, via, query: query.slice(0, maxLength) },
          ...(parentId !== undefined && { parentId }),
          ...(reason !== undefined && { reason }),
          state: event.type === "hop:refused" ? "refused" : "running",
          ...(event.type === "hop:refused" && { error: shortened(event.error) }),
        });
      }
      const hop = "hopId" in event ? hops.get(event.hopId) : undefined;
      if (hop === undefined) return undefined;
      if (event.type === "hop:end") {
        const { outcome: state, durationMs, confidence, error } = event;
        const { progress: _, ...rest } = hop;
        return change({
          ...{ ...rest, state, durationMs },
          ...(confidence !== undefined && { confidence }),
          ...(error !== undefined && { error: shortened(error) }),
        });
      }
      const progress = describeProgress(event);
      return progress === undefined || hop.state !== "running"
        ? undefined
        : change({ ...hop, progress: progress.slice(0, maxLength) });
    },
  };
}

function describeProgress(event: MeshEvent): string | undefined {
  if (event.type === "model:start" || event.type === "model:end") return modelLine(event);
  if (event.type !== "hop:progress" || !("message" in event.progress)) return undefined;
  return event.progress.message;
}

function shortened({ code, message }: { readonly code: string; readonly message: string }) {
  return { code, message: message.slice(0, maxLength) };
}
