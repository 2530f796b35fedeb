import type { Context, HopContext } from "./context.js";
import type { Response } from "./response.js";

/**
 * Answers a query, delegates it, or returns an error. It can be called directly, with the query alone. A {@link
 * MeshLibrarian} runs only in a mesh, and can rely on a whole context.
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

/**
 * A librarian as a router calls it: with a whole context. Every {@link Librarian} is one.
 *
 * @returns As a {@link Librarian} does.
 *
 * @example
 * ```ts
 * const status: MeshLibrarian = async (query, { signal }) => {
 *   const page = await fetch("https://status.example.com", { signal });
 *   return { answer: await page.text() };
 * };
 * ```
 */
export type MeshLibrarian = (query: string, context: HopContext) => Promise<Response>;
