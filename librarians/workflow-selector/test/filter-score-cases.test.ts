import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readCases, selectionData } from "../eval/data-folder.js";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import { isOfKind, matchLabel } from "../src/search/labels.js";
import { searchWorkflowCatalog } from "../src/search/search-workflow-catalog.js";

/** Those that follow the contract; the others follow a later one. */
const followed = new Set(
  "007 008 010 020 021 059 060 062 063 070 071 074 076 078 081 082 083".split(" "),
);

const labels = z.record(z.string(), z.union([z.string(), z.array(z.string())]));
const caseSchema = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  input: z.unknown(),
  expected: z.unknown(),
});

const folder = selectionData();
const cases = (
  folder === undefined ? [] : readCases(folder, "filter-score-cases.json", caseSchema)
).filter(({ id }) => followed.has(id.slice(-3)));

describe.skipIf(cases.length === 0)(
  "the real cases of the label filter (skipped without their data)",
  () => {
    it.each(cases)("$id $title", async ({ kind, input, expected }) => {
      expect(await outcomeOf(kind, input)).toEqual(expected);
    });
  },
);

async function outcomeOf(kind: string, input: unknown): Promise<unknown> {
  if (kind === "array_label") {
    const { workflow_values, filter_value } = z
      .object({ workflow_values: z.array(z.string()).nullable(), filter_value: z.string() })
      .parse(input);
    return matchLabel(workflow_values ?? undefined, filter_value) !== "none";
  }
  if (kind === "target_kind") {
    const { component, target_kind } = z
      .object({ component: z.array(z.string()), target_kind: z.string() })
      .parse(input);
    return isOfKind(component, target_kind);
  }
  if (kind === "mandatory_labels") {
    const read = z
      .object({ workflow_labels: labels, filters: z.record(z.string(), z.string()).nullable() })
      .parse(input);
    return (
      (await search([{ workflow_id: "w", labels: read.workflow_labels }], read.filters ?? {}))
        .length === 1
    );
  }
  const read = z
    .object({
      workflows: z.array(z.object({ workflow_id: z.string(), action_type: z.string(), labels })),
      filters: z.record(z.string(), z.string()),
    })
    .parse(input);
  const { action_type, ...filters } = read.filters;
  const ofType = read.workflows.filter(
    (one) => action_type === undefined || one.action_type === action_type,
  );
  return { workflow_ids_in_order: await search(ofType, filters) };
}

async function search(workflows: readonly object[], filters: Readonly<Record<string, string>>) {
  const entries = workflows.map((one) => ({ version: "1", description: "Does it.", ...one }));
  const catalog = await createMemoryCatalog(entries).read();
  return searchWorkflowCatalog(catalog, { labels: filters }).workflows.map(
    ({ workflow_id }) => workflow_id,
  );
}
