import { MeshError } from "../contract/mesh-error.js";
import type { Response } from "../contract/response.js";
import { inSpan } from "../tracing/spans.js";
import { reportFanOutsCut } from "./fan-out-report.js";
import { follow } from "./follow.js";
import { observe } from "./observe.js";
import { reportRunEnd, reportRunStart } from "./run-report.js";
import type { RunState } from "./run-state.js";
import { whenHeard } from "./when-heard.js";

/**
 * Takes a run from its query to its response.
 *
 * @param to - Id the caller named, if any.
 * @returns A valid response, always: whatever goes wrong is in its `error`.
 */
export function performRun(run: RunState, to: string | undefined): Promise<Response> {
  const entry = to ?? run.settings.entry ?? run.onlyLibrarian;
  observe(run, () => reportRunStart(run, entry ?? ""));
  run.begin();
  const refusal = refuseRun(run, entry);
  if (refusal !== undefined) return Promise.resolve(finish(run, refusal));
  const begin = () => follow(run.firstHop(entry ?? ""));
  const following = run.span === undefined ? begin() : inSpan(run.span, begin);
  return following.then((response) => finish(run, response));
}

function finish(run: RunState, response: Response): Response {
  run.end();
  observe(run, () => {
    reportFanOutsCut(run);
    reportRunEnd(run, response);
  });
  const { buffer } = run;
  if (buffer !== undefined) whenHeard(() => buffer.close()); // those just stopped may be abandoned
  return response;
}

function refuseRun(run: RunState, entry: string | undefined): Response | undefined {
  if (run.queryProblem !== undefined) return refused(run, run.queryProblem);
  return entry === undefined ? refused(run, noEntry(run)) : undefined;
}

function refused(run: RunState, error: MeshError): Response {
  return { error: { ...error.toInfo(), query: run.shortQuery } };
}

const mostIdsNamed = 20;

function noEntry({ registry }: RunState): MeshError {
  const ids = registry.list().map(({ id }) => id);
  const named = ids.slice(0, mostIdsNamed).join(", ");
  const more = ids.length > mostIdsNamed ? ` and ${ids.length - mostIdsNamed} more` : "";
  return new MeshError(
    "INVALID_QUERY",
    ids.length === 0
      ? "No librarian is registered."
      : `Who should answer? Registered are ${named}${more}.`,
    {
      suggestion:
        ids.length === 0
          ? "Register a librarian, then ask again."
          : "Name one of them in `to`, or give the router an `entry`.",
    },
  );
}
