import { setTimeout } from "node:timers/promises";
import type { AskOptions, Response, RunRecord } from "@constellation/core";
import {
  type ModelAnswer,
  type ModelServer,
  startMessagesServer,
} from "@constellation/models/testing";
import { expect, onTestFinished } from "vitest";
import { incidentMesh } from "./incident-mesh.js";
import { type Answers, kindOf, modelWith } from "./incident-model.js";

/** What is asked where a test does not say. */
export const question =
  "Why does checkout keep crashing in production, and what should we run to fix it?";

/** How the mesh is set up, and what its model does. */
export interface Setting {
  readonly answers?: Answers;
  /** Answers every request in place of the model. */
  readonly step?: () => ModelAnswer;
  /** Milliseconds that each call takes. */
  readonly afterMs?: number;
  readonly isDown?: boolean;
  readonly change?: (folder: string) => Promise<void>;
}

/** The mesh with its model. Both are closed when the test ends. */
export async function meshWith({ answers, step, afterMs = 0, isDown, change }: Setting) {
  const model = modelWith(answers);
  let tell = () => {};
  const isAsked = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const server = await startMessagesServer((request) => {
    tell();
    return step?.() ?? { afterMs, ...model(request) };
  });
  if (isDown === true) await server.close();
  else onTestFinished(() => server.close());
  const mesh = await incidentMesh({
    baseURL: server.url,
    ...(change !== undefined && { change }),
  });
  return { mesh, server, isAsked };
}

/** Asks the mesh, waits until all has stopped, and checks that nothing is left behind. */
export async function askWith({
  query = question,
  budget,
  timeoutMs,
  ...setting
}: Setting & Pick<AskOptions, "budget" | "timeoutMs"> & { readonly query?: string }) {
  const { mesh, server } = await meshWith(setting);
  const timers = timersNow();
  const run = mesh.router.start(query, {
    ...(budget !== undefined && { budget }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  const response = await run.response;
  await run.settled;
  const record = run.explain();
  await expectIdle(server);
  for (let tries = 0; tries < 100 && timersNow() > timers; tries++) await setTimeout(20);
  expect(timersNow()).toBeLessThanOrEqual(timers);
  return {
    response,
    record,
    requests: server.requests,
    asked: server.requests.map(kindOf),
  };
}

/** A server sees the end of a connection a little after the client closed it. */
export async function expectIdle(server: ModelServer): Promise<void> {
  await expect.poll(() => server.busy).toBe(0);
}

function timersNow(): number {
  return process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
}

/** What a branch says of the model. */
export function modelOf({ metadata }: Response, librarian: string): unknown {
  const branches = metadata?.branches as
    | readonly { readonly to: string; readonly response: Response }[]
    | undefined; // what a fan-out promises
  return branches?.find(({ to }) => to === librarian)?.response.metadata?.model;
}

/** Why each hop of a run was made. */
export function reasonsOf({ hops }: RunRecord): string {
  return hops.map(({ reason }) => reason).join("\n");
}

/** The answer of the mesh as it is without a model. */
export function expectWithoutModel(response: Response): void {
  expect(response.error).toBeUndefined();
  expect(response.answer).toContain("OOMKilled");
  expect(response.answer).toContain("Stop the bleeding");
  expect(response.answer).toContain("**increase-memory-limits 1.2.0** is proposed");
  expect(response.answer).toContain(
    "Risk: low. Before it runs, it needs approval: it changes production.",
  );
  expect(response.answer).toContain("The model was not used");
  expect(modelOf(response, "workflow-selector")).toMatchObject({ outcome: "not-used" });
}
