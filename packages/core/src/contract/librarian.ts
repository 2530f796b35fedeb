import type { Context } from "./context.js";
import type { Response } from "./response.js";

/**
 * Answers a query, delegates it, or returns an error.
 *
 * @param query - The question, as a person would type it. Never blank.
 * @param context - What this hop may read and use. A librarian works without it.
 * @returns At least one of an answer, a delegate and an error. Rejecting has the same effect as
 *   returning an error with code `INTERNAL_ERROR`.
 *
 * @example
 * ```ts
 * const greeter: Librarian = async (query) => ({ answer: `You asked: ${query}` });
 * ```
 */
export type Librarian = (query: string, context?: Context) => Promise<Response>;
