import { followsEnough } from "@constellation/authoring";
import { groundText, type Misalignment, readPassages } from "@constellation/nlu";
import { z } from "zod";
import type { Gathered } from "../incident/gather.js";
import type { ReplyIssue, WorkflowSelection } from "../reply/selection.js";
import { readConcepts, readSpecificConcepts } from "../search/concepts.js";
import { isConcept, readTerms } from "../search/query-terms.js";
import type { ToolResult } from "./investigation.js";
import type { RootCause } from "./root-cause.js";

/** Id of the incident as it was given, for claims that rest on it. */
export const givenId = "R0";

/** What a root cause may add to what was read: it explains, in words of its own. It never contradicts. */
const explanation: readonly Misalignment[] = ["unknown-words", "elsewhere", "warning"];

/**
 * Keeps of a root cause what follows from what was read: each claim from the results it cites, its summary and
 * contributing factors from everything that was read. In place of a sentence that does not follow are the words of
 * what was read, or nothing.
 *
 * @param given - The incident as the model was given it.
 * @param canRead - Whether the model had tools: a claim must then cite results.
 */
export function groundRootCause(
  rootCause: RootCause,
  {
    results,
    given,
    canRead,
  }: {
    readonly results: readonly ToolResult[];
    readonly given: string;
    readonly canRead: boolean;
  },
): { readonly value: RootCause } | { readonly issues: readonly ReplyIssue[] } {
  const { claims, summary, contributingFactors } = rootCause;
  if (results.length > 0 && claims.length === 0) {
    return {
      issues: [
        {
          path: "claims",
          message: "expected one claim or more, each with the results it rests on",
        },
      ],
    };
  }
  const passages = readPassages([
    ...results.map(({ id, question, text }) => ({ id, text: `${question}\n\n${text}` })),
    { id: givenId, text: given },
  ]);
  const grounded = claims.map(({ text, results: cited }) => ({
    cited,
    ...groundText(
      text,
      passages.filter(({ id }) => cited.includes(id)),
      { allows: ["warning"] },
    ),
  }));
  const issues = grounded.flatMap(({ cited, kept, ungrounded }, place): readonly ReplyIssue[] => {
    if (!canRead) return [];
    const path = `claims.${place}`;
    if (cited.length === 0 || cited.some((id) => !passages.some((one) => one.id === id))) {
      const known = passages.map(({ id }) => id).join(", ");
      return [{ path: `${path}.results`, message: `expected ids of results that exist: ${known}` }];
    }
    const why = ungrounded.flatMap((one) => one.why).join(", ");
    return kept > 0 ? [] : [{ path, message: `does not follow from ${cited.join(", ")}: ${why}` }];
  });
  if (issues.length > 0) return { issues };
  const whole = groundText(summary, passages, { allows: explanation });
  if (!followsEnough(whole)) {
    const why = whole.ungrounded.flatMap((one) => one.why).join(", ");
    const message = `contradicts what was observed (${why})`;
    return { issues: [{ path: "root_cause_analysis.summary", message }] };
  }
  const factors = contributingFactors.map((factor) =>
    groundText(factor, passages, { allows: explanation }),
  );
  return {
    value: {
      ...rootCause,
      summary: whole.text,
      contributingFactors: contributingFactors.filter(
        (_factor, place) => factors[place]?.ungrounded.length === 0,
      ),
      claims: canRead ? grounded.map(({ text, cited }) => ({ text, results: cited })) : [],
      ungrounded: [
        ...whole.ungrounded,
        ...(canRead ? grounded.flatMap((one) => one.ungrounded) : []),
        ...factors.flatMap((one) => one.ungrounded.map(({ sentence, why }) => ({ sentence, why }))),
      ],
    },
  };
}

/** Why a model chose nothing: what of it follows from the incident; in its place stands the root cause. */
export function groundRefusal(
  selection: WorkflowSelection,
  given: string,
  { summary }: RootCause,
): WorkflowSelection {
  const known = readPassages([{ id: givenId, text: `${given}\n\n${summary}` }]);
  // Why nothing fits denies what no record says.
  const allows: readonly Misalignment[] = [...explanation, "denial", "total"];
  const follows = (text: string) => {
    const { kept, ungrounded } = groundText(text, known, { allows });
    return kept > 0 && ungrounded.length === 0;
  };
  const { analysis_summary, root_cause_assessment, warnings } = selection;
  return {
    ...selection,
    analysis_summary: follows(analysis_summary) ? analysis_summary : summary,
    root_cause_assessment: follows(root_cause_assessment) ? root_cause_assessment : summary,
    warnings: warnings.filter(follows),
  };
}

const factSchema = z.looseObject({
  signal_type: z.string().nullish().catch(undefined),
  caused_by: z.object({ signal_type: z.string() }).nullish().catch(undefined),
});

/**
 * Whether a root cause contradicts what was observed: its signal is neither the one that was observed, nor what the
 * facts name as its cause, nor one that a cited result observed and that is not itself a symptom of it. Where no
 * signal was observed, nothing contradicts.
 */
export function contradictsObservations(
  { signalType, claims }: RootCause,
  { incident: { observedSignal }, records }: Gathered,
  results: readonly ToolResult[],
): boolean {
  if (observedSignal === undefined || isAlike(signalType, observedSignal)) return false;
  const read = (record: unknown) => factSchema.safeParse(record).data;
  const causes = records.flatMap((record) => {
    const fact = read(record);
    return isAlike(fact?.signal_type, observedSignal) ? (fact?.caused_by?.signal_type ?? []) : [];
  });
  const cited = new Set(claims.flatMap((claim) => claim.results));
  const found = results
    .filter(({ id }) => cited.has(id))
    .flatMap(({ facts }) => facts.map(read))
    .filter((fact) => !isAlike(fact?.caused_by?.signal_type, observedSignal))
    .flatMap((fact) => fact?.signal_type ?? []);
  return ![...causes, ...found].some((one) => isAlike(one, signalType));
}

/** One signal, or two that speak of the same thing. */
function isAlike(one: string | null | undefined, other: string): boolean {
  if (one == null) return false;
  if (one.toLowerCase() === other.toLowerCase()) return true;
  const [mine, theirs] = [readConcepts(one), readConcepts(other)];
  return [...mine].some((name) => theirs.has(name));
}

/** Number of words, other than those of the object, from which a summary says something. */
const minWords = 4;

/** Whether a root cause names a cause: "the deployment is stuck" only says that something is wrong. */
export function hasContent(
  { summary }: Pick<RootCause, "summary">,
  { resource, owner }: Gathered["incident"],
): boolean {
  if (readSpecificConcepts(summary).size > 0) return true;
  const known = readTerms(
    [resource, owner].flatMap((one) => [one?.kind ?? "", one?.name ?? ""]).join(" "),
  );
  return (
    [...readTerms(summary)].filter((term) => !known.has(term) && !isConcept(term)).length >=
    minWords
  );
}
