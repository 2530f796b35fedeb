import type { Evidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import type { SignalType } from "../diagnosis/signal-type.js";

/** What a confidence rests on. */
export interface ConfidenceParts {
  readonly findings: readonly Finding[];
  /** Kinds and logs that were refused, late or cut. */
  readonly gaps: number;
  /** Kinds that bear on the question and were not recorded. */
  readonly unrecorded: number;
  /** The question's name was read as another, similar one. */
  readonly guessed: boolean;
  /** "Nothing is wrong" cannot be said of what was read. */
  readonly unsure: boolean;
  /** Yes or no is shown by a field that was read. */
  readonly isShown: boolean;
  /** No events could be read. */
  readonly withoutEvents: boolean;
}

/**
 * What an answer with findings rests on: `stated`, the cluster states the cause itself, such as an image that is not
 * found; `log`, a program ended and its log says why; `ended`, only that it ended, or is not ready, was read.
 */
export type Basis = "stated" | "log" | "ended";

/**
 * Share of answers that were right, by what they rest on. `eval/fit-confidence.ts` prints them, of what
 * `eval/apart.ts --answers` says of folders of cases; each folder is judged by the others.
 */
const rightOf: Readonly<Record<Basis, number>> = { stated: 0.93, log: 0.9, ended: 0.72 };
/** Bonus for agreement of another type of evidence: an event or a log besides the object. */
const agreed = 0.01;
const maxConfidence = 0.95;
/** Maximum confidence of a dangling name alone, of "nothing is wrong" after a complete reading, and of an answer that cannot tell. */
const unverified = 0.46;
const healthy = 0.89;
const unjudged = 0.77;
/** Confidence of a yes or no that a field shows, where more cannot be judged. */
const shown = 0.77;

/** Signals that report that something ended or is missing, without the reason. */
const withoutReason: ReadonlySet<SignalType> = new Set([
  "CrashLoopBackOff",
  "InitContainerFailed",
  "JobFailed",
  "PodFailed",
  "ApplicationError",
  "ReplicasUnavailable",
  "PodNotReady",
  "RolloutStuck",
]);

/** How directly a finding shows a cause. */
export function chooseBasis(signal: SignalType, evidence: ReadonlySet<Evidence["kind"]>): Basis {
  if (!withoutReason.has(signal)) return "stated";
  return evidence.has("log") ? "log" : "ended";
}

/** 0 to 1, from what was read: how directly the evidence shows the cause, what else says the same, what was unread. */
export function estimateConfidence(parts: ConfidenceParts): number {
  const { findings, gaps, unrecorded, guessed, unsure, isShown, withoutEvents } = parts;
  const [first] = findings;
  const unread = Math.min(0.3, gaps * 0.07) + (guessed ? 0.15 : 0);
  if (first === undefined) {
    if (unsure) return isShown ? rounded(shown - unread) : unjudged;
    return rounded(
      healthy - Math.min(0.1, unrecorded * 0.01) - (withoutEvents ? 0.03 : 0) - unread,
    );
  }
  return rateFinding(first, unread);
}

/** 0 to 1, how sure one finding is. @param unread - What is taken off for what was not read. */
export function rateFinding({ evidence, signal, verified }: Finding, unread = 0): number {
  const kinds = new Set(evidence.map(({ kind }) => kind));
  const all = rightOf[chooseBasis(signal, kinds)] + (kinds.size - 1) * agreed - unread;
  // The proof could not be read.
  return rounded(Math.min(all, verified ? maxConfidence : unverified));
}

function rounded(value: number): number {
  return Math.max(0.1, Math.round(value * 100) / 100);
}
