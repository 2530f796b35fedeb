import type { KindName } from "../cluster/kinds.js";
import type { Interest } from "./detector.js";
import { withAllSymptoms } from "./diagnose.js";
import type { Finding } from "./finding.js";
import { toObjectId } from "./object-id.js";
import { getCausalDepth, type Severity } from "./signal-type.js";

/** What a ranking goes by. */
export interface RankOptions {
  readonly interest: Interest;
  /** Ids the question is about, and those of what they control. Empty: it is about everything. */
  readonly targets: ReadonlySet<string>;
  /** Ids of the objects it names. */
  readonly named: ReadonlySet<string>;
  readonly kinds: readonly KindName[];
  /** How much a cause matters, for a question about everything. */
  readonly weigh?: ((one: Finding) => number) | undefined;
}

const severities: readonly Severity[] = ["low", "medium", "high", "critical"];

/** Orders findings: current, relevant, certain, severe and deeper ones first. */
export function ranked(findings: readonly Finding[], options: RankOptions): readonly Finding[] {
  const isWide = options.targets.size === 0;
  const scored = findings.map((one) => ({
    one,
    score: [
      one.current ? 1 : 0,
      // A cordoned node explains less than the budget that keeps it from being drained.
      // A name that leads nowhere may do no harm.
      isOnlyCordoned(one) || isLoose(one) ? 0 : 1,
      concernsAny(one, options.named) ? 2 : concernsAny(one, options.targets) ? 1 : 0,
      one.verified ? 1 : 0,
      wordsFor(one, options),
      isWide ? (options.weigh?.(one) ?? severities.indexOf(one.severity)) : 0,
      -getCausalDepth(one.signal),
      severities.indexOf(one.severity),
      one.others.length,
      Number(one.values.restart_count ?? 0),
    ],
  }));
  return scored.sort((a, b) => compare(b.score, a.score)).map(({ one }) => one);
}

function isOnlyCordoned({ object, verified, values }: Finding): boolean {
  return object.kind === "Node" && !verified && values.unschedulable === true;
}

function isLoose({ signal, verified, symptoms }: Finding): boolean {
  return signal === "MissingReference" && !verified && symptoms.length === 0;
}

function wordsFor(one: Finding, { interest }: RankOptions): number {
  return Math.max(...withAllSymptoms(one).map(({ signal }) => interest.signals.get(signal) ?? 0));
}

/** True when a question's own words ask for a finding or for one of its symptoms. */
export function asks(one: Finding, { interest }: Pick<RankOptions, "interest">): boolean {
  return withAllSymptoms(one).some(({ signal }) => interest.signals.has(signal));
}

/** True when a finding, or one of its symptoms, is on one of these, or bears on one. */
export function concernsAny(one: Finding, ids: ReadonlySet<string>): boolean {
  return withAllSymptoms(one).some(
    ({ object, others, affects = [] }) =>
      [object, ...others].some((each) => ids.has(toObjectId(each))) ||
      affects.some((id) => ids.has(id)),
  );
}

/** True when a finding, or one of its symptoms, is on an object of one of these kinds. */
export function isOfKind(one: Finding, kinds: readonly string[]): boolean {
  return withAllSymptoms(one).some(({ object }) => kinds.includes(object.kind));
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
