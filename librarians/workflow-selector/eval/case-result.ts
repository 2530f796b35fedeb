import { z } from "zod";
/** What came of one case. */
export interface CaseResult {
  readonly id: string;
  /** `seeds`: it follows the contract; `kubernaut`: a later one. */
  readonly profile: "seeds" | "kubernaut";
  /** What went wrong; undefined: it came out as expected. */
  readonly problem: string | undefined;
}

/** Compares by value; numbers within a tolerance. */
export function differs(actual: unknown, expected: unknown, tolerance = 1e-9): string | undefined {
  if (typeof actual === "number" && typeof expected === "number") {
    return Math.abs(actual - expected) <= tolerance
      ? undefined
      : `${actual} instead of ${expected}`;
  }
  const [one, other] = [JSON.stringify(actual), JSON.stringify(expected)];
  return one === other ? undefined : `${one?.slice(0, 200)} instead of ${other?.slice(0, 200)}`;
}

/** One text or several, as a list. */
export function textsOf(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  return z.array(z.string()).parse([value].flat());
}

/** What is wrong where a part is not in a whole. */
export function lacks(whole: string | readonly string[], part: string): string | undefined {
  return whole.includes(part)
    ? undefined
    : `${part} is not in ${JSON.stringify(whole).slice(0, 200)}`;
}

/** The first problem that there is. */
export function first(problems: readonly (string | undefined)[]): string | undefined {
  return problems.find((problem) => problem !== undefined);
}
