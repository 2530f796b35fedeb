import { scriptedAI, testContext } from "@constellation/testing";
import { z } from "zod";
import { askUntilValid } from "../src/model/ask-until-valid.js";
import { parseReply } from "../src/reply/parse-reply.js";
import type { ReplyIssue, WorkflowSelection } from "../src/reply/selection.js";
import { type CaseResult, differs, first, lacks, textsOf } from "./case-result.js";
import { readCases } from "./data-folder.js";
import { parametersOf } from "./parameter-cases.js";

/** Trusting the model's own review flag is not followed. */
const refused = "sc-011";
const followed = new Set(["sc-004", "sc-010", "sc-012"]);
const record = z.record(z.string(), z.unknown());
const correctionCase = z.object({
  id: z.string(),
  /** Not given: any workflow that an answer names. */
  allowlist: z.array(z.string()).nullish(),
  schema: z.array(record).nullish(),
  answers: z.array(z.looseObject({ workflow_id: z.string().nullish() })),
  max_attempts: z.number(),
  expected: record,
});

/** Runs the cases of correcting a reply: a model that plays the answers, in the loop that is shipped. */
export async function runCorrectionCases(folder: string): Promise<readonly CaseResult[]> {
  const cases = readCases(folder, "self-correction-cases.json", correctionCase).filter(
    ({ id }) => id !== refused,
  );
  return Promise.all(cases.map(runCase));
}

async function runCase({
  id,
  expected,
  ...given
}: z.infer<typeof correctionCase>): Promise<CaseResult> {
  const { attempts, selection } = await replies(given);
  const issues = attempts[0]?.map(({ path, message }) => `${path} ${message}`) ?? [];
  const tried = attempts.length + (selection === undefined ? 0 : 1);
  const facts: Readonly<Record<string, unknown>> = {
    valid: selection !== undefined,
    workflow_id: selection?.strategies[0]?.workflow_id,
    needs_human_review: selection === undefined,
    attempts: tried,
    attempts_valid: [...attempts.map(() => false), ...(selection === undefined ? [] : [true])],
    corrections: tried - 1,
  };
  const problems = [
    ...Object.entries(expected).flatMap(([key, value]) =>
      Object.hasOwn(facts, key) ? differs(facts[key], value) : [],
    ),
    ...textsOf(expected.error_contains).map((part) => lacks(issues.join(), part)),
    ...textsOf(expected.first_attempt_first_error_contains).map((part) =>
      lacks(issues[0] ?? "", part),
    ),
  ];
  return { id, profile: followed.has(id) ? "seeds" : "kubernaut", problem: first(problems) };
}

/** The issues of each reply that was not valid, and the selection of the one that was. */
async function replies({
  allowlist,
  schema,
  answers,
  max_attempts,
}: Omit<z.infer<typeof correctionCase>, "id" | "expected">): Promise<{
  readonly attempts: readonly (readonly ReplyIssue[])[];
  readonly selection?: WorkflowSelection;
}> {
  const parameters = parametersOf(schema ?? null) ?? undefined;
  const ids = allowlist ?? answers.flatMap(({ workflow_id }) => workflow_id ?? []);
  const provided = ids.map((workflow_id) => ({ workflow_id, version: "1.0.0", parameters }));
  const script = answers.map((answer) =>
    JSON.stringify({ root_cause_analysis: { summary: "s" }, selected_workflow: answer }),
  );
  const ai = scriptedAI(script);
  const context = testContext({ ai });
  const attempts: (readonly ReplyIssue[])[] = [];
  try {
    const { value } = await askUntilValid<WorkflowSelection>(
      ai,
      {
        promptId: "workflow.selection",
        system: "Select a workflow.",
        turns: [{ role: "user", text: "Which workflow?" }],
        share: 1,
        read: (reply) => {
          const { selection, issues } = parseReply(reply, provided);
          return selection === undefined ? { issues } : { value: selection };
        },
        onInvalid: (issues) => attempts.push(issues),
      },
      {
        context,
        signal: new AbortController().signal,
        calls: { left: Math.min(max_attempts, script.length) },
      },
    );
    return { attempts, selection: value };
  } catch {
    return { attempts };
  }
}
