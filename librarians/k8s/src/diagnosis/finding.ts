import type { ClusterEvent, KubernetesObject } from "../cluster/cluster-reader.js";
import { type Condition, conditionEvidence } from "./conditions.js";
import { type Evidence, eventEvidence, fieldEvidence } from "./evidence.js";
import { describeCommand } from "./kubectl.js";
import type { Severity, SignalType } from "./signal-type.js";

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
  /** False when it is over: an earlier failure of what works now. */
  readonly current: boolean;
  /** Why it is not a failure that is there now, where that is known. */
  readonly standing?: FindingStatus | undefined;
  /** False when what would prove it could not be read. */
  readonly verified: boolean;
  /** True for what is too little to be named beside what is sure. */
  readonly isFaint?: boolean | undefined;
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

/** What an excerpt of evidence is made of: what an event or a condition says, or a field of the finding's object and what is there. */
export type Shown =
  | Evidence
  | ClusterEvent
  | Condition
  | readonly [path: string, text: string | undefined, at?: number | undefined]
  | undefined;

type Needed = "signal" | "severity" | "summary";

/** A finding as it is first written down. */
export type Draft = Pick<Finding, Needed> &
  Partial<Omit<Finding, Needed | "evidence">> & { readonly evidence: readonly Shown[] };

/** Fills in what most findings leave out, and drops what turned out not to be there. */
export function finding(draft: Draft & Pick<Finding, "object">): Finding {
  const { object, evidence, message, values = {} } = draft;
  return {
    others: [],
    next: describeCommand(object),
    symptoms: [],
    current: true,
    verified: true,
    logs: [],
    ...draft,
    message: message === "" ? undefined : message,
    values: defined(values),
    evidence: evidence.flatMap((one) => toEvidence(object, one)),
  };
}

function toEvidence(object: KubernetesObject, one: Shown): readonly Evidence[] {
  if (one === undefined) return [];
  if ("id" in one) return [one];
  if ("involved" in one) return [eventEvidence(one)];
  if ("status" in one) return [conditionEvidence(object, one)];
  const [path, text, at] = one;
  return text === undefined ? [] : [fieldEvidence(object, path, text, at)];
}

/** Drops keys without a value. */
export function defined(values: FactValues): FactValues {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined && value !== ""),
  );
}

/** A part of a sentence with what joins it to the rest. Empty where there is none. */
export function clause(before: string, text: string | undefined, after = ""): string {
  return text === undefined || text === "" ? "" : `${before}${text}${after}`;
}
