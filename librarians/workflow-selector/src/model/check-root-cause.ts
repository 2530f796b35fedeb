import { trimTrailing } from "@constellation/authoring";
import { z } from "zod";
import type { Gathered } from "../incident/gather.js";
import type { ReplyIssue } from "../reply/selection.js";
import { readConcepts, readSpecificConcepts } from "../search/concepts.js";
import { isConcept, readTerms } from "../search/query-terms.js";
import type { ToolResult } from "./investigation.js";
import type { RootCause } from "./root-cause.js";

/** Id of the incident as it was given, for claims that rest on it. */
export const givenId = "R0";

/** Marks of names and numbers, which can be invented: digits, inner capitals, and words joined. */
const particular = /\p{N}|\p{Ll}\p{Lu}|[\p{L}\p{N}][-_./][\p{L}\p{N}]/u;

/** Names and numbers of a text, each once, in lower case. */
function findParticulars(text: string): readonly string[] {
  const words = text
    .split(/\s+/)
    .map((word) => trimTrailing(word.replace(/^[^\p{L}\p{N}]+/u, ""), /[^\p{L}\p{N}%]/u))
    .filter((word) => particular.test(word));
  return [...new Set(words.map((word) => word.toLowerCase()))];
}

/**
 * Checks that every claim rests on what was read: it cites results that exist, and each number and name in
 * it is in one of them.
 *
 * @param given - The incident as the model was given it.
 */
export function checkClaims(
  { claims }: RootCause,
  results: readonly ToolResult[],
  given: string,
): readonly ReplyIssue[] {
  if (results.length > 0 && claims.length === 0) {
    return [
      { path: "claims", message: "expected one claim or more, each with the results it rests on" },
    ];
  }
  const texts = new Map(results.map(({ id, question, text }) => [id, `${question}\n${text}`]));
  texts.set(givenId, given);
  return claims.flatMap(({ text, results: cited }, place): readonly ReplyIssue[] => {
    const path = `claims.${place}`;
    const unknown = cited.filter((id) => !texts.has(id));
    if (unknown.length > 0 || cited.length === 0) {
      const known = [...texts.keys()].join(", ");
      return [{ path: `${path}.results`, message: `expected ids of results that exist: ${known}` }];
    }
    const read = cited
      .map((id) => texts.get(id) ?? "")
      .join("\n")
      .toLowerCase();
    const invented = findParticulars(text).filter((one) => !read.includes(one));
    return invented.length === 0
      ? []
      : [{ path, message: `${invented.slice(0, 5).join(", ")} is not in ${cited.join(", ")}` }];
  });
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
