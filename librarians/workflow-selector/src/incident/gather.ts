import type { Context, Source } from "@constellation/core";
import { readJsonReply } from "@constellation/core/authoring";
import { conceptsOf } from "../search/concepts.js";
import { checkLabels, withoutWrongLabels } from "./business-labels.js";
import type { Incident } from "./incident.js";
import { factsIn, joinIncidents, readFacts } from "./observed-facts.js";
import { isAlertmanager, readAlertmanager } from "./read-alertmanager.js";
import { readSignal } from "./read-signal.js";
import { quoted } from "./untrusted.js";

/** An incident, and how it became known. */
export interface Gathered {
  readonly incident: Incident;
  /** `facts` came from the caller, `librarian` from an investigation; the other two were not investigated. */
  readonly from: "facts" | "signal" | "librarian" | "sentence";
  readonly warnings: readonly string[];
  /** Records as they came: facts, the most important first, then the signal. */
  readonly records: readonly unknown[];
  /** What was observed contradicts what was reported, or could not be observed: a person must look. */
  readonly doubts?: readonly string[] | undefined;
  /** What the documentation has on it, the best first. */
  readonly documents?: readonly Source[] | undefined;
}

/** Maximum number of characters of a question that are kept as a description of the incident. */
const maxSentence = 8_000;

/**
 * What is known without asking another librarian: facts in the context's metadata, and a signal, in JSON in the query or
 * in the metadata. A signal is one alert, or a webhook of Alertmanager as it comes. Where both are given, the facts win,
 * and the business labels of the signal are kept.
 *
 * @throws MeshError `INVALID_QUERY` for a priority or risk tolerance that does not exist.
 */
export function gatherGiven(query: string, { metadata }: Context): Gathered | undefined {
  const json = query.includes("{") ? asSignal(readJsonReply(query)) : undefined;
  const reported = readSignal(json) === undefined ? asSignal(metadata?.signal) : json;
  const signal = readSignal(reported);
  const facts = factsIn(metadata?.facts);
  const records = signal === undefined ? [] : [reported];
  const given = withFacts({ signal, records }, facts);
  if (given !== undefined) {
    checkLabels(given.incident);
    return { ...given, from: "facts" };
  }
  if (signal === undefined) return undefined;
  checkLabels(signal);
  return { incident: signal, from: "signal", warnings: [], records };
}

/** A question in words, as far as it describes an incident. */
export function gatherSentence(query: string): Gathered {
  const incident = { message: query.trim().slice(0, maxSentence), facts: {} };
  return { incident, from: "sentence", warnings: [], records: [] };
}

/** Adds what librarians observed to what was reported. Undefined: they observed nothing that is wrong. */
export function gatherObserved(
  reported: Gathered,
  facts: readonly unknown[],
): Gathered | undefined {
  const isSignal = reported.from === "signal";
  const signal = isSignal ? reported.incident : undefined;
  const observed = withFacts({ signal, records: reported.records }, facts);
  if (observed === undefined || (isSignal && isHealthy(observed.incident))) return undefined;
  const { incident, warnings } = withoutWrongLabels(observed.incident);
  return {
    ...observed,
    incident,
    from: "librarian",
    warnings: [...observed.warnings, ...warnings],
  };
}

/** Whether the facts say that nothing is wrong. */
export function isHealthy({ signalType }: Incident): boolean {
  return signalType?.toLowerCase() === "healthy";
}

function withFacts(
  {
    signal,
    records,
  }: { readonly signal: Incident | undefined; readonly records: readonly unknown[] },
  facts: readonly unknown[],
): Omit<Gathered, "from"> | undefined {
  const { fact, observations } = readFacts(facts, signal);
  if (fact === undefined && observations.length === 0) return undefined;
  const reported = [signal?.signalType, signal?.message].flatMap((one) => one ?? []);
  const incident: Incident = {
    ...joinIncidents(signal, fact),
    observations,
    observedSignal: fact?.signalType,
    ...(reported.length > 0 && fact?.signalType !== undefined && { reported: reported.join(": ") }),
  };
  const disagreement = disagreementOf(signal?.signalType, fact?.signalType);
  return {
    incident,
    records: [...facts, ...records],
    warnings: disagreement === undefined ? [] : [disagreement],
    ...(disagreement !== undefined && { doubts: [disagreement.replace(/\.$/, "")] }),
  };
}

/** Two names of signals that speak of nothing in common: what was observed decides. */
function disagreementOf(alert: string | undefined, observed: string | undefined) {
  if (alert === undefined || observed === undefined) return undefined;
  if (alert.toLowerCase() === observed.toLowerCase()) return undefined;
  const [one, other] = [conceptsOf(alert), conceptsOf(observed)];
  if (one.size === 0 || other.size === 0 || [...one].some((name) => other.has(name))) {
    return undefined;
  }
  return `The alert says ${quoted(alert, 80)}, and ${quoted(observed, 80)} was observed: what was observed decides.`;
}

function asSignal(value: unknown): unknown {
  return isAlertmanager(value) ? readAlertmanager(value) : value;
}
