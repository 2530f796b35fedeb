import { MeshError } from "../../contract/mesh-error.js";
import type { Branch, MissingBranch, Response } from "../../contract/response.js";
import { partialBelowConfidence } from "../../contract/validate-response.js";
import { errorOf } from "../run/errors.js";
import { whyClosed } from "../run/hop.js";
import type { Arrival, FanOut, Hop, Merged } from "../run/model.js";
import { callMerge } from "./call-merge.js";
import { joinAnswers } from "./join-answers.js";
import { listMissing } from "./missing.js";
import type { CustomMerge, Strategy } from "./strategy.js";

const maxMessageLength = 2_000;

/** Makes one response of a fan-out. Branches that failed or were not called are always listed. Never rejects. */
export async function mergeFanOut(fanOut: FanOut, strategy: Strategy): Promise<Merged> {
  const { hop, own, children } = fanOut;
  const arrivals = inOrderAsked(fanOut.arrivals);
  const branches = arrivals.map(({ index, response }) =>
    toBranch(children[index] ?? hop, response),
  );
  const missing = listMissing(fanOut, arrivals);

  const answers = fanOut.arrivals.filter(({ response }) => response.answer !== undefined);
  const ownAnswer = own.answer === undefined ? undefined : { index: -1, response: own };
  const picked = inOrderAsked(
    strategy.pick(answers, ownAnswer, ({ index }) => isOfUsersTeam(children[index] ?? hop)),
  );
  const isAll = ownAnswer === undefined && picked.length === arrivals.length;
  const used =
    isAll && picked.length === children.length
      ? children
      : picked.map(({ index }) => children[index] ?? hop); // index -1: its own answer
  if (picked.length === 0) {
    const error = errorOf(hop, allFailed(branches));
    return { response: withBranchMetadata({ error }, missing, branches), used, missing };
  }
  const joined = joinAnswers(
    isAll ? branches : picked.map(({ response }, at) => toBranch(used[at] ?? hop, response)),
    missing,
    hop.run.mesh.settings.inputLimits,
  );
  const { custom } = strategy;
  const response =
    custom === undefined ? joined : await mergeByFunction(fanOut, custom, branches, joined);
  return { response: withBranchMetadata(response, missing, branches), used, missing };
}

function isOfUsersTeam({ user, registration }: Hop): boolean {
  const { team } = registration?.info ?? {};
  const teams: unknown = user?.teams;
  return team !== undefined && Array.isArray(teams) && teams.includes(team);
}

/** Usually they are in order already, because librarians called first tend to answer first. */
function inOrderAsked(arrivals: readonly Arrival[]): readonly Arrival[] {
  let last = -2; // its own answer is at -1
  for (const { index } of arrivals) {
    if (index < last) return [...arrivals].sort((a, b) => a.index - b.index);
    last = index;
  }
  return arrivals;
}

async function mergeByFunction(
  { hop, own }: FanOut,
  custom: CustomMerge,
  branches: readonly Branch[],
  joined: Response,
): Promise<Response> {
  const { recover } = custom;
  const closed = whyClosed(hop);
  if (closed !== undefined) return recover(joined, errorOf(hop, closed));
  const all = own.answer === undefined ? branches : [toBranch(hop, own), ...branches];
  // Copies, so that a function that changes its arguments does not change what is reported.
  const given = all.map((each) => ({ ...each, response: { ...each.response } }));
  const merged = await callMerge(hop, given, custom);
  if (merged.answer !== undefined || merged.error === undefined) return merged;
  return recover(joined, merged.error);
}

function toBranch({ to, registration }: Hop, response: Response): Branch {
  return { to, name: registration?.info.name ?? to, response };
}

/** Adds the missing branches, and every response in full, so that nothing is dropped silently. */
function withBranchMetadata(
  response: Response,
  missing: readonly MissingBranch[],
  branches: readonly Branch[],
): Response {
  const { missing: _, ...metadata } = response.metadata ?? {};
  const isPartial =
    missing.length > 0 ||
    response.partial === true ||
    response.error !== undefined ||
    (response.confidence !== undefined && response.confidence < partialBelowConfidence);
  return {
    ...response,
    ...(response.answer !== undefined && isPartial && { partial: true }),
    metadata: { ...metadata, branches, ...(missing.length > 0 && { missing }) },
  };
}

/**
 * Their code if it is one code, else `DELEGATION_FAILED`. A message that all of them share is given
 * once; where they differ, each is given under its librarian's id.
 */
function allFailed(branches: readonly Branch[]): MeshError {
  const errors = branches.flatMap(({ response }) => response.error ?? []);
  const code = shared(errors.map((error) => error.code));
  const reason = shared(errors.map(({ details }) => details?.reason));
  const suggestion =
    code === undefined ? undefined : shared(errors.map((error) => error.suggestion));
  return new MeshError(
    code ?? "DELEGATION_FAILED",
    (shared(errors.map(({ message }) => message)) ?? eachMessage(branches)).slice(
      0,
      maxMessageLength,
    ),
    {
      ...(code !== undefined && reason !== undefined && { details: { reason } }),
      suggestion:
        suggestion ?? "Look at metadata.branches: each says what went wrong and what to do.",
    },
  );
}

function eachMessage(branches: readonly Branch[]): string {
  return branches.map(({ to, response }) => `${to}: ${response.error?.message}`).join(" ");
}

/** The value that all of them have; `undefined` when they differ, or there are none. */
function shared<Value>(values: readonly Value[]): Value | undefined {
  const [first, ...others] = values;
  return others.every((value) => value === first) ? first : undefined;
}
