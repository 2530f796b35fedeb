import type { Librarian } from "../contract/librarian.js";

/** Makes a librarian of a librarian, with behaviour around it. */
export type Wrapper = (librarian: Librarian) => Librarian;

/**
 * Puts wrappers around a librarian, each around what the ones before it gave: the last is called first.
 *
 * @example
 * ```ts
 * const steady = wrap(orders, withRetry({ attempts: 2 }), withCache({ name: "orders", store }));
 * ```
 */
export function wrap(librarian: Librarian, ...wrappers: readonly Wrapper[]): Librarian {
  return wrappers.reduce((wrapped, wrapper) => wrapper(wrapped), librarian);
}
