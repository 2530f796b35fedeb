import type { KubernetesObject } from "../cluster/cluster-reader.js";

/** What a look-up found: a line that says it, the list, and what it rests on. */
export interface LookedUp {
  readonly head: string;
  readonly lines: readonly string[];
  readonly objects: readonly KubernetesObject[];
}

/** Where to look, and for what. */
export interface LookupScope {
  /** What the question is about, for people. */
  readonly subject: string;
  /** Objects it names with all that belongs to them, or everything of the kinds it names. */
  readonly objects: readonly KubernetesObject[];
  /** Objects it names. Empty: it names none. */
  readonly named: readonly KubernetesObject[];
  readonly kinds: readonly string[];
  /** Milliseconds it looks back. */
  readonly periodMs: number | undefined;
  readonly query: string;
  readonly namespace: string | undefined;
}
