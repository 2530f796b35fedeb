import type { RunRecord, User } from "@constellation/core";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import { Problem } from "../http/problem.js";
import { readBody } from "../http/read-request.js";
import type { Service } from "../service.js";
import type { KeptRun, RunSummary } from "./kept-run.js";
import { type datasetListSchema, datasetPlaceSchema, feedbackBodySchema } from "./run.schema.js";

interface RunRequest {
  readonly Params: { readonly id: string };
}

/** Maximum number of runs whose feedback becomes cases at once. */
const maxCases = 1_000;
/** Maximum length of a text that a case compares answers with. */
const maxExpectedLength = 200;

/**
 * Adds what people say of runs: feedback on answers, and datasets of runs whose questions experiments ask again. Both are
 * exported as cases for `constellation eval`.
 */
export function addFeedbackRoutes(app: FastifyInstance, { runs, settings }: Service): void {
  /** @throws Problem for a run that its reader may not read, or that has not ended. */
  async function requireEnded(id: string, user: User | undefined): Promise<void> {
    const run = await runs.get(id);
    if (run === undefined || !settings.mayReadRun(user, { user: run.user })) {
      throw new Problem(404, "NOT_FOUND", "Run not found.");
    }
    if (run.record.stopReason === undefined) {
      throw new Problem(409, "INVALID_QUERY", "The run has no answer yet.", {
        suggestion: "Wait until it has ended.",
      });
    }
  }

  app.put<RunRequest>("/runs/:id/feedback", async (request) => {
    const { id } = request.params;
    await requireEnded(id, request.user);
    const { rating, note } = readBody(feedbackBodySchema, request.body);
    const by = request.user?.id;
    const feedback = {
      ...{ rating, at: Date.now() },
      ...(note !== undefined && note !== "" && { note }),
      ...(by !== undefined && { by }),
    };
    await runs.label(id, { feedback });
    return feedback;
  });

  app.put<RunRequest>("/runs/:id/dataset", async (request) => {
    const { id } = request.params;
    await requireEnded(id, request.user);
    const dataset = readBody(datasetPlaceSchema, request.body);
    await runs.label(id, { dataset });
    return dataset;
  });

  app.delete<RunRequest>("/runs/:id/dataset", async (request, reply) => {
    const { id } = request.params;
    await requireEnded(id, request.user);
    await runs.label(id, { dataset: undefined });
    return reply.code(204).send();
  });

  app.get("/runs/datasets", async (request) => {
    const page = await runs.list({
      limit: maxCases,
      matches: ({ dataset, user }) =>
        dataset !== undefined && settings.mayReadRun(request.user, { user }),
    });
    return { datasets: listDatasets(page.runs) } satisfies z.infer<typeof datasetListSchema>;
  });

  app.get<{ Querystring: { dataset?: string } }>("/runs/cases", async (request, reply) => {
    const { dataset } = request.query;
    const page = await runs.list({
      limit: maxCases,
      matches: ({ rating, dataset: place, user }) =>
        (dataset === undefined
          ? rating !== undefined
          : place?.name === dataset && place.experiment === undefined) &&
        settings.mayReadRun(request.user, { user }),
    });
    const lines: string[] = [];
    for (const { runId } of page.runs) {
      const run = await runs.get(runId);
      const evalCase = run && toEvalCase(run);
      if (evalCase !== undefined) lines.push(`${JSON.stringify(evalCase)}\n`);
    }
    return reply.type("application/jsonl; charset=utf-8").send(lines.join(""));
  });
}

/** @param found - Newest first. */
function listDatasets(found: readonly RunSummary[]) {
  const datasets = new Map<string, { cases: number; experiments: Set<string> }>();
  for (const { dataset } of found) {
    if (dataset === undefined) continue;
    const known = datasets.get(dataset.name) ?? { cases: 0, experiments: new Set<string>() };
    datasets.set(dataset.name, known);
    if (dataset.experiment === undefined) known.cases++;
    else known.experiments.add(dataset.experiment);
  }
  return Array.from(datasets, ([name, { cases, experiments }]) => ({
    ...{ name, cases, experiments: [...experiments] },
  }));
}

/**
 * A run as a case of an eval. After thumbs down the first line of the answer must not come again; otherwise the same
 * librarians must answer and cite the same sources.
 *
 * @returns `undefined` for a run without anything to compare with.
 */
function toEvalCase({ record, response, feedback, dataset }: KeptRun): object | undefined {
  const answer = response?.answer?.trim().split("\n")[0]?.slice(0, maxExpectedLength) ?? "";
  const isGood = feedback?.rating !== "down";
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
    tags: [
      ...(feedback === undefined ? [] : ["feedback", isGood ? "thumbs-up" : "thumbs-down"]),
      ...(dataset === undefined ? [] : [dataset.name]),
    ],
  };
}

function answerers({ hops }: RunRecord): readonly string[] {
  const answered = hops.filter(({ outcome }) => outcome === "answer" || outcome === "partial");
  return [...new Set(answered.map(({ to }) => to))];
}
