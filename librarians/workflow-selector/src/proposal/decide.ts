import { type AIClient, type Context, MeshError } from "@constellation/core";
import { type Catalog, listRefused } from "../catalog/catalog.js";
import { confirms, type Gathered, statementsOfFacts } from "../incident/gather.js";
import { queryAfter, toCatalogQuery } from "../incident/incident-query.js";
import { asLine, identifier, quoted } from "../incident/untrusted.js";
import { ModelFailed, maxCalls } from "../model/ask-until-valid.js";
import { offerWorkflows } from "../model/catalog-tools.js";
import { groundRefusal } from "../model/check-root-cause.js";
import type { Claim } from "../model/root-cause.js";
import {
  type Analysis,
  analyse,
  type Conversation,
  type ModelStep,
  selectFrom,
} from "../model/select-with-model.js";
import { createEnvironmentReader, type EnvironmentNames } from "../policy/environment.js";
import { allowsProposal, type Evidence } from "../policy/evidence.js";
import { type OperatingConditions, resolveConditions } from "../policy/operating-conditions.js";
import type { ApprovalLimits } from "../policy/policy.js";
import type { ScoringProfile } from "../search/profile.js";
import type { CatalogQuery } from "../search/query.js";
import {
  listHidden,
  type RankedWorkflow,
  type RankedWorkflows,
  rankWorkflows,
} from "../search/search-workflow-catalog.js";
import { isHearsay, isObserved, judgePick } from "./doubts.js";
import { confidenceText, type Proposal, propose } from "./propose.js";
import { proposeSelected } from "./propose-selected.js";

/** Outcome of asking a model: `metadata.model`. */
export interface ModelReport {
  /** `analysis-only`: its root cause stands, and code selected. `not-used`: code did all. */
  readonly outcome: "used" | "analysis-only" | "not-used";
  /** Why it was not used: a code of `errorCodes`, `no-time`, `no-calls`, `refusal`, `invalid-reply`
   * or `contradicts-observations`. */
  readonly reason?: string;
  /** Replies that each step took. */
  readonly attempts: Readonly<Partial<Record<ModelStep, number>>>;
}

/** What a model asked and claims: `metadata.investigation`. */
export interface InvestigationReport {
  /** Ids of the librarians' answers that were read, with what was asked. */
  readonly steps: readonly {
    readonly id: string;
    readonly tool: string;
    readonly question: string;
  }[];
  /** Each cites ids of steps, or `R0`, the incident as given. */
  readonly claims: readonly Claim[];
  /** Sentences of the model that do not follow from what it read, with what stands in their place. */
  readonly ungrounded?: readonly unknown[] | undefined;
}

/** A proposal, and how it came about. */
export interface Decision {
  readonly proposal: Proposal;
  /** The entries that it names, the selected one first. */
  readonly entries: readonly RankedWorkflow[];
  readonly search: CatalogQuery;
  /** How many entries matched. */
  readonly total: number;
  readonly model?: ModelReport | undefined;
  /** What a model's root cause rests on, where it could ask. */
  readonly investigation?: InvestigationReport | undefined;
  /** What the gates know of the environment. */
  readonly standing: OperatingConditions;
  /** Why the catalog could not be searched. */
  readonly unread?: MeshError | undefined;
}

/** What a decision needs. */
export interface DecisionMeans {
  readonly context: Context;
  /** The model that is asked; without one, code decides. */
  readonly ai: AIClient | undefined;
  /** Ends the calls of a model. */
  readonly signal: AbortSignal;
  /** Rejects with a MeshError. */
  readonly readCatalog: () => Promise<Catalog>;
  readonly limits: Pick<CatalogQuery, "min_confidence" | "max_results">;
  readonly approval: ApprovalLimits;
  readonly profile: ScoringProfile | undefined;
  /** Names of environments beside the usual ones. */
  readonly environments: EnvironmentNames | undefined;
  readonly onInvalid: Conversation["onInvalid"];
}

/**
 * Finds the root cause with the model where there is one, searches the catalog by code, and has the model select from what was
 * found. A step that the model does not reply to is done by code.
 *
 * @throws MeshError when the model's replies are not valid, the catalog cannot be read before anything is known, or the
 *   caller no longer waits.
 */
