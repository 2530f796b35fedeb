import { type Context, MeshError } from "@constellation/core";
import type { SectionHit } from "@constellation/retrieval";
import type { NavigatorFinding } from "../navigator/finding.js";
import type { KnowledgeBaseView } from "../navigator/knowledge-base-view.js";
import type { NavigatorResponse } from "../navigator/navigator-response.js";
import { navigatorResponseSchema } from "../navigator/navigator-response.schema.js";
import { checkReply } from "./check-reply.js";
import { promptOf, repairTurns, system } from "./prompt.js";

/** Most sections that a model is given. */
export const modelSections = 8;
/** Least time that is worth a call, in milliseconds. */
const leastMs = 250;
/** Kept for what comes after the calls: a tenth of what remains, at most this, in milliseconds. */
const reserveMs = 500;

/** What {@link askModel} needs to know. */
export interface ModelQuestion {
  readonly query: string;
  readonly domain: string;
  readonly hits: readonly SectionHit[];
  readonly view: KnowledgeBaseView;
}

/** What came of asking the model; stands in `metadata.model`. */
export interface ModelReport {
  /** `used`: its answer stands. `repaired`: that of its second reply. `not-used`: it has none. */
  readonly outcome: "used" | "repaired" | "not-used";
  /** Why it was not used, for people: a code of `errorCodes`, `no-time` or `violations`. */
  readonly reason?: string;
  /** What was wrong with its last reply that was refused. */
  readonly violations?: readonly string[];
}

/** An answer of the model that passed every check, if there is one. */
export interface ModelAnswer {
  readonly report: ModelReport;
  readonly navigator?: NavigatorResponse;
  readonly cited?: readonly SectionHit[];
}

/**
 * Asks the model of a context, checks its reply, and has it repaired once.
 *
 * @throws MeshError `TIMEOUT` when the caller no longer waits. Any other failure of the model is
 *   told in the report.
 */
export async function askModel(
  { query, domain, hits, view }: ModelQuestion,
  context: Context,
): Promise<ModelAnswer> {
  const { ai } = context;
  if (ai === undefined) return { report: { outcome: "not-used", reason: "no-model" } };
  const given = hits.slice(0, modelSections);
  const prompt = promptOf({ query, domain, hits: given });
  let violations: readonly NavigatorFinding[] = [];
  let reply = "";
  for (const outcome of ["used", "repaired"] as const) {
    const timeoutMs = timeFor(context, outcome);
    if (timeoutMs !== undefined && timeoutMs < leastMs) return refused("no-time", violations);
    try {
      const { value, text } = await ai.analyze({
        system,
        prompt: outcome === "used" ? prompt : repairTurns(prompt, reply, violations),
        schema: navigatorResponseSchema,
        name: "navigator_response",
        maxTokens: 2_048,
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(context.signal !== undefined && { signal: context.signal }),
      });
      const checked = checkReply(value, { query, hits: given, view });
      if ("navigator" in checked) return { ...checked, report: { outcome } };
      violations = checked.violations;
      reply = text.trim() === "" ? JSON.stringify(value) : text;
    } catch (thrown) {
      context.signal?.throwIfAborted();
      return refused(thrown instanceof MeshError ? thrown.code : "AI_UNAVAILABLE", violations);
    }
  }
  return refused("violations", violations);
}

function refused(reason: string, violations: readonly NavigatorFinding[]): ModelAnswer {
  const messages = violations.slice(0, 10).map(({ message }) => message);
  return {
    report: {
      outcome: "not-used",
      reason,
      ...(messages.length > 0 && { violations: messages }),
    },
  };
}

/** The first call may take two thirds of what remains; the second the rest, less a reserve. */
function timeFor(
  { remainingMs, deadline }: Context,
  call: "used" | "repaired",
): number | undefined {
  const remains =
    remainingMs?.() ?? (deadline === undefined ? Number.POSITIVE_INFINITY : deadline - Date.now());
  if (remains === Number.POSITIVE_INFINITY) return undefined;
  const usable = remains - Math.min(reserveMs, remains / 10);
  return Math.floor(call === "used" ? (usable * 2) / 3 : usable);
}
