import type { Librarian } from "@constellation/core";

/** One way to run delegations, wired up for the scenarios. */
export interface Variant {
  readonly name: string;
  /** Librarians that pass the query on, one to the next, and a last one that answers. */
  chain(shape: Chain): Wired | Promise<Wired>;
  /** A librarian that delegates to many at once. */
  fanOut(shape: FanOut): Wired | Promise<Wired>;
}

export interface Chain {
  /** Hand-overs: one fewer than librarians. */
  readonly delegations: number;
  /** Waited for by the last librarian before it answers. None given: it answers at once. */
  readonly wait?: (() => Promise<void>) | undefined;
  /** Every librarian looks whether its signal has aborted. */
  readonly readsSignal?: boolean | undefined;
}

export interface FanOut {
  readonly children: number;
  /** What each child does with its signal before it answers. None given: it answers at once. */
  readonly work?: ((index: number, signal: AbortSignal) => Promise<void>) | undefined;
}

/** A scenario, ready to be asked again and again. */
export interface Wired {
  ask(signal?: AbortSignal): Promise<unknown>;
  /** The answers in what `ask` gave, to compare variants before they are timed. */
  answers(result: unknown): readonly unknown[];
  /** Releases what it holds. */
  close?(): Promise<void>;
}

/** What a baseline with librarians of the router's own type offers. */
export interface Mesh {
  add(id: string, librarian: Librarian): void;
  ask(to: string, query: string, signal?: AbortSignal): Promise<unknown>;
}

/** The question of every scenario. */
export const query = "which pods are unhealthy?";
