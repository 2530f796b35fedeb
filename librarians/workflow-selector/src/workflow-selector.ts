import { defineLibrarian, parseOptions } from "@constellation/authoring";
import {
  type AIClient,
  type Context,
  type Health,
  type HopContext,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
  type ServiceHost,
  throwIfAborted,
  withDeadline,
} from "@constellation/core";
import { delegateOutOfDomain, estimateAnswers, keepRows } from "@constellation/retrieval";
import { type Catalog, type CatalogStore, listRefused } from "./catalog/catalog.js";
import { createFileCatalog } from "./catalog/file-catalog.js";
import type { Workflow } from "./catalog/workflow.js";
import { type Gathered, gatherAlerts, gatherGiven, gatherSentence } from "./incident/gather.js";
import {
  investigate,
  namesOneOf,
  observes,
  readFactInstead,
  remedy,
} from "./incident/investigate.js";
import type { AlertedObject } from "./incident/read-alerts.js";
import { readSignal } from "./incident/read-signal.js";
import {
  groupByObject,
  type LookedAt,
  maxObjects,
  mergeByObject,
  type ObjectResult,
} from "./merge-by-object.js";
import {
  optionsSchema,
  type WorkflowSelectorOptions,
  workflowSelectorDefaults,
} from "./options.js";
import type { Outcome, OutcomeStore } from "./outcomes/outcome.js";
import { openOutcomes } from "./outcomes/outcomes.js";
import { collectTrackRecords, createOutcomeProfile, describeRecord } from "./outcomes/prior.js";
import { inPlanSpan } from "./plan-span.js";
import { toSources, writeAnswer, writeHeadline } from "./proposal/answer.js";
import { type Decision, type DecisionMeans, decide } from "./proposal/decide.js";
import { waitForApproval } from "./proposal/wait-for-approval.js";
import { reportInvalid } from "./report-invalid.js";
import { readConcepts } from "./search/concepts.js";
import type { CatalogQuery } from "./search/query.js";
import { rankWorkflows } from "./search/search-workflow-catalog.js";
import { createAlertHandler } from "./service/alert-handler.js";
import { createCatalogTools } from "./service/catalog-tools.js";
import { createWorkflowHandler } from "./service/workflow-handler.js";

