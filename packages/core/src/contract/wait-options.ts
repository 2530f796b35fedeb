import { checkOptions } from "./option-checks.js";
import type { OptionTable } from "./option-table.js";
import type { ApprovalRequest, EventOptions, QuestionOptions, StepOptions } from "./waiting.js";

const allowFields = {
  kind: "fields",
  fields: { users: { kind: "texts" }, teams: { kind: "texts" }, roles: { kind: "texts" } },
  isFilled: true,
} as const;
const waitTable = {
  why: { kind: "text" },
  by: allowFields,
  expiresIn: { kind: "duration", default: Number.POSITIVE_INFINITY },
} as const;

const approvalTable = {
  what: { kind: "text", isRequired: true },
  data: { kind: "object" },
  excludeRequester: { kind: "flag", default: false },
  ...waitTable,
} as const satisfies OptionTable<ApprovalRequest>;

/** @throws TypeError or RangeError that names the key and the value. */
export function checkApproval(request: unknown): ApprovalRequest {
  return checkOptions<ApprovalRequest>("request", request, approvalTable);
}

/** As {@link checkApproval}, for options of a question or an event. */
export function checkWaitOptions(options: unknown): QuestionOptions & EventOptions {
  return checkOptions<QuestionOptions & EventOptions>("options", options ?? {}, waitTable);
}

const stepTable = {
  idempotent: { kind: "flag", default: false },
} as const satisfies OptionTable<StepOptions>;

/** As {@link checkApproval}, for options of a step. */
export function checkStepOptions(options: unknown): StepOptions {
  return checkOptions<StepOptions>("options", options ?? {}, stepTable);
}
