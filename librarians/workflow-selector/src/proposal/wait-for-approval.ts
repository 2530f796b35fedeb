import type { HopContext, Approval as PersonsDecision, Response } from "@constellation/core";
import type { OutcomeStore } from "../outcomes/outcome.js";
import type { Decision } from "./decide.js";

/** Who approves a proposal, and for how long it may be approved. */
export interface ApprovalWait {
  /** Who may answer. Not given: anyone whom the application lets answer. */
  readonly by?:
    | {
        readonly users?: readonly string[] | undefined;
        readonly teams?: readonly string[] | undefined;
        readonly roles?: readonly string[] | undefined;
      }
    | undefined;
  /**
   * Whether the user who asked may not approve it.
   *
   * @default true
   */
  readonly excludeRequester?: boolean | undefined;
  /**
   * Time until it can no longer be approved, in milliseconds.
   *
   * @default 3_600_000
   */
  readonly expiresIn?: number | undefined;
}

/**
 * Waits for a person where the policy says that the proposal needs approval; the decision is in `metadata.approval`, and
 * in the outcomes where they are kept.
 *
 * @throws MeshError where the router has no journal: nothing passes as approved then.
 */
export async function waitForApproval(
  { by, excludeRequester = true, expiresIn = 3_600_000 }: ApprovalWait,
  { decision, response }: { readonly decision: Decision; readonly response: Response },
  context: HopContext,
  outcomes: OutcomeStore | undefined,
): Promise<Response> {
  const { selection, approval } = decision.proposal;
  const [selected] = selection.strategies;
  const workflow = decision.entries.find(({ workflow: { id } }) => id === selected?.workflow_id);
  if (selected === undefined || !(approval.approvalRequired || approval.humanReview)) {
    return response;
  }
  const { workflow_id, parameters } = selected;
  const version = workflow?.workflow.version ?? "";
  const decided = await context.approve({
    what: `Run the workflow ${workflow_id}`,
    why: approval.reasons.join("; ").slice(0, 1_000),
    data: { workflow_id, version, parameters },
    ...(by !== undefined && { by }),
    excludeRequester,
    expiresIn,
  });
  if (outcomes !== undefined && decided.outcome !== "expired" && version !== "") {
    const { approved, by: person, at, comment } = decided;
    const event = approved ? ("approved" as const) : ("rejected" as const);
    await context.step(`record ${workflow_id}`, () =>
      outcomes.record({
        ...{ workflow_id, version, event, at: new Date(at).toISOString() },
        ...(person !== undefined && { by: person.slice(0, 200) }),
        ...(comment !== undefined && { note: comment }),
      }),
    );
  }
  return {
    ...response,
    answer: `${sentenceFor(decided)}\n\n${response.answer ?? ""}`,
    headline: `${sentenceFor(decided)} ${response.headline ?? ""}`,
    ...(!decided.approved && { partial: true }),
    metadata: { ...response.metadata, approval: { ...approval, decision: decided } },
  } as Response; // a proposal has an answer
}

function sentenceFor({ outcome, by }: PersonsDecision): string {
  if (outcome === "expired") return "No one approved it in time: it is not to be run.";
  const who = by === undefined ? "" : ` by ${by}`;
  return outcome === "approved" ? `Approved${who}.` : `Refused${who}: it is not to be run.`;
}
