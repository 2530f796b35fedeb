import { chipOf } from "./element.js";

/** @typedef {import("./server.js").Librarian} Librarian */

/** @type {Record<Librarian["health"]["status"], { sign: string, tone: string, word: string }>} */
export const healths = {
  up: { sign: "●", tone: "good", word: "up" },
  degraded: { sign: "◐", tone: "fair", word: "degraded" },
  down: { sign: "✕", tone: "bad", word: "down" },
  unknown: { sign: "○", tone: "calm", word: "no health check" },
};

/**
 * Number of librarians in each state.
 *
 * @param {readonly Librarian[]} librarians
 */
export function healthOf(librarians) {
  return Object.entries(healths).flatMap(([status, { sign, tone, word }]) => {
    const count = librarians.filter(({ health }) => health.status === status).length;
    if (count === 0) return [];
    const words = status === "unknown" ? `${count} without a health check` : `${count} ${word}`;
    return [chipOf({ sign, word: words, tone })];
  });
}
