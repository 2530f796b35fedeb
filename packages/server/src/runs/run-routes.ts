import { describeValue } from "@constellation/core/authoring";
import type { FastifyInstance } from "fastify";
import { Problem, wrongField } from "../http/problem.js";
import type { Service } from "../service.js";
import { withoutTexts } from "./kept-run.js";

/** Maximum number of runs in one list. */
const maxList = 200;

/** Adds `GET /runs` and `GET /runs/:id`. */
export function addRunRoutes(app: FastifyInstance, { runs, settings }: Service): void {
  app.get<{ Querystring: { limit?: string } }>("/runs", (request) => {
    const { limit = "50" } = request.query;
    if (!/^[1-9]\d{0,2}$/.test(limit) || Number(limit) > maxList) {
      throw wrongField(
        "limit",
        `expected an integer from 1 to ${maxList}, got ${describeValue(limit)}`,
      );
    }
    return {
      runs: runs.list(Number(limit)).map(({ query, user, ...run }) => ({
        ...run,
        ...(settings.mayReadRun(request.user, { user })
          ? { query, ...(user !== undefined && { user: { id: user.id } }) }
          : { withheld: true }),
      })),
    };
  });

  app.get<{ Params: { id: string } }>("/runs/:id", (request) => {
    const run = runs.get(request.params.id);
    if (run === undefined) {
      throw new Problem(404, "NOT_FOUND", "There is no run with this id.", {
        suggestion: `Only the last ${settings.limits.runs} runs are kept; /runs lists them.`,
      });
    }
    if (!settings.mayReadRun(request.user, { user: run.user })) {
      return { ...withoutTexts(run), withheld: true };
    }
    const { user, ...rest } = run;
    return { ...rest, ...(user !== undefined && { user: { id: user.id } }) };
  });
}