export async function decide(gathered: Gathered, means: DecisionMeans): Promise<Decision> {
  const { context, ai, signal, limits, approval, profile, environments } = means;
  const reader = createEnvironmentReader(environments);
  const given = placed(gathered, resolveConditions(gathered.statements, reader));
  const isBarred = !allowsProposal(given.evidence);
  const conversation: Conversation | undefined =
    ai === undefined || isBarred
      ? undefined
      : {
          context,
          signal,
          ai,
          calls: { left: maxCalls },
          onInvalid: means.onInvalid,
        };

  const analysed = conversation && (await orFailed(() => analyse(given, conversation)));
  const analysis = analysed?.value;
  const known = withResults(given, analysis);
  const standing = resolveConditions(known.statements, reader);
  const found = placed(known, standing);
  const investigation = toInvestigationReport(analysis);
  const rootCause = analysis?.rootCause;
  const query =
    rootCause === undefined
      ? toCatalogQuery(found.incident, standing)
      : queryAfter(rootCause, found.incident, standing);
  const search = { ...query, ...limits };
  const read = await orUnread(means.readCatalog, analysis);
  if ("unread" in read) {
    const why = read.unread.message.replace(/\.$/, "");
    const warning = `MCP search failed: ${why}. RCA completed but workflow selection unavailable.`;
    const proposal = propose(
      withWarnings(found, [warning]),
      [],
      { standing, limits: approval },
      rootCause,
    );
    return {
      proposal,
      entries: [],
      search,
      total: 0,
      standing,
      unread: read.unread,
      model: toModelReport(analysis),
      investigation,
    };
  }
  const { catalog } = read;
  const refused = listRefused(catalog);
  const rank = (query: CatalogQuery) => rankWorkflows(catalog, query, { profile, environments });
  const permitted = isBarred ? nothing : rank(search);
  const hidden = isBarred ? [] : listHidden(catalog, search, { profile, environments });
  const isOutshone = (hidden[0]?.logit ?? 0) - (permitted.ranked[0]?.logit ?? 0) > minDistance;
  // The second best is for another trouble than the one that the filter leaves out.
  const ranking = isOutshone ? { ...permitted, ranked: [] } : permitted;
  const { ranked, total } = ranking;
  const own =
    rootCause === undefined
      ? ranked
      : rank({ ...toCatalogQuery(found.incident, standing), ...limits }).ranked;
  const gate = { standing, limits: approval, own };
  const checked = withWarnings(withOpposed(found, ranking), [
    ...(refused.length === 0
      ? []
      : [
          `Entries of the catalog are left out for ${refused.length} problems: ${asLine(refused.slice(0, maxNamed).join("; "))}.`,
        ]),
  ]);
  let failed = analysed?.failed;

  if (conversation !== undefined && analysis !== undefined && ranked.length > 0) {
    context.report?.("asking the model which workflow fits");
    const offer = offerWorkflows(ranking, (words) => rank({ ...search, incident_type: words }));
    const asked = { query: search.incident_type ?? "", turns: analysis.turns };
    const selected = await orFailed(() => selectFrom(offer, asked, conversation));
    failed = selected.failed;
    if (selected.value !== undefined) {
      const { attempts } = selected.value;
      const given = analysis.turns[0]?.text ?? "";
      const selection =
        selected.value.selection.strategies.length > 0
          ? selected.value.selection
          : groundRefusal(selected.value.selection, given, analysis.rootCause);
      const chosen = { selection, rootCause: analysis.rootCause, offer };
      const proposal = proposeSelected(checked, chosen, gate);
      const entries = proposal.selection.strategies.flatMap(
        ({ workflow_id, version }) => offer.find(workflow_id, version) ?? [],
      );
      const model = {
        outcome: "used",
        attempts: { analysis: analysis.attempts, ...attempts },
      } as const;
      return { proposal, entries, search, total, model, investigation, standing };
    }
  }
  const isUnfit = ranked.length > 0 && !judgePick(checked, ranked).isProposed;
  const explained = withWarnings(checked, [
    ...(isUnfit ? [unfit(checked, ranked)] : []),
    ...hidden
      .filter(({ confidence }) => confidence > (ranked[0]?.confidence ?? 0))
      .slice(0, maxNamed)
      .map(({ id, reason }) => `${identifier(id)} was left out: ${asLine(reason, 300)}.`),
    ...(ranked.length > 0 ? [] : explain(found, { rank, catalog, search, isBarred })),
  ]);
  const proposed = isUnfit ? [] : ranked;
  const proposal = propose(explained, proposed, gate, rootCause);
  const model = conversation && toModelReport(analysis, failed);
  return {
    proposal,
    entries: proposed.slice(0, proposal.selection.strategies.length),
    search,
    total,
    model,
    investigation,
    standing,
  };
}

/** The incident with the environment and the risk tolerance that count. */
function placed(gathered: Gathered, { environment, riskTolerance }: OperatingConditions): Gathered {
  return { ...gathered, incident: { ...gathered.incident, environment, riskTolerance } };
}

/** What the model had read is observed too: objects that it names may be repaired. */
function withResults(gathered: Gathered, analysis: Analysis | undefined): Gathered {
  const observed = analysis?.results.flatMap((result) => result.facts) ?? [];
  if (observed.length === 0) return gathered;
  const stated = statementsOfFacts({ observed, vouched: new Set(), claimed: [] });
  return {
    ...gathered,
    evidence: confirms(gathered, observed) ? "observed" : gathered.evidence,
    from: isObserved(gathered) ? gathered.from : "librarian",
    records: [...gathered.records, ...observed],
    statements: [...gathered.statements, ...stated],
  };
}

