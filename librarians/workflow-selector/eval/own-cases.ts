import { readFileSync } from "node:fs";
import { createRouter, type Response } from "@constellation/core";
import { z } from "zod";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import type { Approval, WorkflowSelection } from "../src/index.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";
import { vouched } from "../test/workflows.js";

/**
 * Which cases: `dev` for tuning, `held-out` for the figures of the README, `dev-later` written later and held
 * out until it was scored once.
 */
export const splits = ["dev", "dev-later", "dev-operations", "dev-clusters", "held-out"] as const;
export type Split = (typeof splits)[number];

const caseSchema = z.object({
  id: z.string(),
  catalog: z.string(),
  strict: z.boolean(),
  incident: z.looseObject({ signal_name: z.string() }),
  observed_facts: z.array(z.union([z.string(), z.record(z.string(), z.unknown())])),
  expected: z.object({
    workflow_ids: z.array(z.string()),
    no_workflow: z.boolean(),
    must_not_select: z.array(z.string()),
  }),
});

/** A case over a catalog of our own. */
export type OwnCase = z.infer<typeof caseSchema>;

/** How a case came out. */
export interface OwnOutcome {
  readonly id: string;
  readonly selected: string | undefined;
  readonly confidence: number;
  /** The right workflow, or none proposed without a person where there is none. */
  readonly isRight: boolean;
  readonly namesNone: boolean;
  readonly isForbidden: boolean;
  /** A person must look before it runs. */
  readonly isReviewed: boolean;
}

/** Reads the cases of a split. */
export function readOwnCases(split: Split): readonly OwnCase[] {
  return linesOf(`cases/${split}.jsonl`).map((line) => caseSchema.parse(line));
}

/** Another text for the alert of a case: `cases/reworded.jsonl`. */
export function readRewordings(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const schema = z.object({ id: z.string(), summary: z.string(), description: z.string() });
  const lines = linesOf("cases/reworded.jsonl").map((line) => schema.parse(line));
  return new Map(lines.map(({ id, ...texts }) => [id, texts]));
}

/** Where the observed facts come from: the caller, a librarian with this capability, or nowhere. */
export type FactSource = "caller" | "none" | `${string}.facts`;

/** Asks the librarian about each case. */
export async function runOwnCases(
  cases: readonly OwnCase[],
  source: FactSource = "caller",
): Promise<readonly OwnOutcome[]> {
  const librarians = new Map<string, ReturnType<typeof createWorkflowSelectorLibrarian>>();
  const outcomes: OwnOutcome[] = [];
  for (const one of cases) {
    const known = librarians.get(one.catalog);
    const librarian =
      known ??
      createWorkflowSelectorLibrarian({
        store: createMemoryCatalog(linesOf(`catalogs/${one.catalog}.jsonl`)),
      });
    librarians.set(one.catalog, librarian);
    outcomes.push(outcomeOf(one, await ask(one, librarian, source)));
  }
  return outcomes;
}

async function ask(
  { incident, observed_facts }: OwnCase,
  selector: ReturnType<typeof createWorkflowSelectorLibrarian>,
  source: FactSource,
): Promise<Response> {
  const facts = observed_facts.map((one) => (typeof one === "string" ? { observation: one } : one));
  const query = JSON.stringify(incident);
  if (source === "caller") return selector.librarian(query, vouched({ facts, signal: incident }));
  const router = createRouter({ entry: selector.id });
  router.register(selector);
  if (source !== "none") {
    router.register({
      id: "observer",
      description: "Observes.",
      capabilities: [source],
      librarian: async () => ({ answer: "observed", metadata: { facts } }),
    });
  }
  return router.ask(query);
}

function outcomeOf({ id, expected }: OwnCase, { metadata }: Response): OwnOutcome {
  const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
  const approval = metadata?.approval as Approval | undefined;
  const [best] = selection?.strategies ?? [];
  const selected = best?.workflow_id;
  const isReviewed = approval?.humanReview ?? true;
  const isRight = expected.no_workflow
    ? selected === undefined || isReviewed
    : expected.workflow_ids.includes(selected ?? "");
  return {
    id,
    selected,
    confidence: best?.confidence ?? 0,
    isRight,
    namesNone: expected.no_workflow,
    isForbidden: expected.must_not_select.includes(selected ?? ""),
    isReviewed,
  };
}

function linesOf(name: string): readonly unknown[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as unknown);
}
