import { generateChecked } from "@constellation/authoring";
import type { Context } from "@constellation/core";
import { remainingMs } from "@constellation/core";
import type { GroundedText } from "@constellation/nlu";
import type { SectionHit } from "@constellation/retrieval";
import type { NavigatorFinding } from "../navigator/finding.js";
import type { KnowledgeBaseView } from "../navigator/knowledge-base-view.js";
import type { NavigatorResponse } from "../navigator/navigator-response.js";
import { checkReply } from "./check-reply.js";
import { createPrompt, fittingHits, system } from "./prompt.js";
import { replySchema } from "./reply.schema.js";

/** Maximum number of sections in a prompt. */
export const modelSections = 8;

/** Options of {@link askModel}. */
export interface ModelQuestion {
  readonly query: string;
  readonly domain: string;
  readonly hits: readonly SectionHit[];
  readonly view: KnowledgeBaseView;
  /** Maximum time for the model, its repair included, in milliseconds; never more than what remains. */
  readonly timeoutMs: number;
}

/** Outcome of asking the model, reported in `metadata.model`. */
export interface ModelReport {
  /**
   * `used`: its first reply was used. `repaired`: its second reply was used. `not-used`: no reply
   * was used.
   */
  readonly outcome: "used" | "repaired" | "not-used";
  /**
   * Why it was not used, for people: a code of `errorCodes`, `no-time`, `no-room`,
   * `violations`, or `no-answer` where the pages are sure of one that the model did not find.
   */
  readonly reason?: string;
  /** Violations in its last refused reply. */
  readonly violations?: readonly string[];
  /** Sentences of its reply that do not follow from what it cites, with what stands in their place. */
  readonly ungrounded?: GroundedText["ungrounded"];
}

/** An answer of the model that passed every check, if there is one. */
export interface ModelAnswer {
  readonly report: ModelReport;
  readonly navigator?: NavigatorResponse;
  readonly cited?: readonly SectionHit[];
}

/** Asks the model of a context, checks its reply, and asks once for a repair.
 *
 * @throws MeshError `TIMEOUT` when the caller no longer waits. Any other failure of the model is
 *   listed in the report.
 */
export async function askModel(
  { query, domain, hits, view, timeoutMs }: ModelQuestion,
  context: Context,
): Promise<ModelAnswer> {
  const { ai } = context;
  if (ai === undefined) return { report: { outcome: "not-used", reason: "no-model" } };
  const request = {
    system,
    schema: replySchema,
    name: "navigator_response",
    promptId: "docs.answer",
    signal: context.signal,
  };
  const given = fittingHits(hits.slice(0, modelSections), {
    ai,
    request,
    besides: [query, domain],
  });
  if (given.length === 0) return { report: { outcome: "not-used", reason: "no-room" } };
  const prompt = createPrompt({ query, domain, hits: given });
  const endsAt = performance.now() + timeoutMs;
  const generated = await generateChecked(
    ai,
    { ...request, prompt },
    {
      context: {
        signal: context.signal,
        report: context.report,
        remainingMs: () => Math.min(remainingMs(context), Math.max(0, endsAt - performance.now())),
      },
      draftText: ["answer"],
      check(draft) {
        const checked = checkReply(draft, { query, hits: given, view });
        return "navigator" in checked
          ? { value: checked }
          : { problems: checked.violations.map(describeFinding) };
      },
    },
  );
  if (generated.outcome === "valid") {
    const outcome = generated.attempts === 1 ? "used" : "repaired";
    const { ungrounded, ...answer } = generated.value;
    return {
      ...answer,
      report: { outcome, ...(ungrounded.length > 0 && { ungrounded: ungrounded.slice(0, 10) }) },
    };
  }
  const { problems } = generated;
  const reason = generated.reason === "invalid-reply" ? "violations" : generated.reason;
  const violations = problems.length > 0 && { violations: problems.slice(0, 10) };
  return { report: { outcome: "not-used", reason, ...violations } };
}

/** A violation as a sentence for the model: field, what is wrong, and the value. */
function describeFinding({ field, message, value }: NavigatorFinding): string {
  const found = value === "" ? "" : ` Found: ${JSON.stringify(value)}.`;
  return `${field === "" ? "response" : field}: ${message}${found}`;
}
