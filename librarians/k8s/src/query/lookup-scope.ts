import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Finding } from "../diagnosis/finding.js";

/** `in namespace shop`, `of shop/Deployment/web`: where the things of a list are, by what the question is about. */
export function printPlace(subject: string): string {
  const isPlace = subject === "the cluster" || subject.startsWith("namespace ");
  const [, place = isPlace ? subject : undefined] = subject.split(" in ");
  return place === undefined ? `of ${subject}` : `in ${place}`;
}

/** Where to look something up, and for what. */
export interface LookupScope {
  readonly view: ClusterView;
  /** What the question is about, for people. */
  readonly subject: string;
  /** Objects it names with all that belongs to them, or everything of the kinds it names. */
  readonly objects: readonly KubernetesObject[];
  /** Objects it names. Empty: it names none. */
  readonly named: readonly KubernetesObject[];
  /** Kinds that it names. */
  readonly kinds: readonly string[];
  /** Words of it that may be names. */
  readonly names: readonly string[];
  /** What is wrong among all that was looked at. */
  readonly findings: readonly Finding[];
  /** Milliseconds it looks back. */
  readonly periodMs: number | undefined;
  /** The question, or its clause that asks for this. */
  readonly query: string;
  readonly namespace: string | undefined;
}
