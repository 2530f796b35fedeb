/** Description of a librarian, for people and for librarians that choose a delegate. */
export interface LibrarianInfo {
  /** Id of the librarian, unique in its router: lower-case letters, digits and hyphens, at most 64. */
  readonly id: string;
  /** What it can answer, in a sentence or two. */
  readonly description?: string | undefined;
  /** Display name; the heading of its part of a merged answer. Default: the id. */
  readonly name?: string | undefined;
  /** The team that owns it. */
  readonly team?: string | undefined;
  /**
   * What it can do, hierarchical: `kubernetes.facts` is also found as `kubernetes`. Each of lower-case letters,
   * digits, hyphens and dots.
   */
  readonly capabilities?: readonly string[] | undefined;
  /** Examples of questions it answers well. */
  readonly examples?: readonly string[] | undefined;
  /**
   * A sketch of its content: words that distinguish it from others. In a mesh with more librarians than can be
   * probed, they select those to probe. Everyone who may list the librarian reads them. `sketchContent` of
   * `@constellation/retrieval` makes it.
   */
  readonly vocabulary?: readonly string[] | undefined;
  /** Ids it may delegate to. Default: any; empty: none. */
  readonly delegatesTo?: readonly string[] | undefined;
  /** Whether asking it changes anything outside. Default: read. */
  readonly effects?: Effects | undefined;
  /**
   * Its actions where `effects` is `write`, as orders begin: a verb, optionally with a particle and an object:
   * `refund`, `roll back`, `cancel order`. Routing calls it only for a clause that plainly orders one of these;
   * without `acts`, routing only offers it. Maximum 64.
   */
  readonly acts?: readonly string[] | undefined;
  /**
   * Whether a write with an unknown outcome may be repeated, because the other side recognises
   * `context.idempotencyKey`.
   *
   * @default false
   */
  readonly idempotent?: boolean | undefined;
  /** Version of its code. A run that continues does not reuse reads of another version. */
  readonly version?: string | undefined;
}

/** A librarian that the current hop may delegate to. */
export type Delegate = LibrarianInfo;

/** A librarian that is unavailable at present. */
export interface UnavailableDelegate extends LibrarianInfo {
  /** `down` at its last health check, or its circuit breaker is open. */
  readonly reason: "down" | "circuit-open";
  /** Milliseconds until its breaker lets a call through. */
  readonly retryAfterMs?: number | undefined;
}

/** `read`: a repeated call is harmless. `write`: it is not, so the router never repeats one by itself. */
export type Effects = "read" | "write";
