import type { Catalog } from "../catalog/catalog.js";
import { compareText, compareVersions } from "../catalog/versions.js";
import type { Workflow, WorkflowParameter } from "../catalog/workflow.js";
import { createEnvironmentReader, type EnvironmentNames } from "../policy/environment.js";
import {
  type CompareEntry,
  type Comparison,
  createComparison,
  readObserved,
} from "./comparison.js";
import { type CheckedConditions, checkConditions, describeTraits } from "./conditions.js";
import { createPostings } from "./entry-postings.js";
import { createLabelFilter, type LabelFilter, type Permitted } from "./label-filter.js";
import { defaultProfile, type ScoringProfile } from "./profile.js";
import { type CatalogQuery, type CheckedQuery, checkQuery } from "./query.js";
import { limitObservations } from "./query-terms.js";
import { createSemanticIndex, type Fit, type SemanticIndex } from "./semantic-index.js";

/** An entry as a model sees it: these four fields and no other. */
export interface WorkflowView {
  readonly workflow_id: string;
  readonly version: string;
  /** What the workflow does. */
  readonly description: string;
  /** Of the search, 0 to 1. */
  readonly confidence: number;
}

/** What a search gives. */
export interface WorkflowSearch {
  /** Highest confidence first; equal ones by id, then the latest version. */
  readonly workflows: readonly WorkflowView[];
  /** Matches before `max_results` cut the list. */
  readonly total_results: number;
}

/** How entries are scored. */
export interface SearchOptions {
  /** @default 0.5 * semantic + 0.5 * label match */
  readonly profile?: ScoringProfile | undefined;
  /** Names of environments beside the usual ones, for the filter. */
  readonly environments?: EnvironmentNames | undefined;
}

/** A scored entry, for the selector itself. */
export interface RankedWorkflow {
  readonly workflow: Workflow;
  readonly confidence: number;
  /** With what was observed, where anything was. */
  readonly comparison?: Comparison | undefined;
  /** Of its fit, before it is bounded. */
  readonly logit: number;
  /** 0 where it is made for the trouble, down to -1; undefined: the trouble is not known. */
  readonly madeFor: number | undefined;
  /** How what was seen of the object compares with the conditions of the entry. */
  readonly conditions: CheckedConditions;
  /** What was observed speaks against it: it is behind the others, and a person must look. */
  readonly isOpposed: boolean;
}

/** What a search found, for the selector itself. */
export interface RankedWorkflows {
  readonly ranked: readonly RankedWorkflow[];
  /** Matches before `max_results` cut the list. */
  readonly total: number;
  /** Entries that would fit, and that what was observed speaks against. */
  readonly opposed: readonly RankedWorkflow[];
}

/** An entry that would fit, and that the filter leaves out. */
export interface HiddenWorkflow {
  readonly id: string;
  /** As it would be scored, 0 to 1. */
  readonly confidence: number;
  /** Of its fit, before it is bounded. */
  readonly logit: number;
  /** The label and its value: `risk medium, production allows low`. */
  readonly reason: string;
}

/** Share of an excluding clause that one observation must meet to speak against an entry: whatever speaks for it, and else. */
const decisiveShare = 0.85;
const excludingShare = 0.6;
/** From it an entry is made for the trouble that is known, and no other known one fits it better. */
const minMadeFor = -0.02;
/** What remains of the fit of an entry that what was observed speaks against: it is behind all others that fit. */
const opposedFactor = 0.1;
/** Below it an entry has nothing to do with the incident. */
const minSemantic = 0.01;

/**
 * Searches the catalog: a hard filter by labels, risk and prerequisites, then scores what is left. No model,
 * and the same catalog and query give the same result.
 *
 * @throws MeshError `INVALID_QUERY` for a label text without a colon and for numbers outside their ranges.
 */
export function searchWorkflowCatalog(
  catalog: Catalog,
  query: CatalogQuery,
  options: SearchOptions = {},
): WorkflowSearch {
  const { ranked, total } = rankWorkflows(catalog, query, options);
  return { workflows: ranked.map(toView), total_results: total };
}

