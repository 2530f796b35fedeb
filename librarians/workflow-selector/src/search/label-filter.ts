import type { Labels, Workflow } from "../catalog/workflow.js";
import { arePrerequisitesMet } from "./labels.js";
import type { CheckedQuery } from "./query.js";

/** The entries that a query permits. */
export interface Permitted {
  /** Places in the list of workflows, in that order. */
  readonly places: readonly number[];
  /** Whether a place is one of them. */
  has(place: number): boolean;
  /** The mean over the query's labels of 1 for a value match and 0.5 for `*`; 1 for a query without labels. */
  labelMatch(place: number): number;
}

/** The hard filter: every label of a query, the risk it permits, and the prerequisites its facts meet. */
export interface LabelFilter {
  permit(query: Pick<CheckedQuery, "labels" | "facts">): Permitted;
}

/** What one label is in the entries: who has which value, and who takes any. */
interface LabelPlaces {
  readonly byValue: ReadonlyMap<string, readonly number[]>;
  readonly any: readonly number[];
}

const none: readonly number[] = [];

/** Prepares the filter of a catalog: a query then only looks at the entries that have its values. */
export function createLabelFilter(workflows: readonly Workflow[]): LabelFilter {
  const byKey = placesByKey(workflows);
  const risks = workflows.map(({ labels }) => riskOf(labels));
  const prerequisites = workflows.map((one) =>
    Object.keys(one.prerequisites).length === 0 ? undefined : one.prerequisites,
  );

  return {
    permit({ labels, facts }) {
      const wanted = Object.entries(labels);
      const matched = new Uint32Array(workflows.length); // labels so far; who missed one stays behind
      const worth = new Float64Array(workflows.length);
      for (const [at, [key, value]] of wanted.entries()) {
        const found = byKey.get(key);
        const take = (places: readonly number[], gain: number) => {
          for (const place of places) {
            if (matched[place] !== at) continue;
            matched[place] = at + 1;
            worth[place] = (worth[place] ?? 0) + gain;
          }
        };
        take(found?.byValue.get(value.trim().toLowerCase()) ?? none, 1);
        take(found?.any ?? none, 0.5);
      }
      const isProduction = labels.environment?.toLowerCase() === "production";
      const places: number[] = [];
      const permitted = new Uint8Array(workflows.length);
      for (let place = 0; place < workflows.length; place++) {
        if (matched[place] !== wanted.length) continue;
        if (isProduction && !isSafe(risks[place], labels.risk_tolerance)) continue;
        const needed = prerequisites[place];
        if (needed !== undefined && !arePrerequisitesMet(needed, facts)) continue;
        places.push(place);
        permitted[place] = 1;
      }
      return {
        places,
        has: (place) => permitted[place] === 1,
        labelMatch: (place) => (wanted.length === 0 ? 1 : (worth[place] ?? 0) / wanted.length),
      };
    },
  };
}

function placesByKey(workflows: readonly Workflow[]): ReadonlyMap<string, LabelPlaces> {
  const byKey = new Map<string, { byValue: Map<string, number[]>; any: number[] }>();
  for (const [place, { labels }] of workflows.entries()) {
    for (const [key, values] of Object.entries(labels)) {
      const places = byKey.get(key) ?? { byValue: new Map<string, number[]>(), any: [] };
      byKey.set(key, places);
      for (const value of new Set(values.map((one) => one.toLowerCase()))) {
        const list = places.byValue.get(value) ?? [];
        places.byValue.set(value, list);
        list.push(place);
        if (value === "*") places.any.push(place);
      }
    }
  }
  return byKey;
}

type EntryRisk = "high" | "medium" | "other";

function riskOf({ risk_tolerance = [] }: Labels): EntryRisk {
  const risks = risk_tolerance.map((risk) => risk.toLowerCase());
  return risks.includes("high") ? "high" : risks.includes("medium") ? "medium" : "other";
}

/** In production high never is, and medium only where the query itself names a risk tolerance. */
function isSafe(risk: EntryRisk | undefined, asked: string | undefined): boolean {
  return risk === "other" || (risk === "medium" && asked !== undefined);
}
