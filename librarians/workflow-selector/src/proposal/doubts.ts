import type { Gathered } from "../incident/gather.js";
import { quoted } from "../incident/untrusted.js";
import { isMadeForSignal } from "../search/incident-types.js";
import { namesEntry } from "../search/named-entries.js";
import type { RankedWorkflow } from "../search/search-workflow-catalog.js";

/** Confidence of a proposal at most, 0 to 1, where nothing was observed beside what was reported. */
export const maxUnobservedConfidence = 0.65;

/** Distance in confidence below which two entries fit equally well. */
const nearTie = 0.06;
/** Number of words that what was observed and reported must share with an entry. */
const minWords = 2;
/** Share of one condition for using an entry that the observations must meet. */
const minSupport = 0.5;

/** Whether a librarian or the caller observed anything. */
export function isObserved({ from }: Gathered): boolean {
  return from === "facts" || from === "librarian";
}

/**
 * Why a person must look at a proposal, whatever its confidence: nothing was observed, what was observed contradicts what
 * was reported or what the entry is for or is not explained by it, the evidence is thin, or another entry fits as well.
 *
 * @param ranked - The selected entry first.
 * @param isAnalysed - A model assessed the root cause.
 */
export function doubtsOf(
  gathered: Gathered,
  ranked: readonly RankedWorkflow[],
  isAnalysed = false,
): readonly string[] {
  const [best, next] = ranked;
  const doubts = [...(gathered.doubts ?? [])];
  if (!isObserved(gathered) && !isAnalysed) {
    doubts.push("nothing was observed beside what was reported");
  }
  if (best === undefined) return doubts;
  if (next !== undefined && best.confidence - next.confidence < nearTie) {
    doubts.push(`${quoted(next.workflow.id, 80)} fits nearly as well`);
  }
  if (namesEntry(gathered.records, best.workflow)) {
    doubts.push(
      "what was reported names the workflow: to order it, to forbid it or because it was tried",
    );
  }
  return [...doubts, ...evidenceDoubts(best, gathered)];
}

function evidenceDoubts(
  { workflow, comparison, sharedWords }: RankedWorkflow,
  gathered: Gathered,
): readonly string[] {
  if (!isObserved(gathered) || comparison === undefined) return [];
  const { support, contradicted, unexplained } = comparison;
  if (contradicted !== undefined) {
    return [`what was observed speaks against it: ${quoted(contradicted.text, 120)}`];
  }
  if (isMadeForSignal(workflow, gathered.incident.observedSignal)) return [];
  if (support < minSupport || (sharedWords ?? 0) < minWords) {
    return ["little of what was observed speaks for it"];
  }
  const [first] = unexplained;
  return first === undefined
    ? []
    : [`part of what was observed has nothing to do with it: ${quoted(first, 120)}`];
}