/**
 * Creates a librarian that proposes the remediation workflow for an incident, and runs nothing.
 *
 * The incident is what was observed: facts in `context.metadata.facts` that a librarian of the run returned or a trusted caller
 * handed in, else what available librarians with capability `*.facts` say about the signal, the claimed facts or the
 * words of the query, else these alone. The catalog is filtered and scored by code;
 * the best entry above the gate is proposed, its parameters filled as far as the facts name them. The selection
 * is in `metadata.workflowSelection`, and in `metadata.approval` whether a person must look first.
 *
 * No fitting entry is `NOT_FOUND` (`no-information`), with what was observed as a partial answer. An out-of-domain
 * question is delegated to the librarian that fits best, else it is `NOT_FOUND` (`out-of-domain`). A catalog that cannot be read gives
 * `DATA_SOURCE_ERROR`, a blank query or an unknown priority or risk tolerance `INVALID_QUERY`, and `TIMEOUT` a
 * caller that no longer waits.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createWorkflowSelectorLibrarian(
  options: WorkflowSelectorOptions,
): LibrarianDefinition<Librarian> {
  const {
    catalog: path,
    store: given,
    profile,
    environments,
    labels,
    outcomes: givenOutcomes,
    waitForApproval: approvalWait,
    ...checked
  } = parseOptions(optionsSchema, options);
  const { minConfidence, maxResults, humanReviewBelow, approvalBelow, ...info } = checked;
  const id = info.id ?? workflowSelectorDefaults.id;
  const store: CatalogStore = given ?? createFileCatalog(path ?? "");
  const outcomes = typeof givenOutcomes === "string" ? openOutcomes(givenOutcomes) : givenOutcomes;
  const limits = {
    min_confidence: minConfidence ?? workflowSelectorDefaults.minConfidence,
    max_results: maxResults ?? workflowSelectorDefaults.maxResults,
  };

  async function select(query: string, context: HopContext): Promise<Response> {
    const fact = readFactInstead(query);
    if (fact !== undefined) {
      const to = context.availableDelegates?.find(observes)?.id;
      const asked = { query: fact, context: { reason: "it asks for a fact, and forbids to act" } };
      return to === undefined ? refer(fact, context) : { delegate: { to, ...asked } };
    }
    const alerts = gatherAlerts(query, context, labels);
    if (alerts === undefined || alerts.length === 1) {
      const found = await lookAt(query, context, alerts?.[0]);
      return found === undefined ? refer(query, context) : selectFor(found, context);
    }
    const looked: LookedAt[] = [];
    for (const alert of alerts.slice(0, maxObjects)) {
      throwIfAborted(context.signal);
      const gathered = await lookAt(query, context, alert);
      if (gathered !== undefined) looked.push({ alert, gathered });
    }
    const results: ObjectResult[] = [];
    for (const group of groupByObject(looked)) {
      throwIfAborted(context.signal);
      results.push({ response: await selectFor(group[0].gathered, context), looked: group });
    }
    return mergeByObject(results, alerts.slice(maxObjects));
  }

  /** What is known of an alert or a question, and what librarians observe of it; undefined: it is out of domain. */
  async function lookAt(
    query: string,
    context: HopContext,
    alert?: AlertedObject,
  ): Promise<Gathered | undefined> {
    const known = gatherGiven(query, context, alert);
    const readCatalog = async () => readCatalogOrThrow(store, context.signal);
    const isForeign = known === undefined && (await isOutOfDomain(query, readCatalog));
    const gathered =
      known?.from === "facts"
        ? known
        : await investigate(known ?? gatherSentence(query, context), query, context);
    // "cart does odd things since lunch" is about a trouble where one was observed of cart.
    return isForeign && !isTroubleOf(query, gathered) ? undefined : gathered;
  }

  async function selectFor(gathered: Gathered, context: HopContext): Promise<Response> {
    const { signal } = context;
    let refused: readonly string[] = [];
    const readCatalog = async () => {
      const catalog = await readCatalogOrThrow(store, signal);
      refused = listRefused(catalog);
      return catalog;
    };
    const decideWith = async (
      ai: AIClient | undefined,
      onInvalid: DecisionMeans["onInvalid"],
    ): Promise<{ readonly decision: Decision; readonly response: Response }> => {
      const past = await readOutcomes(outcomes, signal);
      const decision = await decide(past.warn(gathered), {
        context,
        ai,
        signal,
        readCatalog,
        limits,
        approval: { humanReviewBelow, approvalBelow },
        profile:
          past.outcomes.length === 0 ? profile : createOutcomeProfile(past.outcomes, profile),
        environments,
        onInvalid,
      });
      const isFallback = ai === undefined && context.ai !== undefined;
      const shown = isFallback ? withoutModel(decision) : decision;
      const response = toResponse(shown, gathered, { outcomes: past.outcomes, refused });
      return { decision, response };
    };
    const asked = inPlanSpan(id, async (span) => {
      if (context.ai !== undefined) context.report?.("asking the model for the root cause");
      const proposed = await decideWith(context.ai, (step, issues, attempt) =>
        reportInvalid(span, context, { step, issues, attempt }),
      );
      const { total, entries } = proposed.decision;
      span.setAttribute("librarian.workflow.total_results", total);
      const [best] = entries;
      if (best !== undefined) span.setAttribute("librarian.workflow.id", best.workflow.id);
      return proposed;
    });
    const proposed = await asked.catch((thrown: unknown) => orInvalid(thrown));
    if (proposed instanceof MeshError) {
      const { response } = await decideWith(undefined, () => undefined);
      return withoutSelection(proposed, response);
    }
    return approvalWait === undefined
      ? proposed.response
      : waitForApproval(approvalWait, proposed, context, outcomes);
  }

  function toResponse(
    decision: Decision,
    gathered: Gathered,
    {
      outcomes,
      refused,
    }: { readonly outcomes: readonly Outcome[]; readonly refused: readonly string[] },
  ): Response {
    const { proposal, entries, search, total, model, unread, investigation, standing } = decision;
    const metadata = {
      workflowSelection: proposal.selection,
      approval: proposal.approval,
      policy: {
        countsAs: standing.isProduction ? "production" : "not production",
        ...(standing.reason !== undefined && { reason: standing.reason }),
        conflicts: standing.conflicts,
      },
      workflowSearch: { query: toSearchRecord(search), total_results: total },
      ...(model !== undefined && { model }),
      ...(investigation !== undefined && { investigation }),
      ...(refused.length > 0 && { catalogProblems: refused }),
    };
    const [selected] = proposal.selection.strategies;
    const record =
      selected === undefined
        ? ""
        : describeRecord(collectTrackRecords(outcomes), { id: selected.workflow_id });
    const answer = writeAnswer(proposal, model, record, gathered.documents);
    if (selected !== undefined) {
      return {
        answer,
        headline: writeHeadline(proposal),
        sources: [...toSources(entries), ...(gathered.documents ?? [])],
        confidence: selected.confidence,
        ...(proposal.open.length + refused.length > 0 && { partial: true }),
        metadata,
      };
    }
    const error =
      unread?.toInfo() ??
      notFound("No workflow of the catalog fits the incident.", "no-information");
    const isAnalysed = proposal.selection.rca_severity !== undefined;
    if (gathered.from === "sentence" && !isAnalysed) return { error, metadata };
    return {
      answer,
      headline: writeHeadline(proposal),
      partial: true,
      error: { ...error, librarian: id },
      metadata,
    };
  }

  /** After an invalid reply nothing is selected; what rules find without the model is there for a person to judge. */
  function withoutSelection(error: MeshError, { answer, metadata }: Response): Response {
    return {
      ...(answer !== undefined && {
        answer: `Nothing is selected: ${noReply}. Without the model, rules find this, for a person to judge:\n\n${answer}`,
        headline: `Nothing is selected: ${noReply}.`,
        partial: true,
        metadata: { approval: metadata?.approval },
      }),
      error: { ...error.toInfo(), librarian: id },
    };
  }

  function refer(query: string, { availableDelegates = [], librarian, user }: Context): Response {
    const delegate = delegateOutOfDomain(query, availableDelegates, {
      id: librarian?.id ?? id,
      teams: user?.teams,
    });
    if (delegate !== undefined) return { delegate };
    return {
      error: notFound("The question is not about remediating an incident.", "out-of-domain"),
    };
  }

  function notFound(message: string, reason: "no-information" | "out-of-domain") {
    return new MeshError("NOT_FOUND", message, { reason, librarian: id }).toInfo();
  }

  const scoring = { profile, environments };
  const details = {
    ...info,
    id,
    description: info.description ?? workflowSelectorDefaults.description,
    capabilities: info.capabilities ?? workflowSelectorDefaults.capabilities,
    effects: "read" as const,
    services: {
      tools: createCatalogTools(store, scoring),
      routes: {
        "/workflows": () => createWorkflowHandler(store, scoring),
        "/alerts": (host: ServiceHost) => createAlertHandler(host, { to: host.id }),
      },
    },
    canAnswer: estimateAnswers(
      keepRows(async () => (await store.read()).workflows.map(describeWorkflow)),
      {
        about: [
          info.description ?? workflowSelectorDefaults.description,
          ...(info.examples ?? []),
        ].join("\n"),
        areActions: true,
      },
    ),
    health: (signal: AbortSignal) => checkHealth(store, signal),
  };
  return defineLibrarian(details, select);
}

