import { pause } from "@constellation/authoring";
import type { Context, Librarian, Response } from "@constellation/core";
import { MeshError } from "@constellation/core";
import { ScriptError } from "./script-error.js";

/** Reaction of a scripted librarian to one call: a response, a function that computes it, or a delayed one. */
export type ScriptedStep = Response | Librarian | SlowStep | ThrownStep;

/** Gives a response later. Ends with `TIMEOUT` as soon as the signal in its context aborts. */
export interface SlowStep {
  readonly respond: Response | Librarian;
  /** Milliseconds, 0 or more; `Infinity` waits for the signal. */
  readonly afterMs: number;
}

/** Rejects, as a librarian must not. */
export interface ThrownStep {
  readonly throws: unknown;
  /** Milliseconds, 0 or more. @default 0 */
  readonly afterMs?: number | undefined;
}

/** Steps played one after the other, or a step for each query, played whenever it is asked. */
export type LibrarianScript = readonly ScriptedStep[] | Readonly<Record<string, ScriptedStep>>;

/** One call of a scripted librarian. */
export interface LibrarianCall {
  readonly query: string;
  /** A copy of the fields its context had, taken at the call; absent when it was called without one. */
  readonly context: Context | undefined;
}

/** A librarian that plays back a script. */
export interface ScriptedLibrarian extends Librarian {
  /** Its calls so far, oldest first. */
  readonly calls: readonly LibrarianCall[];
  /**
   * Checks that every step was played, and that no call was without a step.
   *
   * @throws ScriptError naming the steps not played, or the queries that had no step.
   */
  assertComplete(): void;
}

/**
 * Makes a librarian that plays back responses, in order or by query, and records its calls.
 *
 * A call without a step gets `INTERNAL_ERROR`, and `assertComplete` reports it.
 *
 * @example
 * ```ts
 * const docs = scriptedLibrarian([{ answer: "first" }, { respond: { answer: "late" }, afterMs: 50 }]);
 * router.register({ id: "docs", description: "is scripted", librarian: docs });
 * ```
 */
export function scriptedLibrarian(script: LibrarianScript): ScriptedLibrarian {
  const steps: ReadonlyMap<string | number, ScriptedStep> = isList(script)
    ? new Map(script.entries())
    : new Map(Object.entries(script));
  const left = new Set(steps.keys());
  const calls: LibrarianCall[] = [];
  const unexpected: string[] = [];

  const librarian: Librarian = async (query, context) => {
    const key = isList(script) ? calls.length : query;
    calls.push({ query, context: context === undefined ? undefined : { ...context } });
    const step = steps.get(key);
    if (step === undefined) {
      unexpected.push(query);
      return { error: noStep(calls.length).toInfo() };
    }
    left.delete(key);
    return play(step, query, context);
  };

  return Object.assign(librarian, {
    calls,
    assertComplete() {
      const problems = [
        left.size > 0
          ? `not played: ${[...left].map((key) => `step ${describeKey(key)}`).join(", ")}`
          : "",
        unexpected.length > 0
          ? `asked without a step: ${unexpected.map((query) => JSON.stringify(query)).join(", ")}`
          : "",
      ].filter((problem) => problem !== "");
      if (problems.length > 0) throw new ScriptError(`librarian: ${problems.join("; ")}`);
    },
  });
}

async function play(
  step: ScriptedStep,
  query: string,
  context: Context | undefined,
): Promise<Response> {
  if (typeof step === "function") return step(query, context);
  if ("throws" in step) {
    if (step.afterMs !== undefined) await pause(step.afterMs, context?.signal);
    throw step.throws;
  }
  if (!("respond" in step)) return step;
  try {
    await pause(step.afterMs, context?.signal);
  } catch (thrown) {
    return { error: MeshError.from(thrown, "scripted").toInfo() };
  }
  return play(step.respond, query, context);
}

/** Steps are numbered from 1 in messages. */
function describeKey(key: string | number): string {
  return typeof key === "number" ? String(key + 1) : JSON.stringify(key);
}

function noStep(call: number): MeshError {
  return new MeshError("INTERNAL_ERROR", `The script has no step for call ${call}.`, {
    suggestion: "Add a step to the script, or find out why the librarian was asked.",
  });
}

function isList(script: LibrarianScript): script is readonly ScriptedStep[] {
  return Array.isArray(script);
}
