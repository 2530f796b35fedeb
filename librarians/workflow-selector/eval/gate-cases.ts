import { z } from "zod";
import { toApproval } from "../src/policy/policy.js";
import { type CaseResult, differs, first } from "./case-result.js";
import { readCases } from "./data-folder.js";

const gateCase = z.object({
  id: z.string(),
  input: z.object({
    environment: z.string().nullish(),
    confidence: z.number(),
    confidence_threshold: z.number().nullish(),
    confidence_floor: z.number().nullish(),
    action_type: z.string().nullish(),
    remediation_target: z.object({ kind: z.string(), name: z.string() }).nullish(),
  }),
  expected: z.record(z.string(), z.unknown()),
});

/** Runs the cases of the gates. */
export function runGateCases(folder: string): readonly CaseResult[] {
  return readCases(folder, "confidence-gate-cases.json", gateCase).map(
    ({ id, input, expected }) => {
      const {
        environment,
        confidence,
        action_type,
        remediation_target: target,
        confidence_threshold,
        confidence_floor,
      } = input;
      const facts = {
        environment: environment ?? undefined,
        confidence,
        actionType: action_type ?? undefined,
        target,
      };
      const { approvalRequired, humanReview } = toApproval(facts, {
        approvalBelow: confidence_threshold ?? undefined,
        humanReviewBelow: confidence_floor ?? undefined,
      });
      const problems = [
        ...("approval_required" in expected
          ? [differs(approvalRequired, expected.approval_required)]
          : []),
        ...("needs_human_review" in expected
          ? [differs(humanReview, expected.needs_human_review)]
          : []),
      ];
      return {
        id,
        profile: "seeds",
        problem: problems.length === 0 ? "it expects nothing known" : first(problems),
      };
    },
  );
}
