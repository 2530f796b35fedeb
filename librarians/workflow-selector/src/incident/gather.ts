import { type Context, type Delegate, MeshError } from "@constellation/core";
import { findJsonObject } from "../reply/find-json.js";
import type { Incident } from "./incident.js";
import { readSignal } from "./read-signal.js";

/** An incident, and how it became known. */
export interface Gathered {
  readonly incident: Incident;
  readonly from: "facts" | "signal" | "librarian" | "sentence";
  readonly warnings: readonly string[];
}

const factsCapability = "kubernetes.facts";

/**
 * What is known without asking anybody: facts in the context's metadata, else a signal in JSON in the query. Who
 * gives both has the facts win, and the business labels of the signal kept.
 *
 * @throws MeshError `INVALID_QUERY` for a priority or risk tolerance that does not exist.
 */
export function gatherGiven(query: string, context: Context): Gathered | undefined {
  const json = query.includes("{") ? findJsonObject(query) : undefined;
  const signal = readSignal(json) ?? readSignal(context.metadata?.signal);
  const fact = factIn(context.metadata?.facts);
  if (fact === undefined && signal === undefined) return undefined;
  const incident = join(signal, fact);
  checkLabels(incident);
  return { incident, from: fact === undefined ? "signal" : "facts", warnings: [] };
}

/** Asks who knows the cluster, where there is one; the sentence alone otherwise. */
export async function gatherAsked(query: string, context: Context): Promise<Gathered> {
  const sentence: Incident = { message: query.trim(), facts: {} };
  const delegate = (context.availableDelegates ?? []).find(knowsFacts);
  if (delegate === undefined || context.ask === undefined) {
    return { incident: sentence, from: "sentence", warnings: [] };
  }
  const { metadata, error } = await context.ask(query, { to: delegate.id });
  const fact = factIn(metadata?.facts);
  if (fact !== undefined) return { incident: fact, from: "librarian", warnings: [] };
  const why = error === undefined ? "gave no facts" : `failed (${error.code})`;
  return {
    incident: sentence,
    from: "sentence",
    warnings: [`${delegate.id} ${why}; the proposal rests on the question alone.`],
  };
}

/** Whether the facts say that nothing is wrong. */
export function isHealthy({ signalType }: Incident): boolean {
  return signalType?.toLowerCase() === "healthy";
}

function knowsFacts({ capabilities = [] }: Delegate): boolean {
  return capabilities.some(
    (one) => one === factsCapability || one.startsWith(`${factsCapability}.`),
  );
}

/** The first of several facts: what follows from it stands after it. */
function factIn(facts: unknown): Incident | undefined {
  const list: readonly unknown[] = Array.isArray(facts) ? facts : [facts];
  for (const one of list.slice(0, 100)) {
    const incident = readSignal(one);
    if (incident !== undefined) return incident;
  }
  return undefined;
}

function join(signal: Incident | undefined, fact: Incident | undefined): Incident {
  const known = Object.entries(fact ?? {}).filter(([, value]) => value !== undefined);
  return { ...signal, ...Object.fromEntries(known), facts: { ...signal?.facts, ...fact?.facts } };
}

function checkLabels({ priority, riskTolerance }: Incident): void {
  if (priority !== undefined && !/^P[0-3]$/i.test(priority)) {
    throw new MeshError("INVALID_QUERY", "priority: expected P0, P1, P2 or P3.");
  }
  if (riskTolerance !== undefined && !/^(?:low|medium|high)$/i.test(riskTolerance)) {
    throw new MeshError("INVALID_QUERY", "risk_tolerance: expected low, medium or high.");
  }
}
