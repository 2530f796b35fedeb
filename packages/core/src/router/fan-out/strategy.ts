import type { ErrorInfo } from "../../contract/error-code.js";
import { MeshError } from "../../contract/mesh-error.js";
import type { MergeFunction, MergeStrategy, Response } from "../../contract/response.js";
import type { Arrival } from "../run/model.js";
import type { RouterSettings } from "../run/router-options.js";

/** A strategy: when a fan-out has enough, and which answers then count. Arrivals are in the order they came. */
export interface Strategy {
  /** For people and traces: `quorum(2)`. */
  readonly name: string;
  isDecided(arrivals: readonly Arrival[]): boolean;
  /**
   * Those whose answers are in the merged response; every one of them has an answer.
   *
   * @param own - The answer beside the delegates, at index -1.
   * @param isPreferred - Whether the librarian of an arrival is of a team of the user: breaks ties.
   */
  pick(
    answers: readonly Arrival[],
    own: Arrival | undefined,
    isPreferred: (arrival: Arrival) => boolean,
  ): readonly Arrival[];
  /** Merges in place of `merge-all`. */
  readonly custom?: CustomMerge | undefined;
}

/** A merge function, with its behaviour on failure. */
export interface CustomMerge {
  readonly merge: MergeFunction;
  /** Maximum time for it, in milliseconds, given the time that remains. */
  limit(remainingMs: number): number;
  /** The response when it failed, made from that of `merge-all`. */
  recover(joined: Response, failure: ErrorInfo): Response;
}

const withOwn = (own: Arrival | undefined, picked: readonly Arrival[]): readonly Arrival[] =>
  own === undefined ? picked : [own, ...picked];

const mergeAll: Strategy = {
  name: "merge-all",
  isDecided: () => false,
  pick: (answers, own) => withOwn(own, answers),
};

const named = {
  "merge-all": mergeAll,
  "best-confidence": {
    name: "best-confidence",
    isDecided: () => false,
    pick: (answers, own, isPreferred) => best(withOwn(own, answers), isPreferred),
  },
  "first-success": {
    name: "first-success",
    isDecided: (arrivals) => isComplete(arrivals.at(-1)),
    pick: (answers, own, isPreferred) => {
      const first = answers.find(isComplete);
      return withOwn(own, first === undefined ? best(answers, isPreferred) : [first]);
    },
  },
  race: {
    name: "race",
    isDecided: (arrivals) => arrivals.at(-1)?.response.answer !== undefined,
    pick: (answers, own) => withOwn(own, answers.slice(0, 1)),
  },
} as const satisfies Record<string, Strategy>;

/** Reads a strategy as a response or an option has it. */
export function readStrategy(
  merge: MergeStrategy,
  { blend = noBlend, blendTimeoutMs }: RouterSettings,
): Strategy {
  if (merge === "ai-blend") {
    // Half of the time is left for the hops above, which already have every answer.
    const limit = (remainingMs: number) => blendTimeoutMs ?? remainingMs / 2;
    return { ...mergeAll, name: merge, custom: { merge: blend, limit, recover: withoutBlend } };
  }
  if (typeof merge === "string") return named[merge];
  if (typeof merge === "function") {
    return {
      ...mergeAll,
      name: "custom",
      custom: { merge, limit: () => Infinity, recover: withFailure },
    };
  }
  const { quorum } = merge;
  return {
    name: `quorum(${quorum})`,
    isDecided: (arrivals) =>
      arrivals.filter(({ response }) => response.answer !== undefined).length >= quorum,
    pick: (answers, own) => withOwn(own, answers.slice(0, quorum)),
  };
}

function noBlend(): never {
  throw new MeshError("AI_UNAVAILABLE", "The router has no `blend`.", {
    suggestion: "Give the router a `blend`: createBlend of @constellation/authoring.",
  });
}

/** The response without a blend: all answers, and why. */
function withoutBlend(joined: Response, { code, message, details }: ErrorInfo): Response {
  const problem = details?.problem;
  const reason = typeof problem === "string" ? `${message} (${problem})` : message;
  return { ...joined, metadata: { ...joined.metadata, blend: { used: false, code, reason } } };
}

/** A failing function must not lose answers. */
function withFailure(joined: Response, error: ErrorInfo): Response {
  return { ...joined, error };
}

function isComplete(arrival: Arrival | undefined): boolean {
  const { answer, partial } = arrival?.response ?? {};
  return answer !== undefined && partial !== true;
}

/**
 * The one with the highest confidence; of equals the first asked of the user's teams, else the first
 * asked. A missing confidence counts as 0.
 */
function best(
  arrivals: readonly Arrival[],
  isPreferred: (arrival: Arrival) => boolean,
): readonly Arrival[] {
  const confidence = ({ response }: Arrival) => response.confidence ?? 0;
  const highest = Math.max(...arrivals.map(confidence));
  const equals = arrivals
    .filter((each) => confidence(each) === highest)
    .sort((a, b) => a.index - b.index);
  const chosen = equals.find(isPreferred) ?? equals[0];
  return chosen === undefined ? [] : [chosen];
}
