import { describeValue } from "@constellation/authoring";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import type { FastifyInstance } from "fastify";
import { wrongField } from "../http/problem.js";
import { readInteger } from "../http/read-request.js";
import type { Service } from "../service.js";
import { countRuns, countTimeline, statsGroups } from "./count-runs.js";

/** Maximum number of runs that are counted. */
const maxCounted = 5_000;
/** Maximum period of figures, in seconds. */
const seconds = { min: 60, default: 86_400, max: 366 * 86_400 } as const;

/** Adds `GET /runs/stats`: figures of the runs that the user may read. */
export function addStatsRoutes(app: FastifyInstance, { router, runs, settings }: Service): void {
  app.get<{ Querystring: { seconds?: string; by?: string } }>("/runs/stats", async (request) => {
    const { by = "", seconds: given = String(seconds.default) } = request.query;
    const sinceMs = readInteger("seconds", given, seconds.min, seconds.max) * 1_000;
    const groups = statsGroups.filter((each) => by.split(",").includes(each));
    if (by !== "" && groups.length < by.split(",").length) {
      throw wrongField(
        "by",
        `expected some of ${statsGroups.join(", ")}, got ${describeValue(by)}`,
      );
    }
    const now = Date.now();
    const filter = createLibrarianFilter(router, request.user);
    const page = await runs.list({
      limit: maxCounted,
      until: ({ startedAt }) => startedAt < now - 2 * sinceMs,
      matches: ({ user }) => settings.mayReadRun(request.user, { user }),
    });
    const counted = page.runs.map((run) => filter.apply(run));
    return {
      ...countRuns(counted, { now, sinceMs, by: groups }),
      timeline: countTimeline(counted, { now, sinceMs }),
      hasMore: page.hasMore,
    };
  });
}
