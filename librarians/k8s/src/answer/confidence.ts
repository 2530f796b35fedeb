import type { Finding } from "../diagnosis/finding.js";

/** What a confidence rests on. */
export interface ConfidenceParts {
  readonly findings: readonly Finding[];
  /** Kinds and logs that could not be read. */
  readonly gaps: number;
  /** The question's name was read as another, similar one. */
  readonly guessed: boolean;
  /** Nothing says that anything was looked at: no status. */
  readonly thin: boolean;
}

/** 0 to 1: how directly the cluster says it, less for what could not be read. */
export function confidenceOf({ findings, gaps, guessed, thin }: ConfidenceParts): number {
  const [first] = findings;
  const base = first === undefined ? (thin ? 0.6 : 0.85) : first.confidence;
  const less = Math.min(0.3, gaps * 0.07) + (guessed ? 0.15 : 0);
  return Math.max(0.1, Math.round((base - less) * 100) / 100);
}