/** An entry by four fields. */
export function toView({ workflow, confidence }: RankedWorkflow): WorkflowView {
  const { id, version, description } = workflow;
  return { workflow_id: id, version, description: description.what, confidence };
}

/** As {@link searchWorkflowCatalog}, with the whole entries. */
export function rankWorkflows(
  catalog: Catalog,
  query: CatalogQuery,
  { profile = defaultProfile, environments }: SearchOptions = {},
): RankedWorkflows {
  const { filter } = getIndex(catalog);
  const checked = checkQuery(query);
  const permitted = filter.permit(checked, createEnvironmentReader(environments));
  return rankPermitted(catalog, checked, { permitted, profile });
}

/** Entries that would reach the minimum confidence, and that the filter leaves out: the best first. */
export function listHidden(
  catalog: Catalog,
  query: CatalogQuery,
  { profile = defaultProfile, environments }: SearchOptions = {},
): readonly HiddenWorkflow[] {
  const { filter } = getIndex(catalog);
  const checked = checkQuery(query);
  const reader = createEnvironmentReader(environments);
  const { has } = filter.permit(checked, reader);
  const places = catalog.workflows.flatMap((_, place) => (has(place) ? [] : [place]));
  const permitted = { places, has: (place: number) => !has(place) };
  const placeOf = new Map(catalog.workflows.map((workflow, place) => [workflow, place]));
  return rankPermitted(catalog, checked, { permitted, profile }).ranked.map(
    ({ workflow, confidence, logit }) => ({
      id: workflow.id,
      confidence,
      logit,
      reason: filter.explain(placeOf.get(workflow) ?? -1, checked, reader) ?? "",
    }),
  );
}

function rankPermitted(
  catalog: Catalog,
  checked: CheckedQuery,
  { permitted, profile }: { readonly permitted: Permitted; readonly profile: ScoringProfile },
): RankedWorkflows {
  const { workflows } = catalog;
  const { index, compare } = getIndex(catalog);
  const { min_confidence = 0, max_results = Number.POSITIVE_INFINITY, offset = 0 } = checked;
  const ranked: RankedWorkflow[] = [];
  const opposed: RankedWorkflow[] = [];
  const traits = describeTraits(checked);
  const observed = readObserved(limitObservations(checked), traits);
  const ofTraits = readObserved([], traits);
  const rank = (place: number, { semantic, logit, madeFor }: Fit) => {
    const workflow = workflows[place];
    if (workflow === undefined || semantic < minSemantic) return;
    if (!isMadeFor(workflow, checked)) return;
    const score = (fit: number) =>
      profile({ workflow, query: checked, semantic: fit, labelMatch: 1 });
    const given = score(semantic);
    if (given === undefined || rounded(given) < min_confidence) return;
    const comparison = observed.clauses.length === 0 ? undefined : compare(place, observed);
    // Messages of the very trouble that an entry is made for have the words of what it is not for, too.
    const isItsTrouble = madeFor !== undefined && madeFor >= minMadeFor;
    const isOpposed = speaksAgainst(isItsTrouble ? compare(place, ofTraits) : comparison);
    const confidence = rounded((isOpposed ? score(semantic * opposedFactor) : given) ?? 0);
    const conditions = checkConditions(workflow, checked);
    const one = { workflow, confidence, comparison, logit, madeFor, conditions, isOpposed };
    if (isOpposed) opposed.push(one);
    if (confidence >= min_confidence) ranked.push(one);
  };
  if (hasIncident(checked)) {
    for (const [place, fit] of index.measureFit(checked, permitted)) rank(place, fit);
  } else {
    for (const place of permitted.places)
      rank(place, { semantic: 1, logit: 0, madeFor: undefined });
  }
  ranked.sort(byConfidence);
  return { ranked: ranked.slice(offset, offset + max_results), total: ranked.length, opposed };
}

