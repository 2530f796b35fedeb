import type { KubernetesObject } from "../cluster/cluster-reader.js";
import type { Severity, SignalType } from "./signal-type.js";

/** One thing that was read, and where. */
export interface Evidence {
  /** Unique in an answer: `shop/Pod/api-1#status.containerStatuses[0]`, `shop/Event/api-1.17c`, `shop/Pod/api-1/log/web:12`. */
  readonly id: string;
  readonly kind: "object" | "event" | "log";
  /** What stood there; text of others is redacted and cut. */
  readonly text: string;
  /** Epoch milliseconds, where it is known. */
  readonly at?: number | undefined;
}

/** An observed deviation from the desired state. */
export interface Finding {
  readonly signal: SignalType;
  readonly severity: Severity;
  readonly object: KubernetesObject;
  /** More objects with the same finding, such as pods of one workload. */
  readonly others: readonly KubernetesObject[];
  /** One sentence, of what was read. */
  readonly summary: string;
  /** What Kubernetes or the program said, word for word. */
  readonly message?: string | undefined;
  readonly evidence: readonly Evidence[];
  /** What to check next: commands that only read. */
  readonly next: readonly string[];
  /** Findings that follow from this one. */
  readonly symptoms: readonly Finding[];
  /** 0 to 1: how directly the cluster shows it. */
  readonly confidence: number;
  /** False when it is over: an earlier failure of what works now. */
  readonly current: boolean;
  /** Why it is not a failure that is there now, where that is known. */
  readonly standing?: FindingStatus | undefined;
  /** False when what would prove it could not be read. */
  readonly verified: boolean;
  /** Observed values for `metadata.facts`, by ADR-041's kind of name. */
  readonly values: FactValues;
  /** Containers whose log says more. */
  readonly logs: readonly LogWish[];
  /** Ids of objects that depend on this one beyond the usual links, such as pods of a quota. */
  readonly affects?: readonly string[] | undefined;
  /** Ids of objects that this one waits for: what is wrong with one of them explains it. */
  readonly waitsFor?: readonly string[] | undefined;
  /** Findings with the same key are one: the same failure in sibling pods. */
  readonly key?: string | undefined;
}

/** How a finding stands to now: its object was replaced, has only just started, or fails again and again. */
export interface FindingStatus {
  readonly kind: "over" | "early" | "recurring";
  /** `other pods have replaced it, and all that Deployment web wants are ready`, `4 times in 5 h, the last 12 min ago` */
  readonly why: string;
}

/** Values of facts: text, numbers, booleans, lists and records of them. */
export type FactValues = Readonly<Record<string, unknown>>;

/** A log worth reading. */
export interface LogWish {
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string | undefined;
  /** The run before the last restart. */
  readonly previous: boolean;
}

type Needed = "signal" | "severity" | "object" | "summary" | "evidence";

/** Fills in what most findings leave out. */
export function finding(parts: Pick<Finding, Needed> & Partial<Finding>): Finding {
  return {
    others: [],
    next: [],
    symptoms: [],
    confidence: 0.9,
    current: true,
    verified: true,
    values: {},
    logs: [],
    ...parts,
  };
}
