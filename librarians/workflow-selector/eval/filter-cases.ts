import { z } from "zod";
import type { Catalog } from "../src/catalog/catalog.js";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import type { Labels } from "../src/catalog/workflow.js";
import {
  customBoost,
  detectedBoost,
  detectedPenalty,
  finalScore,
  fitsTraits,
  kubernautProfile,
} from "../src/search/kubernaut-profile.js";
import { isOfKind, matchLabel } from "../src/search/labels.js";
import type { ScoringProfile } from "../src/search/profile.js";
import { getWorkflow, searchWorkflowCatalog } from "../src/search/search-workflow-catalog.js";
import { type CaseResult, differs } from "./case-result.js";
import { readCases } from "./data-folder.js";

/** Those that follow the contract, by the numbers of their ids. */
const followed = new Set(
  "007 008 010 020 021 059 060 062 063 070 071 074 076 078 081 082 083".split(" "),
);

const caseSchema = z.object({
  id: z.string(),
  kind: z.string(),
  input: z.record(z.string(), z.unknown()),
  expected: z.unknown(),
});
const traits = z.record(z.string(), z.union([z.string(), z.boolean()])).nullish();
/** A label may be null: it is not a constraint. */
const labels = z
  .record(z.string(), z.union([z.string(), z.array(z.string())]).nullable())
  .transform(
    (read): Readonly<Record<string, string | readonly string[]>> =>
      Object.fromEntries(
        Object.entries(read).flatMap(([key, value]) => (value === null ? [] : [[key, value]])),
      ),
  )
  .nullish();

/** Runs the cases of the label filter and of the score. */
export async function runFilterCases(folder: string): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  for (const { id, kind, input, expected } of readCases(
    folder,
    "filter-score-cases.json",
    caseSchema,
  )) {
    const profile = followed.has(id.slice(-3)) ? "seeds" : "kubernaut";
    results.push({ id, profile, problem: await problemOf({ kind, input, expected, profile }) });
  }
  return results;
}

async function problemOf({
  kind,
  input,
  expected,
  profile,
}: Omit<z.infer<typeof caseSchema>, "id"> & Pick<CaseResult, "profile">): Promise<
  string | undefined
> {
  const actual = await outcomeOf(kind, input, profile === "seeds" ? undefined : kubernautProfile);
  const wanted = z.record(z.string(), z.unknown()).safeParse(expected).data ?? {};
  const key = ["score", "boost", "penalty"].find((one) => Object.hasOwn(wanted, one));
  return key === undefined ? differs(actual, expected) : differs(actual, wanted[key]);
}

