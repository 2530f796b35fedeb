import { createAnalyzer } from "@constellation/retrieval";
import { inWords, readConcepts } from "./concepts.js";
import { describeTraits } from "./conditions.js";
import type { CheckedQuery } from "./query.js";
import { type Explained, explainSignal } from "./score-model.js";

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
export const termSources = ["signal", "details", "observed", "meaning"] as const;
export type TermSource = (typeof termSources)[number];

/**
 * The terms of a query by where they come from: the signal's name, what the alert says, what was observed, and what the
 * signals among these mean.
 */
export function readQueryTerms(
  query: CheckedQuery,
): Readonly<Record<TermSource, ReadonlySet<string>>> {
  const signal = withoutSeverity(query);
  const observations = limitObservations(query);
  const explained = explainQuery(query);
  const read = (texts: readonly string[]) =>
    new Set(texts.flatMap((text) => [...readTerms(text.slice(0, maxLength))]));
  // A signal with many causes says less than the cause that its messages show.
  const causes = explained.flatMap(({ causes: shown }) => shown);
  return {
    signal: read(causes.length > 0 ? causes : [signal]),
    details: read([query.details ?? "", ...(causes.length > 0 ? [signal] : [])]),
    observed: read([...observations, ...describeTraits(query)]),
    meaning: read(meaningsIn(explained)),
  };
}

/** What the signals of a query mean: the causes of each that its messages show, else what all of them have in common. */
export function meaningsOf(query: CheckedQuery): readonly string[] {
  return [...new Set(meaningsIn(explainQuery(query)))];
}

function meaningsIn(explained: readonly Explained[]): readonly string[] {
  return explained.flatMap(({ means, causes }) => (causes.length > 0 ? causes : means));
}

function explainQuery(query: CheckedQuery): readonly Explained[] {
  const observations = limitObservations(query);
  const messages = observations.slice(0, maxExplained);
  return [...new Set([withoutSeverity(query), ...observations])].map((text) =>
    explainSignal(text, messages),
  );
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
