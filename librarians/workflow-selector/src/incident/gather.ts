import { type Context, type Delegate, type ErrorInfo, MeshError } from "@constellation/core";
import { readJsonReply } from "@constellation/core/authoring";
import type { Incident } from "./incident.js";
import { readSignal } from "./read-signal.js";

/** An incident, and how it became known. */
export interface Gathered {
  readonly incident: Incident;
  readonly from: "facts" | "signal" | "librarian" | "sentence";
  readonly warnings: readonly string[];
  /** Records as they came: facts, the most important first, then the signal. */
  readonly records: readonly unknown[];
}

/** Maximum number of facts that are looked at. */
const maxFacts = 100;

/** Maximum number of characters of a question that are kept as a description of the incident. */
const maxSentence = 8_000;
const factsCapability = "kubernetes.facts";

/**
 * What is known without asking anybody: facts in the context's metadata, else a signal in JSON in the query. Who
 * gives both has the facts win, and the business labels of the signal kept.
 *
 * @throws MeshError `INVALID_QUERY` for a priority or risk tolerance that does not exist.
 */
export function gatherGiven(query: string, context: Context): Gathered | undefined {
  const json = query.includes("{") ? readJsonReply(query) : undefined;
  const given = readSignal(json) === undefined ? context.metadata?.signal : json;
  const signal = readSignal(given);
  const facts = listOf(context.metadata?.facts);
  const fact = factIn(facts);
  if (fact === undefined && signal === undefined) return undefined;
  const incident = join(signal, fact);
  checkLabels(incident);
  return {
    incident,
    from: fact === undefined ? "signal" : "facts",
    warnings: [],
    records: [...(fact === undefined ? [] : facts), ...(signal === undefined ? [] : [given])],
  };
}

/** Asks who knows the cluster, where there is one; the sentence alone otherwise. */
export async function gatherAsked(query: string, context: Context): Promise<Gathered> {
  const sentence: Incident = { message: query.trim().slice(0, maxSentence), facts: {} };
  const delegate = (context.availableDelegates ?? []).find(knowsFacts);
  if (delegate === undefined || context.ask === undefined) {
    return { incident: sentence, from: "sentence", warnings: [], records: [] };
  }
  // A part of a question ("which workflow do we run?") may name nothing; the whole of it does.
  const questions = new Set([query, context.originalQuery ?? query]);
  let error: ErrorInfo | undefined;
  for (const question of questions) {
    const response = await context.ask(question, { to: delegate.id, context: { wants: "facts" } });
    const facts = listOf(response.metadata?.facts);
    const fact = factIn(facts);
    if (fact !== undefined) {
      return { ...withoutWrongLabels(fact), from: "librarian", records: facts };
    }
    error = response.error;
    if (error?.code !== "NOT_FOUND" && error?.code !== "INVALID_QUERY") break;
  }
  const why = error === undefined ? "gave no facts" : `failed (${error.code})`;
  return {
    incident: sentence,
    from: "sentence",
    warnings: [`${delegate.id} ${why}; the proposal rests on the question alone.`],
    records: [],
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

function listOf(facts: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(facts) ? facts : [facts];
  return list.slice(0, maxFacts);
}

/** The first of several facts: what follows from it stands after it. It may repeat the signal that led to it. */
function factIn(facts: readonly unknown[]): Incident | undefined {
  for (const one of facts) {
    const incident = readSignal(one);
    if (incident === undefined) continue;
    return join(readSignal((one as { readonly signal?: unknown }).signal), incident); // an object, as it was read
  }
  return undefined;
}

function join(signal: Incident | undefined, fact: Incident | undefined): Incident {
  const known = Object.entries(fact ?? {}).filter(([, value]) => value !== undefined);
  return { ...signal, ...Object.fromEntries(known), facts: { ...signal?.facts, ...fact?.facts } };
}

function checkLabels(incident: Incident): void {
  const [wrong] = wrongLabels(incident);
  if (wrong !== undefined)
    throw new MeshError("INVALID_QUERY", `${wrong.label}: expected ${wrong.expected}.`);
}

/** Wrong labels that a cluster reports are not a mistake of the caller: they are left out, with a warning. */
function withoutWrongLabels(incident: Incident): Pick<Gathered, "incident" | "warnings"> {
  const wrong = wrongLabels(incident);
  const kept = Object.fromEntries(wrong.map(({ key }) => [key, undefined]));
  return {
    incident: { ...incident, ...kept },
    warnings: wrong.map(
      ({ label, expected }) => `${label} of the facts is not one of ${expected}, and was left out.`,
    ),
  };
}

function wrongLabels({ priority, riskTolerance }: Incident) {
  const rules = [
    {
      key: "priority",
      label: "priority",
      value: priority,
      form: /^P[0-3]$/i,
      expected: "P0, P1, P2 or P3",
    },
    {
      key: "riskTolerance",
      label: "risk_tolerance",
      value: riskTolerance,
      form: /^(?:low|medium|high)$/i,
      expected: "low, medium or high",
    },
  ];
  return rules.filter(({ value, form }) => value !== undefined && !form.test(value));
}
