import {
  type Context,
  type Health,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import type { Catalog, CatalogStore } from "./catalog/catalog.js";
import { createFileCatalog } from "./catalog/file-catalog.js";
import { findDelegate } from "./delegate.js";
import { type Gathered, gatherAsked, gatherGiven, isHealthy } from "./incident/gather.js";
import { queryOf } from "./incident/incident.js";
import { checkOptions, type WorkflowSelectorOptions, workflowSelectorDefaults } from "./options.js";
import { inPlanSpan } from "./plan-span.js";
import { answerOf, sourcesOf } from "./proposal/answer.js";
import { propose } from "./proposal/propose.js";
import { conceptsOf } from "./search/concepts.js";
import type { CatalogQuery } from "./search/query.js";
import { rankWorkflows } from "./search/search-workflow-catalog.js";
import { untilOver } from "./until-over.js";

/**
 * Creates a librarian that proposes the remediation workflow for an incident, and runs nothing.
 *
 * The incident is `context.metadata.facts`, else a signal in JSON in the query, else what an available librarian
 * with capability `kubernetes.facts` says, else the query's own words. The catalog is filtered and scored by code;
 * the best entry above the gate is proposed, its parameters filled as far as the facts name them. The selection
 * is in `metadata.workflowSelection`, and in `metadata.approval` whether a person must look first.
 *
 * No fitting entry is `NOT_FOUND` (`no-information`), with what was observed as a partial answer. A foreign
 * question goes to whoever fits, else it is `NOT_FOUND` (`out-of-domain`). A catalog that cannot be read gives
 * `DATA_SOURCE_ERROR`, a blank query or an unknown priority or risk tolerance `INVALID_QUERY`, and `TIMEOUT` a
 * caller that no longer waits.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createWorkflowSelectorLibrarian(
  options: WorkflowSelectorOptions,
): LibrarianDefinition {
  const { catalog: path, store: given, profile, ...checked } = checkOptions(options);
  const { minConfidence, maxResults, humanReviewBelow, approvalBelow, ...info } = checked;
  const id = info.id ?? workflowSelectorDefaults.id;
  const store: CatalogStore = given ?? createFileCatalog(path ?? "");
  const limits = {
    min_confidence: minConfidence ?? workflowSelectorDefaults.minConfidence,
    max_results: maxResults ?? workflowSelectorDefaults.maxResults,
  };

  async function select(query: string, context: Context): Promise<Response> {
    const known = gatherGiven(query, context);
    const catalog = await readCatalog(store, context);
    if (known === undefined && isForeign(query, catalog)) return refer(query, context);
    const gathered = known ?? (await untilOver(() => gatherAsked(query, context), context));
    return inPlanSpan(id, async (span) => {
      const search: CatalogQuery = { ...queryOf(gathered.incident), ...limits };
      const { ranked, total } = isHealthy(gathered.incident)
        ? { ranked: [], total: 0 }
        : rankWorkflows(catalog, search, { profile });
      const [best] = ranked;
      span.setAttribute("librarian.workflow.total_results", total);
      if (best !== undefined) span.setAttribute("librarian.workflow.id", best.workflow.id);
      const explained = best === undefined ? explain(gathered, search, catalog) : gathered;
      const proposal = propose(explained, ranked, { humanReviewBelow, approvalBelow });
      const metadata = {
        workflowSelection: proposal.selection,
        approval: proposal.approval,
        workflowSearch: { query: plainOf(search), total_results: total },
      };
      if (best !== undefined) {
        return {
          answer: answerOf(proposal),
          sources: sourcesOf(ranked),
          confidence: best.confidence,
          ...(proposal.open.length > 0 && { partial: true }),
          metadata,
        };
      }
      const error = notFound("No workflow of the catalog fits the incident.", "no-information");
      if (gathered.from === "sentence") return { error, metadata };
      return { answer: answerOf(proposal), partial: true, error, metadata };
    });
  }

  function refer(query: string, { availableDelegates = [], librarian }: Context): Response {
    const delegate = findDelegate(query, availableDelegates, librarian?.id ?? id);
    if (delegate !== undefined) return { delegate };
    return {
      error: notFound("The question is not about remediating an incident.", "out-of-domain"),
    };
  }

  function notFound(message: string, reason: "no-information" | "out-of-domain") {
    return new MeshError("NOT_FOUND", message, { reason, librarian: id }).toInfo();
  }

  const librarian: Librarian = async (query, context = {}) => {
    try {
      if (typeof query !== "string" || query.trim() === "") {
        throw new MeshError("INVALID_QUERY", "The query is blank or not text.");
      }
      return await select(query, context);
    } catch (thrown) {
      return { error: { ...MeshError.from(thrown, id).toInfo(), librarian: id } };
    }
  };

  return {
    ...info,
    id,
    description: info.description ?? workflowSelectorDefaults.description,
    capabilities: info.capabilities ?? workflowSelectorDefaults.capabilities,
    effects: "read",
    librarian,
    health: (signal) => healthOf(store, signal),
  };
}

async function readCatalog(store: CatalogStore, context: Context): Promise<Catalog> {
  return untilOver(async () => {
    try {
      return await store.read(context.signal);
    } catch (cause) {
      throw new MeshError("DATA_SOURCE_ERROR", "The workflow catalog cannot be read.", { cause });
    }
  }, context);
}

/** Whether a sentence speaks of nothing that goes wrong, and the catalog has nothing of it. */
function isForeign(query: string, catalog: Catalog): boolean {
  if (/\b(?:remediat|workflow|playbook|runbook|incident|mitigat)\w*/i.test(query)) return false;
  if (conceptsOf(query).size > 0) return false;
  return rankWorkflows(catalog, { incident_type: query, min_confidence: 0.75 }).ranked.length === 0;
}

/** Says what came closest, and why it is not proposed. */
function explain(gathered: Gathered, search: CatalogQuery, catalog: Catalog): Gathered {
  if (isHealthy(gathered.incident)) {
    return { ...gathered, warnings: [...gathered.warnings, "Nothing wrong was observed."] };
  }
  const { ranked, total } = rankWorkflows(catalog, {
    ...search,
    min_confidence: 0,
    max_results: 1,
  });
  const [closest] = ranked;
  const why =
    closest === undefined
      ? `None of ${catalog.workflows.length} workflows passes the filter and has to do with it.`
      : `${total} passed the filter; the closest is ${closest.workflow.id} with a confidence of ${closest.confidence.toFixed(2)}, below ${search.min_confidence}.`;
  return { ...gathered, warnings: [...gathered.warnings, why] };
}

/** A search as it was asked, without what is not known. */
function plainOf({ incident_type, labels = {}, min_confidence, max_results }: CatalogQuery) {
  const known = Object.entries(labels).filter(([, value]) => value !== undefined);
  return { incident_type, labels: Object.fromEntries(known), min_confidence, max_results };
}

async function healthOf(store: CatalogStore, signal: AbortSignal): Promise<Health> {
  const { workflows, problems } = await untilOver(() => store.read(signal), { signal });
  const refused = problems.filter(({ level }) => level === "error").length;
  const message = `${workflows.length} workflows, ${refused} refused.`;
  return { status: workflows.length === 0 || refused > 0 ? "degraded" : "up", message };
}
