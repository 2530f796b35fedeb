/** Description of a librarian, for people and for librarians that choose a delegate. */
export interface LibrarianInfo {
  /** Unique in its router: `^[a-z0-9-]+$`, at most 64 characters. */
  readonly id: string;
  /** What it can answer, in a sentence or two. */
  readonly description?: string | undefined;
  /** For people; heads its part of a merged answer. The id where there is none. */
  readonly name?: string | undefined;
  /** The team that owns it. */
  readonly team?: string | undefined;
  /** What it can do, hierarchical, `^[a-z0-9.-]+$`: `kubernetes.facts` is also a `kubernetes`. */
  readonly capabilities?: readonly string[] | undefined;
  /** Examples of questions it answers well. */
  readonly examples?: readonly string[] | undefined;
  /** Ids it may delegate to. None given: any. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Whether asking it changes anything outside. `read` where not given. */
  readonly effects?: Effects | undefined;
}

/** A librarian that the current hop may delegate to. */
export type Delegate = LibrarianInfo;

/** A librarian that the current hop may not delegate to for now. */
export interface UnavailableDelegate extends LibrarianInfo {
  /** `down` at its last health check, or its circuit breaker is open. */
  readonly reason: "down" | "circuit-open";
  /** Milliseconds until its breaker lets a call through. */
  readonly retryAfterMs?: number | undefined;
}

/** `read`: asking twice does no harm. `write`: it does, so the router never asks twice by itself. */
export type Effects = "read" | "write";
