import type { Response } from "../contract/response.js";
import type { AskOptions } from "./ask-options.js";
import { listFor } from "./list-options.js";
import { type ActiveRun, createRun } from "./run/create-run.js";
import { noLibrarianGiven, queryProblem } from "./run/errors.js";
import { firstHop } from "./run/hop.js";
import { shownQuery } from "./run/hop-error.js";
import { metadataRefusal } from "./run/limit-errors.js";
import type { Mesh, RunObserver } from "./run/model.js";

/**
 * Takes a run from its query to its response.
 *
 * @returns The run, and its response: valid, whatever goes wrong. It never rejects.
 */
export function performRun(
  mesh: Mesh,
  query: unknown,
  options: AskOptions,
  observer: RunObserver | undefined,
): { readonly run: ActiveRun; readonly response: Promise<Response> } {
  const run = createRun(mesh, query, options, observer);
  return { run, response: respond(run, query, options.to) };
}

function respond(run: ActiveRun, query: unknown, to: string | undefined): Promise<Response> {
  const { mesh, observer } = run;
  const entry = to ?? mesh.settings.entry ?? onlyLibrarian(mesh);
  observer?.runStarted(run, entry ?? "");
  run.begin();
  const refusal = refuseRun(run, query, entry);
  if (refusal !== undefined) return Promise.resolve(finish(run, refusal));
  const begin = () => mesh.follow(firstHop(run, entry ?? ""));
  const following = observer === undefined ? begin() : observer.within(run, begin);
  return following.then((response) => finish(run, response));
}

function finish(run: ActiveRun, response: Response): Response {
  run.end();
  run.observer?.runEnded(run, response);
  run.observer?.close();
  return response;
}

function refuseRun(
  run: ActiveRun,
  query: unknown,
  entry: string | undefined,
): Response | undefined {
  const { registry, settings } = run.mesh;
  const { metadata = {} } = run.scope;
  const error =
    queryProblem(query, settings.inputLimits.maxQueryLength) ??
    metadataRefusal(metadata, settings.inputLimits) ??
    (entry === undefined
      ? noLibrarianGiven(listFor(registry, run).map(({ id }) => id))
      : undefined);
  return error === undefined ? undefined : { error: { ...error.toInfo(), query: shownQuery(run) } };
}

/** Id of the only librarian registered; `undefined` when there are several, or none. */
function onlyLibrarian({ registry }: Mesh): string | undefined {
  return registry.size === 1 ? registry.list()[0]?.id : undefined;
}
