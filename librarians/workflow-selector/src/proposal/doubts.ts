import type { Gathered } from "../incident/gather.js";
import { quoted } from "../incident/untrusted.js";
import { readConcepts } from "../search/concepts.js";
import { namesEntry } from "../search/named-entries.js";
import { pickProbability, readScoreModel } from "../search/score-model.js";
import { type RankedWorkflow, speaksAgainst } from "../search/search-workflow-catalog.js";

/** Confidence of a proposal at most, 0 to 1, where nothing was observed beside what was reported. */
export const maxUnobservedConfidence = 0.65;

/** From it an entry is made for the trouble that is known, or one like it. */
const minMadeFor = -0.1;
/** Share of one condition for using an entry that the observations must meet in production. */
const minSupport = 0.5;

/** Logit by which a rival may be behind. */
const rivalMargin = 1.5;

/** Whether a librarian of this run or a trusted caller observed what was reported. */
export function isObserved({ evidence }: Gathered): boolean {
  return evidence === "observed";
}

/**
 * A selected entry as code without a model ranks it, then the others: a model takes no doubt away. One that code does not find
 * stands behind them.
 */
export function besideOwn(
  selected: RankedWorkflow | undefined,
  own: readonly RankedWorkflow[],
): readonly RankedWorkflow[] {
  if (selected === undefined) return [];
  const { workflow } = selected;
  const found = own.find((one) => one.workflow === workflow);
  const [first] = own;
  const behind = { ...selected, logit: Math.min(selected.logit, first?.logit ?? 0) };
  return [found ?? behind, ...own.filter((one) => one.workflow !== workflow)];
}

/**
 * Whether words alone say it, which many troubles may be behind: a symptom that was not observed, an alert that names no object,
 * or the words of a person that name no known trouble, where no librarian could look.
 */
export function isHearsay(
  gathered: Gathered,
  { madeFor }: Pick<RankedWorkflow, "madeFor">,
): boolean {
  const { isSymptom = false, isRelayed = false, from, looked = [], incident } = gathered;
  const isWordless = from === "sentence" && looked.length === 0 && madeFor === undefined;
  const isAboutNone = isRelayed && incident.resource?.name === undefined;
  return !isObserved(gathered) && (isSymptom || isAboutNone || isWordless);
}

/** How probably the first of the ranked entries is the right one, 0 to 1, and whether that is enough to propose it. */
export function judgePick(
  gathered: Gathered,
  ranked: readonly RankedWorkflow[],
): { readonly probability: number; readonly isProposed: boolean } {
  const [best, ...others] = ranked;
  if (best === undefined) return { probability: 0, isProposed: false };
  const { pick, minimum } = readScoreModel();
  const next = others.find(({ isOpposed }) => !isOpposed);
  const isKnown = best.madeFor !== undefined;
  const { evidence, isRelayed = false, looked = [] } = gathered;
  const isUnconfirmed = evidence === "reported" && (isRelayed || looked.length > 0);
  const known = isKnown ? "known" : "observed";
  const weights = pick[isObserved(gathered) ? known : "reported"];
  const reported = isUnconfirmed ? "unconfirmed" : "reported";
  const probability = pickProbability(best, next, weights);
  const isMeant = !isHearsay(gathered, best) && best.conditions.unmet.length === 0;
  return {
    probability,
    isProposed: isMeant && probability >= minimum[isObserved(gathered) ? known : reported],
  };
}

/**
 * Why a person must look at a proposal, beside the table of evidence: what was observed contradicts what was reported or what
 * the entry is for, or is not explained by it, a condition of the entry is not met or not known, the evidence is thin, or another
 * entry fits as well.
 *
 * @param ranked - The selected entry first.
 * @param isProduction - More is asked for where it counts as production.
 */
export function listDoubts(
  gathered: Gathered,
  ranked: readonly RankedWorkflow[],
  isProduction: boolean,
): readonly string[] {
  const [best, ...others] = ranked;
  const next = others.find(({ isOpposed }) => !isOpposed);
  const doubts = [...(gathered.doubts ?? [])];
  if (best === undefined) return doubts;
  const { sure } = readScoreModel();
  const margin = best.logit - (next?.logit ?? Number.NEGATIVE_INFINITY);
  const isSure =
    margin >= 0 &&
    judgePick(gathered, ranked).probability >= (isProduction ? sure.production : sure.elsewhere);
  const isNear = margin < Math.max(best.logit / 2, rivalMargin);
  if (!isSure && isNear && next !== undefined)
    doubts.push(`${quoted(next.workflow.id, 80)} fits nearly as well`);
  if (namesEntry(gathered.records, best.workflow)) {
    doubts.push(
      "what was reported names the workflow: to order it, to forbid it or because it was tried",
    );
  }
  const { conditions } = best.workflow;
  const isForGitOps = Object.keys(conditions).some((key) => key.startsWith("gitOps"));
  if (isManaged(gathered) && (isProduction || !isForGitOps))
    doubts.push("GitOps manages what it changes: what is done by hand would be undone");
  const isHelms = String(gathered.incident.traits?.helmManaged) === "true";
  if (isHelms && isProduction && !readConcepts(describeEntry(best)).has("helm"))
    doubts.push("Helm manages what it changes: its next release would undo what is done by hand");
  const { unmet, unknown } = best.conditions;
  doubts.push(
    ...unmet.map((one) => `its condition ${quoted(one, 80)} is not met`),
    ...unknown.map((one) => `whether its condition ${quoted(one, 80)} is met is not known`),
  );
  return [...doubts, ...evidenceDoubts(best, gathered, { isSure: isSure || isNear, isProduction })];
}

/** An entry by its name, what it does and its conditions. */
function describeEntry({ workflow: { id, description, conditions } }: RankedWorkflow): string {
  return [id, description.what, description.whenToUse, ...Object.keys(conditions)].join(" ");
}

function isManaged({ incident: { traits = {} } }: Gathered): boolean {
  return String(traits.gitOpsManaged) === "true";
}

function evidenceDoubts(
  { comparison, isOpposed, madeFor }: RankedWorkflow,
  gathered: Gathered,
  { isSure, isProduction }: { readonly isSure: boolean; readonly isProduction: boolean },
): readonly string[] {
  if (comparison === undefined) return [];
  const { excluded, clause, support, unexplained } = comparison;
  // Messages of a trouble that is known have the words of what it is mended by, denied or not.
  const isWordsAlone = isSure && !isProduction && madeFor !== undefined;
  const isMet = isOpposed || speaksAgainst(comparison);
  if (isMet || (excluded !== undefined && !isWordsAlone)) {
    return [`what was observed speaks against it: ${quoted(excluded ?? clause, 120)}`];
  }
  if (!isObserved(gathered)) return [];
  if (!isSure || (isProduction && support !== undefined && support < minSupport)) {
    return ["little of what was observed speaks for it"];
  }
  const [first] = unexplained;
  // Of a trouble that is known, log lines and events say the same in other words.
  return first === undefined || (madeFor !== undefined && madeFor >= minMadeFor)
    ? []
    : [`part of what was observed has nothing to do with it: ${quoted(first, 120)}`];
}
