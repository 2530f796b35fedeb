import type { RunRecord } from "@constellation/core";
import type { FastifyInstance } from "fastify";
import { Problem } from "../http/problem.js";
import { readBody } from "../journal/journal-routes.js";
import type { Service } from "../service.js";
import type { KeptRun } from "./kept-run.js";
import { feedbackBodySchema } from "./run.schema.js";

/** Maximum number of runs whose feedback becomes cases at once. */
const maxCases = 1_000;
/** Maximum length of a text that a case looks for in an answer. */
const maxWanted = 200;

/** Adds feedback on answers, and its export as cases for `constellation eval`. */
export function addFeedbackRoutes(app: FastifyInstance, { runs, settings }: Service): void {
  app.put<{ Params: { id: string } }>("/runs/:id/feedback", async (request) => {
    const { id } = request.params;
    const run = await runs.get(id);
    if (run === undefined || !settings.mayReadRun(request.user, { user: run.user })) {
      throw new Problem(404, "NOT_FOUND", "Run not found.");
    }
    if (run.record.stopReason === undefined) {
      throw new Problem(409, "INVALID_QUERY", "The run has no answer yet.", {
        suggestion: "Wait until it has ended.",
      });
    }
    const { rating, note } = readBody(feedbackBodySchema, request.body);
    const by = request.user?.id;
    const feedback = {
      ...{ rating, at: Date.now() },
      ...(note !== undefined && note !== "" && { note }),
      ...(by !== undefined && { by }),
    };
    await runs.rate(id, feedback);
    return feedback;
  });

  app.get("/runs/cases", async (request, reply) => {
    const page = await runs.list({
      limit: maxCases,
      matches: ({ rating, user }) =>
        rating !== undefined && settings.mayReadRun(request.user, { user }),
    });
    const lines: string[] = [];
    for (const { runId } of page.runs) {
      const run = await runs.get(runId);
      const found = run && toEvalCase(run);
      if (found !== undefined) lines.push(`${JSON.stringify(found)}\n`);
    }
    return reply.type("application/jsonl; charset=utf-8").send(lines.join(""));
  });
}

/**
 * The case for an eval that feedback makes of a run: after thumbs up the same librarians answer and the same sources are cited, after
 * thumbs down the answer does not begin as it did.
 *
 * @returns `undefined` where nothing is left to compare with.
 */
function toEvalCase({ record, response, feedback }: KeptRun): object | undefined {
  const answer = response?.answer?.trim().split("\n")[0]?.slice(0, maxWanted) ?? "";
  const isGood = feedback?.rating === "up";
  const sources = [
    ...new Set((response?.sources ?? []).map(({ name }) => name.split("#")[0] ?? name)),
  ];
  const expect = isGood
    ? {
        librarians: answerers(record),
        ...(sources.length > 0 && { sources: sources.slice(0, 20) }),
      }
    : { mustNotMention: [answer] };
  if (isGood ? answerers(record).length === 0 : answer === "") return undefined;
  return {
    id: record.runId,
    query: record.query,
    to: record.to,
    expect,
    tags: ["feedback", isGood ? "thumbs-up" : "thumbs-down"],
  };
}

function answerers({ hops }: RunRecord): readonly string[] {
  const answered = hops.filter(({ outcome }) => outcome === "answer" || outcome === "partial");
  return [...new Set(answered.map(({ to }) => to))];
}
