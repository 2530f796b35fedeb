import { readQuestion } from "@constellation/nlu";
import type { Evidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { hasTrait, type SignalType } from "../diagnosis/signal-type.js";
import { reportsFailure } from "../question/lookup.js";
import { polarIn } from "../question/polar.js";
import { parseQuestion } from "../question/question.js";
import { probabilities } from "./probabilities.js";

/**
 * What an answer rests on. With findings: `stated`, the cluster states the cause itself, such as an image that is not found; `log`, a
 * program ended and its log says why; `ended`, only that it ended, or is not ready, was read; `reported`, a program that runs
 * reports an error; `past`, what is over. Without: `healthy`, `unjudged`, or what was looked up, wholly or `partial`.
 */
export type Basis = keyof typeof probabilities;

/** How a question asks: so that yes or no answers it, reporting that something fails, or in another way. */
export type Asking = keyof (typeof probabilities)[Basis];

/** What a confidence rests on. */
export interface ConfidenceParts {
  readonly query: string;
  readonly findings: readonly Finding[];
  /** Kinds and logs that were refused, late or cut. */
  readonly gaps: number;
  /** The question's name was read as another, similar one. */
  readonly guessed: boolean;
  /** "Nothing is wrong" cannot be said of what was read. */
  readonly unsure: boolean;
}

/** Maximum confidence of a finding whose proof could not be read, and of a list that ignores words of the question. */
const unverified = 0.46;
/** What is taken off for each thing that was not read, in all, and for a name that was read as another one. */
const perGap = 0.07;
const maxGaps = 0.3;
const perGuess = 0.15;

/** How directly a finding shows a cause. */
export function chooseBasis(
  signal: SignalType,
  evidence: ReadonlySet<Evidence["kind"]>,
  current = true,
): Basis {
  if (!current) return "past";
  if (signal === "ApplicationError") return "reported";
  if (!hasTrait(signal, "withoutReason")) return "stated";
  return evidence.has("log") ? "log" : "ended";
}

/** How a question asks. */
export function readAsking(query: string): Asking {
  const { act } = readQuestion(query);
  if (act === "yes-no" || polarIn(query) !== undefined) return "polar";
  const isTold = act === "why" || reportsFailure(query) || parseQuestion(query).isAboutFailure;
  return isTold ? "told" : "other";
}

/** The probability that a diagnosis is right, fitted to first answers of the same sort, less what was not read. */
export function estimateConfidence(parts: ConfidenceParts): number {
  const { query, findings, gaps, guessed, unsure } = parts;
  const [first] = findings;
  const asking = readAsking(query);
  const unread = Math.min(maxGaps, gaps * perGap) + (guessed ? perGuess : 0);
  return first === undefined
    ? rounded(probabilities[unsure ? "unjudged" : "healthy"][asking] - (unsure ? 0 : unread))
    : rateFinding(first, asking, unread);
}

/**
 * The probability that what was looked up answers a question.
 *
 * @param isPartial - True where not all of it could be read.
 * @param isOther - True where it was not read at all, or is not narrowed by all words of the question.
 */
export function estimateLookup(query: string, isPartial: boolean, isOther = false): number {
  const all = probabilities[isPartial || isOther ? "partial" : "lookup"][readAsking(query)];
  return rounded(isOther ? Math.min(all, unverified) : all);
}

/** As {@link estimateConfidence}, of one finding. @param unread - What is taken off for what was not read. */
export function rateFinding(
  { evidence, signal, verified, current }: Finding,
  asking: Asking = "told",
  unread = 0,
): number {
  const basis = chooseBasis(signal, new Set(evidence.map(({ kind }) => kind)), current);
  const all = probabilities[basis][asking] - unread;
  return rounded(verified ? all : Math.min(all, unverified));
}

function rounded(value: number): number {
  return Math.max(0.1, Math.round(value * 100) / 100);
}