async function outcomeOf(
  kind: string,
  input: Readonly<Record<string, unknown>>,
  profile: ScoringProfile | undefined,
): Promise<unknown> {
  switch (kind) {
    case "array_label":
    case "priority": {
      const value = input.workflow_values ?? input.workflow_value ?? input.workflow_priority;
      const wanted = input.filter_value ?? input.filter_priority;
      return matchLabel(valuesOf(value), String(wanted ?? "")) !== "none";
    }
    case "target_kind": {
      const read = z
        .object({ component: z.array(z.string()), target_kind: z.string() })
        .parse(input);
      return isOfKind(read.component, read.target_kind);
    }
    case "detected_filter":
    case "detected_boost":
    case "detected_penalty": {
      const read = z.object({ workflow_detected: traits, incident_detected: traits }).parse(input);
      const conditions = labelsOf(read.workflow_detected);
      const seen = read.incident_detected ?? {};
      if (kind === "detected_filter") return fitsTraits(conditions, seen);
      return kind === "detected_boost"
        ? detectedBoost(conditions, seen)
        : detectedPenalty(conditions, seen);
    }
    case "custom_boost": {
      const read = z.object({ workflow_custom: labels, incident_custom: labels }).parse(input);
      const wanted = Object.entries(read.incident_custom ?? {}).map(([key, value]) => [
        key,
        [value].flat()[0] ?? "",
      ]);
      return customBoost(labelsOf(read.workflow_custom), Object.fromEntries(wanted));
    }
    case "final_score": {
      const read = z
        .object({ detected_boost: z.number(), custom_boost: z.number(), penalty: z.number() })
        .parse(input);
      return finalScore({
        detectedBoost: read.detected_boost,
        customBoost: read.custom_boost,
        penalty: read.penalty,
      });
    }
    case "mandatory_labels": {
      const read = z.object({ workflow_labels: labels, filters: labels }).parse(input);
      const found = await search(
        [{ workflow_id: "w", labels: read.workflow_labels ?? {} }],
        read.filters ?? {},
        { profile },
      );
      return found.length === 1;
    }
    case "discovery": {
      const { workflows, filters } = z
        .object({
          workflows: z.array(z.looseObject({ action_type: z.string().nullish() })),
          filters: z.looseObject({
            action_type: z.string().nullish(),
            detected_labels: traits,
            custom_labels: labels,
          }),
        })
        .parse(input);
      const { action_type, detected_labels, custom_labels, ...rest } = filters;
      const ofType = workflows.filter((one) => !action_type || one.action_type === action_type);
      const wanted = labels.parse({ ...rest, ...custom_labels }) ?? {};
      return {
        workflow_ids_in_order: await search(ofType, wanted, {
          profile,
          seen: detected_labels ?? undefined,
        }),
      };
    }
    case "pagination": {
      const page = z.object({ offset: z.number(), limit: z.number() });
      const read = z.object({ items: z.array(z.number()), calls: z.array(page) }).parse(input);
      const entries = read.items.map((item) => ({ workflow_id: String(item), labels: {} }));
      const catalog = await catalogOf(entries);
      const results = read.calls.map(({ offset, limit }) =>
        searchWorkflowCatalog(catalog, { offset, max_results: limit }).workflows.map(
          ({ workflow_id }) => Number(workflow_id),
        ),
      );
      return { results };
    }
    case "security_gate": {
      const read = z.object({ workflow_labels: labels, filters: labels }).parse(input);
      const catalog = await catalogOf([{ workflow_id: "w", labels: read.workflow_labels ?? {} }]);
      const filters = plain(read.filters ?? {});
      return getWorkflow(catalog, { workflow_id: "w" }, { labels: filters }) !== undefined;
    }
    default:
      return `cases of kind ${kind} are not known`;
  }
}

async function search(
  workflows: readonly object[],
  filters: Readonly<Record<string, string | readonly string[]>>,
  {
    profile,
    seen,
  }: {
    readonly profile: ScoringProfile | undefined;
    readonly seen?: Readonly<Record<string, string | boolean>> | undefined;
  },
): Promise<readonly string[]> {
  const catalog = await catalogOf(workflows);
  const query = {
    labels: plain(filters),
    observed: { traits: seen },
  };
  return searchWorkflowCatalog(catalog, query, { profile }).workflows.map(
    ({ workflow_id }) => workflow_id,
  );
}

function catalogOf(workflows: readonly object[]): Promise<Catalog> {
  const entries = workflows.map((one) => ({ version: "1", description: "Does it.", ...one }));
  return createMemoryCatalog(entries).read();
}

/** Labels of a query: the first value of several. */
function plain(filters: Readonly<Record<string, string | readonly string[]>>) {
  return Object.fromEntries(
    Object.entries(filters).map(([key, value]) => [key, [value].flat()[0]]),
  );
}

function valuesOf(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return undefined;
  return z.array(z.string()).parse([value].flat());
}

function labelsOf(
  given: Readonly<Record<string, string | boolean | readonly string[]>> | null | undefined,
): Labels {
  return Object.fromEntries(
    Object.entries(given ?? {}).map(([key, value]) => [key, [value].flat().map(String)]),
  );
}
