import { createAnalyzer } from "@constellation/retrieval";
import { inWords, readConcepts } from "./concepts.js";
import { describeTraits } from "./conditions.js";
import type { CheckedQuery } from "./query.js";
import { explainSignal, type Trouble } from "./signals.js";

/** Maximum number of characters of each part of a query that are read. */
const maxLength = 4_000;
/** Maximum number of observations that are read. */
const maxObservations = 50;
/** Maximum number of observations, the most important first, that show the cause of a signal. */
const maxExplained = 10;

const analyzer = createAnalyzer();

/** Words of a text as the analyzer knows them, and the concepts it speaks of, each once. */
export function readTerms(text: string): ReadonlySet<string> {
  const words = analyzer.terms(inWords(text)).map((term) => term.text);
  return new Set([...words, ...[...readConcepts(text)].map((name) => `concept:${name}`)]);
}

/** Where the terms of a query come from. */
export const termSources = ["signal", "details", "observed", "mend"] as const;
export type TermSource = (typeof termSources)[number];

/** The terms of a query by where they come from: the signal's name, what the alert says, what was observed, what mends it. */
export function readQueryTerms(
  query: CheckedQuery,
): Readonly<Record<TermSource, ReadonlySet<string>>> {
  const signal = withoutSeverity(query);
  const observations = limitObservations(query);
  const { troubles, areCauses } = explainQuery(query);
  const read = (texts: readonly string[]) =>
    new Set(texts.flatMap((text) => [...readTerms(text.slice(0, maxLength))]));
  return {
    // A signal with many causes says less than the cause that its messages show.
    signal: read(areCauses ? troubles.map((one) => one.means) : [signal]),
    details: read([query.details ?? "", ...(areCauses ? [signal] : [])]),
    observed: read([...observations, ...describeTraits(query)]),
    mend: read(troubles.map((one) => one.mends)),
  };
}

/** Traits of an object that a tool manages: what is wrong with it may be wrong with what that tool applies. */
const managers = ["gitOpsManaged", "helmManaged"] as const;

/** The troubles of a query that are known. */
export function troublesOf(query: CheckedQuery): readonly Trouble[] {
  const { troubles } = explainQuery(query);
  const manager = managers.find((trait) => String(query.observed?.traits?.[trait]) === "true");
  if (troubles.length === 0 || manager === undefined) return troubles;
  return [...troubles, ...explainSignal(manager).own];
}

/**
 * The causes that the messages of the signals of a query show; where they show none, what all causes of the first one have in
 * common: a `CrashLoopBackOff` beside another trouble follows from that.
 */
function explainQuery(query: CheckedQuery): {
  readonly troubles: readonly Trouble[];
  readonly areCauses: boolean;
} {
  const observations = limitObservations(query);
  const messages = observations.slice(0, maxExplained);
  const signal = withoutSeverity(query);
  const names = [...new Set([signal, ...namesIn(signal), ...observations])];
  const explained = names.map((name) => explainSignal(name, messages));
  const [first, ...others] = explained.filter(({ own }) => own.length > 0);
  const causes = others.flatMap((one) => one.causes);
  if (first === undefined) return { troubles: [], areCauses: false };
  const isShown = first.causes.length > 0;
  const troubles = [...new Set([...(isShown ? first.causes : first.own), ...causes])];
  return { troubles, areCauses: isShown };
}

/** Words of a sentence that are written as names of signals are: "OOMKilled" in "checkout is OOMKilled". */
function namesIn(sentence: string): readonly string[] {
  return sentence.split(/[^A-Za-z]+/).filter((word) => /[A-Za-z][A-Z]/.test(word));
}

/** What was observed beside the signal, bounded. */
export function limitObservations({ observations = [] }: CheckedQuery): readonly string[] {
  return observations.slice(0, maxObservations);
}

/** Whether a term is a concept and not a word. */
export function isConcept(term: string): boolean {
  return term.startsWith("concept:");
}

/** "OOMKilled critical" as "OOMKilled": the severity is compared as a label. */
function withoutSeverity({ incident_type = "", observed }: CheckedQuery): string {
  const severity = observed?.severity?.toLowerCase();
  const words = incident_type.split(" ");
  return words.length > 1 && words.at(-1)?.toLowerCase() === severity
    ? words.slice(0, -1).join(" ")
    : incident_type;
}
