import { trimTrailing } from "@constellation/authoring";
import type { Context, Delegate, Response, Source } from "@constellation/core";
import { remainingMs } from "@constellation/core";
import {
  asksForFacts,
  createEntityIndex,
  isFunctionWord,
  readQuestion,
  withoutDeniedOrders,
} from "@constellation/nlu";
import { type Gathered, gatherObserved } from "./gather.js";
import type { Incident, IncidentResource } from "./incident.js";
import { type SortedFacts, sortFacts } from "./observed-facts.js";
import { readSignal } from "./read-signal.js";
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
  const isPlaceless = reported.evidence === "no object";
  const hasText = (reported.incident.message ?? "") !== "";
  if (delegates.length === 0 || ask === undefined || reported.evidence === "ended") return reported;
  if (isPlaceless && !hasText) return reported;
  const questions = questionsFor(reported, query, context);
  const found = await Promise.all(
    delegates.map((delegate) => observationsBy(delegate, questions, reported, context)),
  );
  const looked = found.map(({ looked: one }) => one);
  const own = found.flatMap((one) => one.facts.observed);
  const facts: SortedFacts = {
    // Of an alert that names no object, the worst trouble of the cluster would say nothing.
    observed: preferTrouble(isPlaceless ? namedIn(own, reported.incident) : own),
    vouched: new Set(),
    claimed: found.flatMap(({ facts: { claimed } }) => claimed),
  };
  const observed = facts.observed.length === 0 ? undefined : gatherObserved(reported, facts);
  const failures = found.flatMap(({ failure }) => failure ?? []);
  if (observed !== undefined) {
    const warnings = [...observed.warnings, ...failures.map(asSentence)];
    return { ...observed, looked, warnings };
  }
  if (isPlaceless) return { ...reported, looked };
  const basis = reported.from === "signal" ? "alert" : "question";
  const evidence = found.some(({ isAbsent }) => isAbsent)
    ? "absent"
    : found.some(({ isUnread }) => isUnread)
      ? "unread"
      : reported.evidence;
  return {
    ...reported,
    evidence,
    looked,
    warnings: [
      ...reported.warnings,
      ...failures.map((one) => `${one}; what is known rests on the ${basis} alone.`),
    ],
  };
}

/** Facts, where one of them is about an object that the text of an alert names. */
function namedIn(facts: readonly unknown[], { signalType = "", message = "" }: Incident) {
  const text = `${signalType} ${message}`;
  const isNamed = facts
    .map(readSignal)
    .some((fact) => namesOneOf(text, [fact?.resource, fact?.owner]));
  return isNamed ? facts : [];
}

/** Whether a text has the name of an object among its words. */
export function namesOneOf(
  text: string,
  objects: readonly (IncidentResource | undefined)[],
): boolean {
  const written = text.toLowerCase().split(/[^a-z0-9.-]+|[.](?=\s|$)/);
  // A host begins with the name of what it leads to.
  const words = new Set(written.flatMap((word) => [word, word.split(".", 1)[0]]));
  return objects.some((one) => words.has(one?.name?.toLowerCase() ?? "\0"));
}

/** What one librarian finds healthy, another may find in trouble. */
function preferTrouble(facts: readonly unknown[]): readonly unknown[] {
  const troubled = facts.filter(isTrouble);
  return troubled.length === 0 ? facts : troubled;
}

function isTrouble(fact: unknown): boolean {
  return readSignal(fact)?.signalType?.toLowerCase() !== "healthy";
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
  readonly facts: SortedFacts;
  /** Who was asked, and what came of it, for people. */
  readonly looked: string;
  /** Why there are none that were observed. */
  readonly failure?: string;
  readonly isAbsent?: boolean;
  readonly isUnread?: boolean;
}

