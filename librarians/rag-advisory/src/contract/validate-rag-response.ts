import { type ContentViolation, contentViolations } from "../rules/content-rules.js";
import type { RAGResponse } from "./rag-response.js";
import { ragResponseSchema } from "./rag-response.schema.js";

/** Most characters of all texts of an advisory together. */
export const maxAdvisoryLength = 200_000;

/** One thing wrong with an advisory. */
export interface RAGProblem {
  /** Where: `market_context.price_trends`, `risk_signals.0.type`. Empty: the whole. */
  readonly path: string;
  readonly message: string;
}

/** An advisory that breaks the contract. The message names each path. */
export class RAGResponseError extends Error {
  override readonly name = "RAGResponseError";
  readonly problems: readonly RAGProblem[];
  /** Texts that decide, call to act or praise; empty when the form is wrong already. */
  readonly violations: readonly ContentViolation[];

  constructor(problems: readonly RAGProblem[], violations: readonly ContentViolation[] = []) {
    const shown = problems
      .slice(0, 10)
      .map(({ path, message }) => `${path || "response"}: ${message}`);
    super(`The advisory breaks the contract: ${shown.join("; ")}.`);
    this.problems = problems;
    this.violations = violations;
  }
}

/**
 * Reads an advisory: its form by the locked schema, its texts by the content rules.
 *
 * @returns A copy, with `GB` as `UK` and all else unchanged.
 * @throws RAGResponseError naming everything that is wrong.
 */
export function parseRAGResponse(value: unknown): RAGResponse {
  const checked = ragResponseSchema.safeParse(value);
  if (!checked.success) {
    throw new RAGResponseError(
      checked.error.issues.map(({ path, message }) => ({ path: path.join("."), message })),
    );
  }
  const { length } = JSON.stringify(checked.data);
  if (length > maxAdvisoryLength) {
    const message = `has ${length} characters, at most ${maxAdvisoryLength} are allowed`;
    throw new RAGResponseError([{ path: "", message }]);
  }
  const violations = contentViolations(checked.data);
  if (violations.length === 0) return checked.data;
  throw new RAGResponseError(
    violations.map(({ path, rule, text }) => ({
      path,
      message: `has ${rule} language: ${JSON.stringify(text)}`,
    })),
    violations,
  );
}

/**
 * Checks an advisory, form and content rules.
 *
 * @throws RAGResponseError naming everything that is wrong. Returns quietly where nothing is.
 *
 * @example
 * ```ts
 * validateRAGResponse({ ...advisory, summary: "You should buy this property." }); // throws
 * ```
 */
export function validateRAGResponse(value: unknown): void {
  parseRAGResponse(value);
}
