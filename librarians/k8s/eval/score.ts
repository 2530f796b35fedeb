import type { Response } from "@constellation/core";
import { checkResponse, type ExpectationName } from "@constellation/core/evals";
import type { ClusterCase } from "./load-case.js";

/** What one answer got right. */
export interface CaseScore {
  readonly id: string;
  readonly right: boolean;
  readonly signal: boolean;
  readonly resource: boolean;
  readonly mentions: boolean;
  /** Signal type of the first fact, else the code of the error. */
  readonly got: string;
  /** Of mentions and resource, what is not as expected. */
  readonly wrong: readonly string[];
}

/** Compares an answer with what a case expects: first fact, sources, and words of the answer. */
export function scoreCase({ id, expected }: ClusterCase, response: Response): CaseScore {
  const { mustMention, mustNotMention, resource, signalType } = expected;
  const checked = checkResponse(
    {
      ...(mustMention.length > 0 && { mustMention }),
      ...(mustNotMention.length > 0 && { mustNotMention }),
      ...(resource !== undefined && { sources: [resource.replace(/^\//, "")] }),
    },
    { response },
  );
  const isMet = (...names: readonly ExpectationName[]) =>
    checked.every(({ name, passed }) => passed || !names.includes(name));
  // The evals of core know nothing of facts, which only this librarian and its readers do.
  const got = firstSignalOf(response);
  const signal = got === signalType;
  return {
    id,
    right: signal && checked.every(({ passed }) => passed),
    signal,
    resource: isMet("sources"),
    mentions: isMet("mustMention", "mustNotMention"),
    got,
    wrong: checked.flatMap(({ name, passed, seen }) => (passed ? [] : [`${name}: ${seen}`])),
  };
}

function firstSignalOf({ metadata, error }: Response): string {
  const facts = metadata?.facts;
  const first: unknown = Array.isArray(facts) ? facts[0] : undefined;
  return typeof first === "object" && first !== null && "signal_type" in first
    ? String(first.signal_type)
    : (error?.code ?? "nothing");
}
