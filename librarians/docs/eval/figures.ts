import { auroc, meanOf } from "../../../packages/retrieval/bench/metrics.js";
import { bestF1Cut, calibrationError, caughtAt } from "./cuts.js";
import type { Measured, Measurement } from "./measure.js";

/** Makes the figures of a measurement, by name; shares are 0 to 1. */
export function figuresOf({ queries, sections, indexMs, heapMb }: Measurement) {
  const of = (type: string) => queries.filter(({ query }) => query.type === type);
  const [answerable, outside, unanswerable] = [
    of("answerable"),
    of("out-of-domain"),
    of("unanswerable"),
  ];
  const far = outside.filter(({ query }) => query.band === "far");
  const chances = (some: readonly Measured[]) => some.map((each) => each.answerable);
  const yes = chances(answerable);
  const ranking = meanOf(answerable.map((each) => each.ranking));
  const refused = outside.filter(({ isAnswered }) => !isAnswered).length;
  const wronglyRefused = answerable.filter(({ isAnswered }) => !isAnswered).length;
  const high = answerable.filter(({ level, isAnswered }) => level === "high" && isAnswered);
  const medium = answerable.filter(({ level, isAnswered }) => level === "medium" && isAnswered);
  const sureOutside = outside.filter(
    ({ level, isAnswered }) => level !== "low" && isAnswered,
  ).length;
  const foretold = answerable.map(({ confidence, isRight }) => ({
    chance: confidence,
    is: isRight,
  }));
  const checks = queries.map(({ check }) => check);
  const sum = (values: readonly number[]) => values.reduce((total, each) => total + each, 0);
  const share = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
  return {
    queries: queries.length,
    sections,
    "section hit@1": ranking.hit1,
    "section hit@5": ranking.hit5,
    "section hit@10": ranking.hit10,
    "section MRR@10": ranking.mrr10,
    "section nDCG@10": ranking.ndcg10,
    "file hit@1": ranking.fileHit1,
    "file hit@5": ranking.fileHit5,
    "file MRR@10": ranking.fileMrr10,
    "out of domain: AUROC": auroc(yes, chances(outside)),
    "out of domain: F1 of refusals": share(2 * refused, refused + wronglyRefused + outside.length),
    "out of domain: best F1": bestF1Cut(yes, chances(outside)).f1,
    "out of domain, refused": share(refused, outside.length),
    "unanswerable, refused": share(
      unanswerable.filter(({ isAnswered }) => !isAnswered).length,
      unanswerable.length,
    ),
    "answerable refused": share(wronglyRefused, answerable.length),
    "out of domain caught at 5 % false refusals": caughtAt(0.05, yes, chances(outside)),
    "the same, far subjects": caughtAt(0.05, yes, chances(far)),
    "unanswerable caught at 5 % false refusals": caughtAt(0.05, yes, chances(unanswerable)),
    "high is right at top 1": share(high.filter(({ isRight }) => isRight).length, high.length),
    "high, share of answerable": share(high.length, answerable.length),
    "confidence: ECE": calibrationError(foretold),
    "medium is right at top 1": share(
      medium.filter(({ isRight }) => isRight).length,
      medium.length,
    ),
    "medium, share of answerable": share(medium.length, answerable.length),
    "out of domain at 0.7 or more": share(sureOutside, outside.length),
    "citations that do not exist": sum(checks.map(({ invented }) => invented.length)),
    citations: sum(checks.map(({ cited }) => cited)),
    "sentences that are not verbatim": sum(checks.map(({ strange }) => strange.length)),
    sentences: sum(checks.map(({ sentences }) => sentences)),
    "answers with raw markup": checks.filter(({ raw }) => raw !== undefined).length,
    "answers over 4,000 characters": checks.filter(({ tooLong }) => tooLong).length,
    "index, ms": indexMs,
    "search p50, ms": quantile(
      queries.map(({ searchMs }) => searchMs),
      0.5,
    ),
    "search p95, ms": quantile(
      queries.map(({ searchMs }) => searchMs),
      0.95,
    ),
    "answer p50, ms": quantile(
      queries.map(({ answerMs }) => answerMs),
      0.5,
    ),
    "answer p95, ms": quantile(
      queries.map(({ answerMs }) => answerMs),
      0.95,
    ),
    "heap, MB": heapMb,
  };
}

function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(at * sorted.length)] ?? 0;
}
