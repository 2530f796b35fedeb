import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { Finding } from "../diagnosis/finding.js";

/** What a look-up found: a line that says it, the list, and what it rests on. */
export interface LookedUp {
  readonly head: string;
  readonly lines: readonly string[];
  readonly objects: readonly KubernetesObject[];
  /** Words of the question that a list was narrowed by. Only a list has them. */
  readonly by?: readonly string[];
  /** Text that is shown as it is, under the line that says what it is. */
  readonly block?: string;
  /** True where nothing of it was read: then nothing is known of it. */
  readonly isUnread?: boolean;
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
  /** Words of the question that may be names. */
  readonly names: readonly string[];
  /** What is wrong among all that was looked at. */
  readonly findings: readonly Finding[];
  /** Milliseconds it looks back. */
  readonly periodMs: number | undefined;
  readonly query: string;
  readonly namespace: string | undefined;
}

/** Lines of a list that are shown; the rest is counted. */
const maxLines = 12;

/** The first lines of a list, and how many are left. */
export function cut(lines: readonly string[]): readonly string[] {
  const left = lines.length - maxLines;
  return left > 0 ? [...lines.slice(0, maxLines), `and ${left} more`] : lines;
}
