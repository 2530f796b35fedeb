import { readFileSync } from "node:fs";
import { createMemoryCatalog } from "../../src/catalog/memory-catalog.js";
import type { Workflow } from "../../src/catalog/workflow.js";
import { gatherGiven } from "../../src/incident/gather.js";
import { toCatalogQuery } from "../../src/incident/incident-query.js";
import { resolveConditions } from "../../src/policy/operating-conditions.js";
import { createComparison, readObserved } from "../../src/search/comparison.js";
import { describeTraits } from "../../src/search/conditions.js";
import { createPostings } from "../../src/search/entry-postings.js";
import { type CheckedQuery, checkQuery } from "../../src/search/query.js";
import { limitObservations, readTerms, troublesOf } from "../../src/search/query-terms.js";
import { createRemedyMatch } from "../../src/search/remedies.js";
import type { Knowledge, Picked, RemedyModel } from "../../src/search/score-model.js";
import { createSemanticIndex, featureNames } from "../../src/search/semantic-index.js";
import { vouched } from "../../test/workflows.js";
import { readOwnCases } from "../own-cases.js";
import { rounded } from "./numbers.js";
import { learnRemedies } from "./remedies.js";

/** An incident and an entry. */
export interface Pair {
  readonly catalog: string;
  readonly incident: string;
  readonly values: readonly number[];
  readonly belongs: boolean;
  readonly knowledge: Knowledge;
  /** Of the incident's own catalog. */
  readonly isOwn: boolean;
  /** What the conditions of the entry add to its logit. */
  readonly shift: number;
  readonly isKnown: boolean;
  /** What was observed for an entry of the incident's own catalog. */
  readonly comparison: Picked["comparison"];
}

const standing = resolveConditions([]);
const cases = (["dev", "dev-later", "dev-operations", "dev-clusters"] as const).flatMap(
  readOwnCases,
);

/** Names of the catalogs of the cases. */
export const names = [...new Set(cases.map(({ catalog }) => catalog))].sort();
const catalogs = new Map<string, readonly Workflow[]>();
for (const name of names) {
  const lines = readLines(`catalogs/${name}.jsonl`).map((line) => JSON.parse(line) as unknown);
  catalogs.set(name, (await createMemoryCatalog(lines).read()).workflows);
}
const far = readLines("unrelated-types.txt");

/** What entries that mend known troubles are like, of all catalogs or of all but one. */
export function learnFrom(without?: string): RemedyModel {
  const used = cases.filter(({ catalog }) => catalog !== without);
  const remedies = used.map(({ catalog, expected, ...one }) => ({
    catalog,
    troubles: troublesOf(queriesFor(one).at(-1) ?? checkQuery({})),
    entries: (catalogs.get(catalog) ?? []).filter(({ id }) => expected.workflow_ids.includes(id)),
  }));
  return learnRemedies(
    remedies.filter(({ entries }) => entries.length > 0),
    names.filter((name) => name !== without).flatMap((name) => catalogs.get(name) ?? []),
  );
}

/** Each incident with each entry, of its own catalog and of the others; what an entry is like was learned without its catalog. */
export function makePairs(): readonly Pair[] {
  return names.flatMap((catalog) => {
    const workflows = catalogs.get(catalog) ?? [];
    const postings = createPostings(workflows);
    const remedies = createRemedyMatch(workflows, learnFrom(catalog));
    const index = createSemanticIndex(workflows, postings, remedies);
    const compare = createComparison(workflows, postings);
    const add = (
      incident: string,
      query: CheckedQuery,
      right: ReadonlySet<string>,
      isOwn: boolean,
      skip: readonly string[] = [],
    ) => {
      const found = index.features(query);
      const isKnown = [...found.values()].some((one) => one.isKnown);
      const isObserved = (query.observations ?? []).length > 0;
      const observations = isOwn ? limitObservations(query) : [];
      const observed = readObserved(observations, describeTraits(query));
      const compared = (place: number) =>
        observations.length > 0 ? { support: compare(place, observed).support } : undefined;
      return workflows.flatMap(({ id }, place): readonly Pair[] =>
        skip.includes(id)
          ? []
          : [
              {
                catalog,
                incident,
                isOwn,
                values: found.get(place)?.values ?? featureNames.map(() => 0),
                belongs: right.has(id),
                knowledge: !isObserved ? "reported" : isKnown ? "known" : "observed",
                shift: found.get(place)?.shift ?? 0,
                isKnown,
                comparison: compared(place),
              },
            ],
      );
    };
    return [
      ...cases.flatMap((one, at) => {
        const isOwn = one.catalog === catalog;
        if (!isOwn && at % keptUnrelated > 0) return [];
        const right = new Set(isOwn ? one.expected.workflow_ids : []);
        // What speaks against these is no matter of shared words.
        const skip = isOwn ? one.expected.must_not_select : [];
        return queriesFor(one).flatMap((query, at) =>
          add(`${one.catalog}/${one.id}/${at}`, query, right, isOwn, skip),
        );
      }),
      ...far.flatMap((incident_type) =>
        add(incident_type, checkQuery({ incident_type }), new Set(), false),
      ),
    ];
  });
}

/** One of so many incidents is compared with the entries of other catalogs. */
const keptUnrelated = 10;

/** A case as its alert's name alone, as the alert, and with what was observed. */
function queriesFor({
  incident,
  observed_facts,
}: Pick<(typeof cases)[number], "incident" | "observed_facts">): readonly CheckedQuery[] {
  const facts = observed_facts.map((one) => (typeof one === "string" ? { observation: one } : one));
  const read = (signal: object, metadata: object) => {
    const gathered = gatherGiven(JSON.stringify(signal), vouched({ ...metadata }));
    return gathered === undefined ? [] : [checkQuery(toCatalogQuery(gathered.incident, standing))];
  };
  return [
    checkQuery({ incident_type: incident.signal_name }),
    ...read(incident, {}),
    ...(facts.length === 0 ? [] : read(incident, { facts })),
  ];
}

/** Of names of alerts and of texts of workflows alike, the share that has a term. */
export function measureCommonness(): Readonly<Record<string, number>> {
  const texts = [
    ...cases.map(({ incident }) => incident.signal_name),
    ...far,
    ...[...catalogs.values()]
      .flat()
      .map(({ id, description: { what, whenToUse = "" } }) => `${id} ${what} ${whenToUse}`),
  ];
  const counts = new Map<string, number>();
  for (const text of texts)
    for (const term of readTerms(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  const most = Math.log(1 + texts.length);
  return Object.fromEntries(
    [...counts]
      .filter(([, count]) => count >= 4)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([term, count]) => [term, rounded(Math.log(1 + count) / most)]),
  );
}

/** The pairs of each incident. */
export function groupByIncident<One extends Pair>(of: readonly One[]): readonly (readonly One[])[] {
  const groups = new Map<string, One[]>();
  for (const one of of) {
    const group = groups.get(one.incident) ?? [];
    groups.set(one.incident, group);
    group.push(one);
  }
  return [...groups.values()];
}

function readLines(name: string): readonly string[] {
  return readFileSync(new URL(`../${name}`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
}
