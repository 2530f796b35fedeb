import type { Workflow } from "../catalog/workflow.js";
import { compactName, type EnvironmentReader } from "../policy/environment.js";
import type { WorkflowRisk } from "../policy/evidence.js";
import { resolveConditions } from "../policy/operating-conditions.js";
import { isHidden, readRisk } from "../policy/policy.js";
import { arePrerequisitesMet } from "./labels.js";
import type { CheckedQuery } from "./query.js";

/** The entries that a query permits. */
export interface Permitted {
  /** Places in the list of workflows, in that order. */
  readonly places: readonly number[];
  /** Whether a place is one of them. */
  has(place: number): boolean;
}

/** The hard filter: the labels of a query, the risk it permits, and the prerequisites its facts meet. */
export interface LabelFilter {
  permit(query: FilterQuery, environments: EnvironmentReader): Permitted;
  /** Why a place is left out, with the label and its value: `risk medium, production allows low`. Undefined: it is not. */
  explain(place: number, query: FilterQuery, environments: EnvironmentReader): string | undefined;
}

type FilterQuery = Pick<CheckedQuery, "labels" | "addedLabels" | "facts" | "isProduction">;

/** What the filter reads of an entry. */
interface FilteredEntry {
  /** Values in lower case, by key. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
  readonly risk: WorkflowRisk;
  readonly prerequisites: Readonly<Record<string, string>>;
}

/** Prepares the filter of a catalog. */
export function createLabelFilter(workflows: readonly Workflow[]): LabelFilter {
  const entries = workflows.map(toFilteredEntry);
  const prepare = (
    { labels, addedLabels = {}, facts, isProduction }: FilterQuery,
    environments: EnvironmentReader,
  ) => {
    const { environment, risk_tolerance: tolerance } = { ...addedLabels, ...labels };
    const isRiskLimited =
      isProduction ??
      resolveConditions([{ by: "caller", isObserved: true, environment }], environments)
        .isProduction;
    const toWanted = ([key, value]: readonly [string, string]) => ({
      key,
      value,
      isAdded: !Object.hasOwn(labels, key),
      accepted:
        key === "environment" ? environments.labelsFor(value) : [value.trim().toLowerCase()],
    });
    const wanted = Object.entries({ ...addedLabels, ...labels }).map(toWanted);
    return ({ labels: own, risk, prerequisites }: FilteredEntry): string | undefined => {
      for (const { key, value, accepted, isAdded } of wanted) {
        const values = own.get(key);
        if (values === undefined ? isAdded : values.has("*")) continue;
        if (accepted.some((one) => values?.has(one) === true)) continue;
        return `${key} ${values === undefined ? "is not declared" : [...values].join(", ")}, the incident has ${value}`;
      }
      if (isRiskLimited && isHidden(risk, tolerance)) {
        const allowed = tolerance === undefined || risk === "high" ? "low" : tolerance;
        return `risk ${risk}, production allows ${allowed}`;
      }
      if (arePrerequisitesMet(prerequisites, facts)) return undefined;
      return `it needs ${Object.entries(prerequisites)
        .map(([key, value]) => `${key}: ${value}`)
        .join(", ")}, which is not known`;
    };
  };

  return {
    permit(query, environments) {
      const check = prepare(query, environments);
      const places = entries.flatMap((entry, place) => (check(entry) === undefined ? [place] : []));
      const permitted = new Set(places);
      return { places, has: (place) => permitted.has(place) };
    },
    explain(place, query, environments) {
      const entry = entries[place];
      return entry === undefined ? undefined : prepare(query, environments)(entry);
    },
  };
}

function toFilteredEntry({ labels, prerequisites }: Workflow): FilteredEntry {
  return {
    prerequisites,
    risk: readRisk(labels),
    labels: new Map(
      Object.entries(labels).map(([key, values]) => [
        key,
        new Set(
          values
            .flatMap((one) => (key === "environment" ? [one, compactName(one)] : one))
            .filter((one) => one !== "")
            .map((one) => one.toLowerCase()),
        ),
      ]),
    ),
  };
}
