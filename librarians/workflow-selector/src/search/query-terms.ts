import { createAnalyzer } from "@constellation/retrieval";
import { conceptsOf, inWords } from "./concepts.js";
import type { CheckedQuery } from "./query.js";

/*
 * How much a word counts by where it stands: what was observed decides over what the alert says. The figures were chosen
 * on the development half of eval/cases; those near them give the same picks.
 */
const observedWeight = 1;
const signalWeight = 0.8;
const detailWeight = 0.6;
/** How much a concept counts beside a word that is as rare. */
const conceptWeight = 2;

/** Maximum number of characters of each part of a query that are read. */
const maxLength = 4_000;
/** Maximum number of observations that are read. */
const maxObservations = 50;

const analyzer = createAnalyzer();

/** Words of a text as the analyzer knows them, and the concepts it speaks of, each once. */
export function termsOf(text: string): ReadonlySet<string> {
  const words = analyzer.terms(inWords(text)).map((term) => term.text);
  return new Set([...words, ...[...conceptsOf(text)].map((name) => `concept:${name}`)]);
}

/** How much a term of a query counts. */
export interface WeighedTerm {
  /** Above 0. */
  readonly weight: number;
  /** Whether the signal's name or an observation has it, and not only the alert's text. */
  readonly isCore: boolean;
}

/** The terms of a query, each once. */
export function weighTerms(query: CheckedQuery): ReadonlyMap<string, WeighedTerm> {
  const weights = new Map<string, WeighedTerm>();
  const add = (text: string, weight: number, isCore = true) => {
    for (const term of termsOf(text.slice(0, maxLength))) {
      const known = weights.get(term);
      const own = weight * (isConcept(term) ? conceptWeight : 1);
      weights.set(term, {
        weight: Math.max(own, known?.weight ?? 0),
        isCore: isCore || known?.isCore === true,
      });
    }
  };
  for (const text of observationsOf(query)) add(text, observedWeight);
  add(withoutSeverity(query), signalWeight);
  add(query.details ?? "", detailWeight, false);
  return weights;
}

/** What was observed beside the signal, bounded. */
export function observationsOf({ observations = [] }: CheckedQuery): readonly string[] {
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