const noReply = "no reply of the model is valid";

/** What rules decided because no reply of the model is valid: a person must look at it. */
function withoutModel(decision: Decision): Decision {
  const { selection, approval, open } = decision.proposal;
  const proposal = {
    selection: { ...selection, root_cause_assessment: `Root cause not assessed: ${noReply}.` },
    approval: { ...approval, humanReview: true, reasons: [...approval.reasons, noReply] },
    open,
  };
  return { ...decision, proposal };
}

/** The error of a model whose replies stay invalid. @throws What else was thrown. */
function orInvalid(thrown: unknown): MeshError {
  const error = MeshError.copyOf(thrown);
  if (error?.code === "INTERNAL_ERROR" && error.reason === "invalid-response") return error;
  throw thrown;
}

/** @throws MeshError DATA_SOURCE_ERROR, with file and line of each entry that was refused, where nothing of it can be used. */
async function readCatalogOrThrow(store: CatalogStore, signal: AbortSignal): Promise<Catalog> {
  const unreadable = (cause: unknown, problems: readonly string[]) =>
    new MeshError("DATA_SOURCE_ERROR", "The workflow catalog cannot be read.", {
      cause,
      ...(problems.length > 0 && { details: { problems } }),
    });
  const catalog = await store.read(signal).catch((cause: unknown) => {
    throw unreadable(cause, []);
  });
  const problems = listRefused(catalog);
  if (catalog.workflows.length === 0 && problems.length > 0) throw unreadable(undefined, problems);
  return catalog;
}