function toInvestigationReport(analysis: Analysis | undefined): InvestigationReport | undefined {
  if (analysis === undefined) return undefined;
  const { claims, ungrounded } = analysis.rootCause;
  if (analysis.results.length === 0 && ungrounded.length === 0) return undefined;
  const steps = analysis.results.map(({ id, tool, question }) => ({ id, tool, question }));
  return { steps, claims, ...(ungrounded.length > 0 && { ungrounded: ungrounded.slice(0, 10) }) };
}

async function orFailed<Value>(
  ask: () => Promise<Value>,
): Promise<{ readonly value?: Value; readonly failed?: ModelFailed }> {
  try {
    return { value: await ask() };
  } catch (thrown) {
    if (thrown instanceof ModelFailed) return { failed: thrown };
    throw thrown;
  }
}

/** With a root cause at hand a catalog that cannot be read leaves that much. */
async function orUnread(
  read: () => Promise<Catalog>,
  analysis: Analysis | undefined,
): Promise<{ readonly catalog: Catalog } | { readonly unread: MeshError }> {
  try {
    return { catalog: await read() };
  } catch (thrown) {
    const isUnread = thrown instanceof MeshError && thrown.code === "DATA_SOURCE_ERROR";
    if (analysis === undefined || !isUnread) throw thrown;
    return { unread: thrown };
  }
}

function toModelReport(analysis: Analysis | undefined, failed?: ModelFailed): ModelReport {
  return {
    outcome: analysis === undefined ? "not-used" : failed === undefined ? "used" : "analysis-only",
    ...(failed !== undefined && { reason: failed.reason }),
    attempts: analysis === undefined ? {} : { analysis: analysis.attempts },
  };
}

/** Logit by which an entry that the filter leaves out must fit better, so that nothing else is proposed. */
const minDistance = 1;

const nothing: RankedWorkflows = { ranked: [], total: 0, opposed: [] };
/** Maximum number of entries that are named as left out, for one cause. */
const maxNamed = 3;

function withOpposed(gathered: Gathered, { opposed }: RankedWorkflows): Gathered {
  const warnings = opposed
    .slice(0, maxNamed)
    .map(
      ({ workflow, comparison }) =>
        `${workflow.id} is ruled out: what was observed meets ${quoted(comparison?.clause ?? "", 120)}, which it is not for.`,
    );
  return withWarnings(gathered, warnings);
}

function withWarnings(gathered: Gathered, warnings: readonly string[]): Gathered {
  return { ...gathered, warnings: [...gathered.warnings, ...warnings] };
}

/** What is needed for a proposal, by what the evidence is. */
const needs = {
  healthy: "Nothing wrong was observed. Needed: what shows the trouble, such as a metric or a log.",
  absent: "Its object does not exist. Needed: kind, name and namespace of one that does.",
  "no object":
    "The alert is about no object. Needed: labels that name one, such as `deployment` and `namespace`.",
  ended: "The alert is resolved, silenced, or fires always. Needed: nothing.",
  contradicted:
    "What was observed contradicts what was reported. Needed: an alert about what was observed.",
} as const satisfies Partial<Record<Evidence, string>>;

/** Says that the best entry is more probably a wrong one, or which ones may fit once the symptom was observed. */
function unfit(gathered: Gathered, ranked: readonly RankedWorkflow[]): string {
  const [closest] = ranked;
  if (closest !== undefined && isHearsay(gathered, closest)) {
    const names = ranked.slice(0, maxNamed).map(({ workflow }) => identifier(workflow.id));
    return `Nothing was observed of what was reported, which may have many causes. May fit: ${names.join(", ")}. Needed: what a librarian observes of the object.`;
  }
  return `The closest workflow is ${identifier(closest?.workflow.id ?? "")}; more probably nothing of the catalog fits.`;
}

/** Says why nothing is proposed: what was looked at and is needed, or what came closest. */
function explain(
  { evidence, looked = [] }: Gathered,
  {
    rank,
    catalog,
    search,
    isBarred,
  }: {
    readonly rank: (query: CatalogQuery) => RankedWorkflows;
    readonly catalog: Catalog;
    readonly search: CatalogQuery;
    readonly isBarred: boolean;
  },
): readonly string[] {
  if (isBarred) {
    const [, need = ""] = Object.entries(needs).find(([key]) => key === evidence) ?? [];
    return [...(looked.length === 0 ? [] : [`Looked at: ${looked.join(", ")}.`]), need];
  }
  const { ranked, total } = rank({ ...search, min_confidence: 0, max_results: 1 });
  const [closest] = ranked;
  return [
    closest === undefined
      ? `None of ${catalog.workflows.length} workflows passes the filter and has to do with it.`
      : `${total} passed the filter; the closest is ${closest.workflow.id} with a confidence of ${confidenceText(closest.confidence)}, below ${search.min_confidence}.`,
  ];
}