async function observationsBy(
  { id }: Delegate,
  questions: readonly string[],
  { incident, from }: Gathered,
  context: Context,
): Promise<Observations> {
  const timeoutMs = remainingMs(context, { share: timeShare });
  let response: Response | undefined;
  let healthy: SortedFacts | undefined;
  for (const question of questions) {
    response = await context.ask?.(question, {
      to: id,
      context: { wants: "facts", ...(from === "signal" && { signal: incident.facts }) },
      ...(Number.isFinite(timeoutMs) && { timeoutMs: Math.max(1, timeoutMs) }),
    });
    const facts = sortFacts(response?.metadata?.facts, context);
    // What one wording finds healthy, another may find in trouble.
    if (facts.observed.some(isTrouble)) return { facts, looked: `${id} observed it` };
    if (facts.observed.length > 0) healthy ??= facts;
    const code = response?.error?.code;
    if (code !== undefined && code !== "NOT_FOUND" && code !== "INVALID_QUERY") break;
  }
  if (healthy !== undefined) return { facts: healthy, looked: `${id} observed it` };
  const facts = sortFacts(response?.metadata?.facts, context);
  const { code, details } = response?.error ?? {};
  const failure = `${id} ${code === undefined ? "gave no facts" : `failed (${code})`}`;
  const isAbsent = code === "NOT_FOUND" && details?.reason === "no-information";
  return {
    facts,
    failure,
    looked: isAbsent ? `${id} found no such object` : failure,
    isAbsent,
    isUnread: code !== undefined && code !== "NOT_FOUND" && code !== "INVALID_QUERY",
  };
}

/**
 * A part of a question ("which workflow do we run?") may name nothing; the whole of it does. What orders something ("raise the
 * maximum?") is refused by librarians that only read: it is left out at last.
 */
function questionsFor(
  { incident, from }: Gathered,
  query: string,
  { originalQuery }: Context,
): readonly string[] {
  if (from === "signal") {
    const { resource: { name, namespace } = {} } = incident;
    const bare = { resource: { name, namespace } };
    return [questionAbout(incident), ...(name === undefined ? [] : [questionAbout(bare)])];
  }
  const asked = readOrder(query);
  const { clauses } = readQuestion(query, { entities: noEntities });
  // What does well ("although its pods look fine") is not what is wrong.
  const told = clauses
    .filter(({ act, isQuestion }) => act !== "order" && !isQuestion)
    .map(({ text }) => text.split(/\b(?:al)?though\b/i, 1).join());
  const questions = [asked, query, originalQuery ?? query, told.join(" ")];
  return [...new Set(questions.flatMap((one) => one || []))];
}

/** Verbs of orders to a librarian that proposes a remedy. */
const repairs = new Set(
  "fix repair remediate mitigate resolve heal recover restore unblock restart scale".split(" "),
);
const noEntities = createEntityIndex([]);
/** Words for what mends a trouble. */
export const remedy = /\b(?:remediat|workflow|playbook|runbook|incident|mitigat|fix|repair)\w*/i;

/**
 * What is asked by one who forbids to act: "Do not restart checkout, just tell me its memory limit" asks for a fact, and for
 * nothing to be done. Undefined where nothing is forbidden, or where it is asked what to do ("what else can we run?").
 */
export function readFactInstead(query: string): string | undefined {
  const rest = query.includes("{") ? query : withoutDeniedOrders(query); // texts of a signal are not the user's
  return rest !== query && asksForFacts(rest, ({ lower }) => remedy.test(lower)) ? rest : undefined;
}

/** What an order to repair is about, as a question: librarians that only read refuse the order, and say what is wrong. */
function readOrder(query: string): string | undefined {
  const { clauses } = readQuestion(query, { entities: noEntities });
  const order = clauses.find(
    ({ head, negations, isQuoted }) => repairs.has(head) && negations.length === 0 && !isQuoted,
  );
  if (order === undefined) return undefined;
  const { text, head } = order;
  const rest = trimTrailing(
    text.slice(text.toLowerCase().indexOf(head) + head.length).trim(),
    /[?.!]/,
  );
  if (rest.split(/\s+/).some((word) => word !== "" && !isFunctionWord(word.toLowerCase())))
    return `What is wrong with ${rest}?`;
  // "cart crashes, fix it please": what is before says what is meant.
  const others = clauses.filter((one) => one !== order).map((one) => one.text);
  return others.length === 0 ? undefined : others.join(" ");
}

function questionAbout({
  resource,
  signalType = "",
  message = "",
}: Pick<Incident, "resource" | "signalType" | "message">): string {
  const { kind = "", name, namespace } = resource ?? {};
  const object = name === undefined ? "" : ` with ${`${kind} ${name}`.trim()}`;
  const place = namespace === undefined ? "" : ` in namespace ${namespace}`;
  const said = signalType === "" && message === "" ? "" : ` ${signalType}: ${message}`;
  return asLine(`What is wrong${object}${place}?${said}`, 1_000);
}

/** Whether a librarian observes a cluster, its metrics or its logs. */
export function observes({ capabilities: own = [] }: Delegate): boolean {
  return own.some((one) =>
    capabilities.some((wanted) => one === wanted || one.startsWith(`${wanted}.`)),
  );
}

function asSentence(text: string): string {
  return `${text}.`;
}