/** What a workflow is for, as an estimate compares it with queries. */
function describeWorkflow({
  id,
  name,
  description,
  incidentTypes = [],
  actionType = "",
}: Workflow) {
  const { what, whenToUse = "" } = description;
  return [id, name, what, whenToUse, actionType, ...incidentTypes].join(" ");
}

/** The outcomes of earlier runs; where they cannot be read, a warning says so. */
async function readOutcomes(store: OutcomeStore | undefined, signal: AbortSignal) {
  try {
    return {
      outcomes: (await store?.read(signal)) ?? [],
      warn: (gathered: Gathered) => gathered,
    };
  } catch {
    throwIfAborted(signal);
    const warning = "The outcomes of earlier runs cannot be read and were not used.";
    const warn = (gathered: Gathered): Gathered => ({
      ...gathered,
      warnings: [...gathered.warnings, warning],
    });
    return { outcomes: [], warn };
  }
}

/** Whether a sentence speaks of nothing that goes wrong, and the catalog has nothing of it. */
async function isOutOfDomain(query: string, readCatalog: () => Promise<Catalog>): Promise<boolean> {
  if (remedy.test(query)) return false;
  if (readConcepts(query).size > 0) return false;
  const search = { incident_type: query, min_confidence: 0.75 };
  return rankWorkflows(await readCatalog(), search).ranked.length === 0;
}

/** Whether what was observed is the trouble of something that a sentence names. */
function isTroubleOf(query: string, { evidence, records }: Gathered): boolean {
  const objects = records.map(readSignal).flatMap((one) => [one?.resource, one?.owner]);
  return evidence === "observed" && namesOneOf(query, objects);
}

/** A search as it was asked, without what is not known. */
function toSearchRecord({
  incident_type,
  labels = {},
  observed: { severity, component } = {},
  min_confidence,
  max_results,
}: CatalogQuery) {
  return {
    incident_type,
    labels: known(labels),
    ...known({ severity, component }),
    min_confidence,
    max_results,
  };
}

function known(values: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}

async function checkHealth(store: CatalogStore, signal: AbortSignal): Promise<Health> {
  const { workflows, problems } = await withDeadline({ signal }, () => store.read(signal));
  const refused = problems.filter(({ level }) => level === "error").length;
  const message = `${workflows.length} workflows, ${refused} refused.`;
  return { status: workflows.length === 0 || refused > 0 ? "degraded" : "up", message };
}
