import type { Context, Delegate, Response, Source } from "@constellation/core";
import { remainingMs } from "@constellation/core/authoring";
import { type Gathered, gatherObserved } from "./gather.js";
import type { Incident } from "./incident.js";
import { factsIn } from "./observed-facts.js";
import { asLine } from "./untrusted.js";

/** Capabilities of librarians that observe: a cluster, its metrics, its logs. */
const capabilities = ["kubernetes.facts", "metrics.facts", "logs.facts"] as const;
/** Share of the remaining time that the investigation may take. */
const timeShare = 0.4;
/** Maximum number of librarians that are asked. */
const maxDelegates = 6;

/**
 * Asks the librarians that observe what is wrong, and those of the documentation what it has on it, at once and within two
 * fifths of the remaining time, before a workflow is selected. What was observed decides over what was reported; what was
 * reported stands where nothing was observed. Documents decide nothing: they are named beside the proposal.
 */
export async function investigate(
  reported: Gathered,
  query: string,
  context: Context,
): Promise<Gathered> {
  const [observed, documents] = await Promise.all([
    observe(reported, query, context),
    documentsOn(reported, query, context),
  ]);
  return documents.length === 0 ? observed : { ...observed, documents };
}

async function observe(reported: Gathered, query: string, context: Context): Promise<Gathered> {
  const delegates = (context.availableDelegates ?? []).filter(observes).slice(0, maxDelegates);
  const { ask } = context;
  if (delegates.length === 0 || ask === undefined) return reported;
  const questions = questionsFor(reported, query, context);
  const found = await Promise.all(
    delegates.map((delegate) => observationsBy(delegate, questions, reported, context)),
  );
  const facts = found.flatMap((one) => one.facts);
  const observed = facts.length === 0 ? undefined : gatherObserved(reported, facts);
  const failures = found.flatMap(({ failure }) => failure ?? []);
  if (observed !== undefined) {
    return { ...observed, warnings: [...observed.warnings, ...failures.map(asSentence)] };
  }
  const basis = reported.from === "signal" ? "alert" : "question";
  const why = failures.length > 0 ? failures : ["nothing wrong was observed"];
  return {
    ...reported,
    warnings: [
      ...reported.warnings,
      ...why.map((one) => `${one}; the proposal rests on the ${basis} alone.`),
    ],
  };
}

/** Maximum number of librarians of documentation that are asked, and of documents that are named. */
const maxDocsDelegates = 2;
const maxDocuments = 3;
/** Minimum confidence of an answer whose documents are named. */
const minDocsConfidence = 0.6;

async function documentsOn(
  reported: Gathered,
  query: string,
  context: Context,
): Promise<readonly Source[]> {
  const { ask, availableDelegates = [] } = context;
  if (ask === undefined) return [];
  const timeoutMs = remainingMs(context, { share: timeShare });
  const { signalType, message = "" } = reported.incident;
  const about = signalType === undefined ? query : `${signalType} ${message}`;
  const found = await Promise.all(
    availableDelegates
      .filter(documents)
      .slice(0, maxDocsDelegates)
      .map(({ id }) =>
        ask(asLine(`What do the runbooks say about ${about}`, 500), {
          to: id,
          ...(Number.isFinite(timeoutMs) && { timeoutMs: Math.max(1, timeoutMs) }),
        }),
      ),
  );
  return found
    .filter(({ answer, confidence = 0 }) => answer !== undefined && confidence >= minDocsConfidence)
    .flatMap(({ sources = [] }) => sources)
    .slice(0, maxDocuments);
}

function documents({ capabilities: own = [] }: Delegate): boolean {
  return own.some((one) => one === "docs" || one.startsWith("docs."));
}

interface Observations {
  readonly facts: readonly unknown[];
  /** Why there are none. */
  readonly failure?: string;
}

async function observationsBy(
  { id }: Delegate,
  questions: readonly string[],
  { incident, from }: Gathered,
  context: Context,
): Promise<Observations> {
  const timeoutMs = remainingMs(context, { share: timeShare });
  let response: Response | undefined;
  for (const question of questions) {
    response = await context.ask?.(question, {
      to: id,
      context: { wants: "facts", ...(from === "signal" && { signal: incident.facts }) },
      ...(Number.isFinite(timeoutMs) && { timeoutMs: Math.max(1, timeoutMs) }),
    });
    const facts = factsIn(response?.metadata?.facts);
    if (facts.length > 0) return { facts };
    const code = response?.error?.code;
    if (code !== "NOT_FOUND" && code !== "INVALID_QUERY") break;
  }
  const code = response?.error?.code;
  return {
    facts: [],
    failure: `${id} ${code === undefined ? "gave no facts" : `failed (${code})`}`,
  };
}

/** A part of a question ("which workflow do we run?") may name nothing; the whole of it does. */
function questionsFor(
  { incident, from }: Gathered,
  query: string,
  { originalQuery }: Context,
): readonly string[] {
  if (from === "signal") return [questionAbout(incident)];
  return [...new Set([query, originalQuery ?? query])];
}

function questionAbout({ resource, signalType = "", message = "" }: Incident): string {
  const { kind = "", name, namespace } = resource ?? {};
  const object = name === undefined ? "" : ` with ${`${kind} ${name}`.trim()}`;
  const place = namespace === undefined ? "" : ` in namespace ${namespace}`;
  return asLine(`What is wrong${object}${place}? ${signalType}: ${message}`, 1_000);
}

function observes({ capabilities: own = [] }: Delegate): boolean {
  return own.some((one) =>
    capabilities.some((wanted) => one === wanted || one.startsWith(`${wanted}.`)),
  );
}

function asSentence(text: string): string {
  return `${text}.`;
}
