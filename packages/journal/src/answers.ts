import type { RecordedAnswer, WaitAnswer, Waiting } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { checkOptions, mayAnswer, type OptionTable } from "@constellation/core/checks";

const answerTable = {
  id: { kind: "text", isRequired: true },
  approve: { kind: "flag" },
  value: { kind: "checked", check: (_at: string, value: unknown) => value },
  repeat: { kind: "flag" },
  user: { kind: "object", texts: ["id"] },
  comment: { kind: "text" },
} as const satisfies OptionTable<WaitAnswer>;

/** @throws TypeError or RangeError that names the key and the value. */
export function checkAnswer(answer: unknown): WaitAnswer {
  return checkOptions<WaitAnswer>("answer", answer, answerTable);
}

/**
 * Reads an answer as it is recorded.
 *
 * @throws MeshError `UNAUTHORIZED` where the user may not give it, `INVALID_QUERY` for one of the wrong kind.
 */
export function readAnswer(waiting: Waiting, given: WaitAnswer): RecordedAnswer {
  const { user, comment } = given;
  if (!mayAnswer(waiting, user)) {
    throw new MeshError("UNAUTHORIZED", `The user may not answer "${waiting.id}".`, {
      reason: "not-allowed",
      suggestion:
        "Its `by` names who may answer; with `excludeRequester` the user who asked may not.",
    });
  }
  return {
    ...readOutcome(waiting, given),
    ...(user !== undefined && { by: user.id }),
    at: Date.now(),
    ...(comment !== undefined && { comment: comment.slice(0, 2_000) }),
  };
}

function readOutcome(
  { kind, id }: Waiting,
  { approve, value, repeat }: WaitAnswer,
): Pick<RecordedAnswer, "outcome" | "value"> {
  if (kind === "approval" && approve !== undefined) {
    return { outcome: approve ? "approved" : "refused" };
  }
  if (kind === "question" && approve === false) return { outcome: "refused" };
  if (kind === "outcome-unknown" && repeat === true) return { outcome: "repeat" };
  if (kind !== "approval" && (value !== undefined || kind === "event")) {
    return { outcome: "answered", value };
  }
  const expected = {
    approval: "`approve`",
    question: "`value`, or `approve: false`",
    event: "`value`",
    "outcome-unknown": "`value` (what it returned) or `repeat: true`",
  }[kind];
  throw new MeshError("INVALID_QUERY", `The answer to "${id}" needs ${expected}.`);
}