/** An entry's parameter schemas. */
export interface WorkflowParameters {
  readonly workflow_id: string;
  readonly version: string;
  readonly parameters: readonly WorkflowParameter[];
}

/**
 * Gives the parameter schemas of an entry: of the latest version where none is named.
 *
 * @returns Undefined for an entry that is not there, and for one that the filter of the query hides.
 */
export function getWorkflow(
  catalog: Catalog,
  { workflow_id, version }: { readonly workflow_id: string; readonly version?: string | undefined },
  query: Pick<CatalogQuery, "labels" | "facts"> = {},
  { environments }: Pick<SearchOptions, "environments"> = {},
): WorkflowParameters | undefined {
  const { workflows } = catalog;
  const [found] = getIndex(catalog)
    .filter.permit(checkQuery(query), createEnvironmentReader(environments))
    .places.flatMap((place) => workflows[place] ?? [])
    .filter(({ id }) => id === workflow_id)
    .filter((one) => version === undefined || one.version === version)
    .sort((a, b) => compareVersions(b.version, a.version));
  return found === undefined
    ? undefined
    : { workflow_id: found.id, version: found.version, parameters: found.parameters };
}

/** One observation meets a clause that excludes the entry, in two words or more: nearly whole, or more than its use. */
export function speaksAgainst(comparison: Comparison | undefined): boolean {
  if (comparison === undefined) return false;
  const { against, words, support } = comparison;
  if (words < 2) return false;
  return against >= decisiveShare || (against >= excludingShare && against > (support ?? 0));
}

interface CatalogIndex {
  readonly filter: LabelFilter;
  readonly compare: CompareEntry;
  readonly index: SemanticIndex;
}

const indexes = new WeakMap<Catalog, CatalogIndex>();

function getIndex(catalog: Catalog): CatalogIndex {
  const { workflows } = catalog;
  const known = indexes.get(catalog);
  const index = known ?? {
    filter: createLabelFilter(workflows),
    ...createTextIndex(workflows),
  };
  indexes.set(catalog, index);
  return index;
}

function createTextIndex(workflows: readonly Workflow[]) {
  const postings = createPostings(workflows);
  return {
    index: createSemanticIndex(workflows, postings),
    compare: createComparison(workflows, postings),
  };
}

function hasIncident({ incident_type = "", details = "" }: CheckedQuery): boolean {
  return incident_type.trim() !== "" || details.trim() !== "";
}

function byConfidence(a: RankedWorkflow, b: RankedWorkflow): number {
  return (
    Number(a.isOpposed) - Number(b.isOpposed) ||
    b.confidence - a.confidence ||
    compareText(a.workflow.id, b.workflow.id) ||
    compareVersions(b.workflow.version, a.workflow.version) ||
    compareText(a.workflow.version, b.workflow.version)
  );
}

/** Within 0 and 1, to six places, so that sums in another order give the same number. */
function rounded(confidence: number): number {
  return Number.isNaN(confidence)
    ? 0
    : Math.round(Math.min(1, Math.max(0, confidence)) * 1e6) / 1e6;
}

/**
 * Whether an entry is made for the signal of a query. An entry that names no signals is made for all of them, and a
 * query in words names none: only a name such as `OOMKilled` or `KubePodCrashLooping` filters.
 */
function isMadeFor({ incidentTypes }: Workflow, query: CheckedQuery): boolean {
  const signal = readSignalName(query);
  if (incidentTypes === undefined || signal === "") return true;
  return incidentTypes.some((type) => type === "*" || type.trim().toLowerCase() === signal);
}

/** The name of a signal in lower case, without a severity after it; blank for a sentence. */
function readSignalName({ incident_type = "", observed }: CheckedQuery): string {
  const words = incident_type.trim().toLowerCase().split(/\s+/);
  const hasSeverity = words.length === 2 && words[1] === observed?.severity?.toLowerCase();
  return words.length === 1 || hasSeverity ? (words[0] ?? "") : "";
}
