import { z } from "zod";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import type { Approval } from "../src/index.js";
import { searchWorkflowCatalog } from "../src/search/search-workflow-catalog.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";
import { vouched } from "../test/workflows.js";
import type { CaseResult } from "./case-result.js";
import { runCorrectionCases } from "./correction-cases.js";
import { readCases, readRealWorkflows } from "./data-folder.js";
import { runFilterCases } from "./filter-cases.js";
import { runGateCases } from "./gate-cases.js";
import { runParameterCases } from "./parameter-cases.js";
import { runReplyCases } from "./reply-cases.js";

const caseSchema = z.object({
  id: z.string(),
  strict: z.boolean(),
  incident: z.record(z.string(), z.unknown()),
  /** What an investigation found, where there was one. */
  observed_rca: z.looseObject({ summary: z.string() }).nullish().catch(undefined),
  expected: z.object({
    confidence_floor: z.number().nullish(),
    approval_required_any_of: z.array(z.boolean()).nullish(),
    workflow_ids: z.array(z.string()).nullish(),
    no_workflow: z.boolean().nullish(),
    must_not_select: z.array(z.string()).optional(),
  }),
});

/** What a run of the cases gave. */
export interface Measurement {
  readonly figures: Readonly<Record<string, number>>;
  /** One line for each case that went wrong: of the strict ones, and of all other kinds. */
  readonly wrong: readonly string[];
}

/** Asks the librarian about every incident, and counts. */
export async function measure(folder: string): Promise<Measurement> {
  const store = createMemoryCatalog(readRealWorkflows(folder));
  const selector = createWorkflowSelectorLibrarian({ store });
  const { librarian } = selector;
  const wrong: string[] = [];
  let named = 0;
  let right = 0;
  let none = 0;
  let rightlyNone = 0;
  let forbidden = 0;
  for (const { id, strict, incident, expected } of readCases(
    folder,
    "selection-cases.json",
    caseSchema,
  )) {
    const { metadata } = await librarian(JSON.stringify(incident), {});
    const selected = selectedIn(metadata?.workflowSelection);
    if (expected.must_not_select?.includes(selected ?? "") === true) forbidden++;
    if (!strict) continue;
    const wanted = expected.workflow_ids ?? [];
    const isRight = wanted.length === 0 ? selected === undefined : wanted.includes(selected ?? "");
    if (wanted.length === 0) none++;
    else named++;
    if (isRight && wanted.length === 0) rightlyNone++;
    else if (isRight) right++;
    else wrong.push(`${id}: expected ${wanted.join(" or ") || "none"}, got ${selected ?? "none"}`);
  }
  const { workflows } = searchWorkflowCatalog(await store.read(), { isProduction: false });
  const characters = workflows.reduce((sum, one) => sum + JSON.stringify(one).length, 0);
  return {
    figures: {
      "strict cases that name a workflow": named,
      "of these, the right one proposed": right,
      "strict cases without a workflow": none,
      "of these, none proposed": rightlyNone,
      "forbidden workflows proposed": forbidden,
      ...(await investigatedFigures(folder, selector)),
      ...(await otherFigures(folder, wrong)),
      "entries in the catalog": workflows.length,
      "tokens per entry in the view, at 4 characters each": Math.round(
        characters / 4 / Math.max(1, workflows.length),
      ),
    },
    wrong,
  };
}

/** Strict cases that name a workflow, with what an investigation found as facts: pick, confidence and approval. */
async function investigatedFigures(
  folder: string,
  { librarian }: ReturnType<typeof createWorkflowSelectorLibrarian>,
): Promise<Readonly<Record<string, number>>> {
  const counts = { cases: 0, right: 0, floor: 0, approval: 0 };
  for (const { strict, incident, observed_rca, expected } of readCases(
    folder,
    "selection-cases.json",
    caseSchema,
  )) {
    const wanted = expected.workflow_ids ?? [];
    if (!strict || wanted.length === 0 || observed_rca == null) continue;
    const facts = [{ observation: observed_rca.summary }];
    const { metadata, confidence = 0 } = await librarian(
      JSON.stringify(incident),
      vouched({ facts, signal: incident }),
    );
    const approval = metadata?.approval as Approval | undefined; // what the librarian puts there
    counts.cases++;
    if (!wanted.includes(selectedIn(metadata?.workflowSelection) ?? "")) continue;
    counts.right++;
    if (confidence >= (expected.confidence_floor ?? 0)) counts.floor++;
    const allowed = expected.approval_required_any_of ?? [true, false];
    if (allowed.includes(approval?.approvalRequired ?? true)) counts.approval++;
  }
  return {
    "strict cases with an observed root cause": counts.cases,
    "of these, the right one proposed with it as a fact": counts.right,
    "of these, with the case's confidence or more": counts.floor,
    "of these, with the approval that the case has": counts.approval,
  };
}

/** The other kinds of cases: those that follow the contract, and the others under the profile `kubernaut`. */
async function otherFigures(
  folder: string,
  wrong: string[],
): Promise<Readonly<Record<string, number>>> {
  const kinds: Readonly<Record<string, readonly CaseResult[]>> = {
    "filter and score": await runFilterCases(folder),
    parameters: runParameterCases(folder),
    replies: runReplyCases(folder),
    corrections: await runCorrectionCases(folder),
    gates: runGateCases(folder),
  };
  const figures: Record<string, number> = {};
  for (const profile of ["seeds", "kubernaut"] as const) {
    for (const [kind, results] of Object.entries(kinds)) {
      const own = results.filter((one) => one.profile === profile);
      if (own.length === 0) continue;
      figures[`${profile}: cases of ${kind}`] = own.length;
      figures[`${profile}: ${kind} as expected`] = own.filter(
        ({ problem }) => problem === undefined,
      ).length;
    }
  }
  for (const { id, profile, problem } of Object.values(kinds).flat()) {
    if (problem !== undefined) wrong.push(`${id} (${profile}): ${problem}`);
  }
  return figures;
}

function selectedIn(selection: unknown): string | undefined {
  const schema = z.object({ strategies: z.array(z.object({ workflow_id: z.string() })) });
  return schema.safeParse(selection).data?.strategies[0]?.workflow_id;
}
