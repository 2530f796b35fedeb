import { isReachable } from "./server.js";

/** @typedef {import("@constellation/core").Outcome} Outcome */
/** @typedef {import("@constellation/core").StopReason} StopReason */

/** What has begun, while no one knows whether it still runs: its server cannot be reached, or has not taken it up. */
const unknown = { sign: "?", word: "not known", tone: "calm" };

/**
 * How an outcome looks: never by colour alone.
 *
 * @type {Record<Outcome | "running" | "unknown", { sign: string, word: string, tone: string }>}
 */
export const outcomes = {
  running: { sign: "…", word: "running", tone: "busy" },
  unknown,
  answer: { sign: "✓", word: "answer", tone: "good" },
  partial: { sign: "◐", word: "partial", tone: "fair" },
  delegate: { sign: "→", word: "delegated", tone: "calm" },
  error: { sign: "✕", word: "error", tone: "bad" },
  refused: { sign: "⊘", word: "refused", tone: "bad" },
  cancelled: { sign: "–", word: "cancelled", tone: "calm" },
  waiting: { sign: "◷", word: "waiting", tone: "fair" },
};

/** @type {Record<StopReason | "running" | "unknown", { sign: string, word: string, tone: string }>} */
export const stopReasons = {
  running: { sign: "…", word: "running", tone: "busy" },
  unknown,
  answered: { sign: "✓", word: "answered", tone: "good" },
  partial: { sign: "◐", word: "partial answer", tone: "fair" },
  "not-found": { sign: "∅", word: "not found", tone: "calm" },
  refused: { sign: "⊘", word: "refused", tone: "bad" },
  deadline: { sign: "✕", word: "out of time", tone: "bad" },
  cancelled: { sign: "–", word: "cancelled", tone: "calm" },
  waiting: { sign: "◷", word: "waiting", tone: "fair" },
  loop: { sign: "✕", word: "loop", tone: "bad" },
  depth: { sign: "✕", word: "too deep", tone: "bad" },
  budget: { sign: "✕", word: "budget spent", tone: "bad" },
  failed: { sign: "✕", word: "failed", tone: "bad" },
};

/** How a run looks. @param {StopReason | undefined} stopReason */
export function runWordsOf(stopReason) {
  return stopReasons[stopReason ?? (isReachable() ? "running" : "unknown")];
}

/** How a hop looks. @param {Outcome | undefined} outcome */
export function hopWordsOf(outcome) {
  return outcomes[outcome ?? (isReachable() ? "running" : "unknown")];
}

/** @param {number} ms */
export function timeOf(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 2 : 1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/**
 * @param {number} count
 * @param {string} one
 * @param {string} [many]
 */
export function countOf(count, one, many = `${one}s`) {
  return `${count} ${count === 1 ? one : many}`;
}

/**
 * Tokens and cost, as the command prints them. Empty where no model was called.
 *
 * @param {import("@constellation/core").UsageRecord | undefined} usage
 */
export function usageOf(usage) {
  if (usage === undefined || usage.modelCalls === 0) return "";
  const tokens = usage.inputTokens + usage.outputTokens;
  const cost = usage.costUsd === undefined ? "" : `, ${costOf(usage.costUsd)}`;
  const about = usage.estimated === true ? "about " : "";
  return `${about}${tokens.toLocaleString("en")} ${tokens === 1 ? "token" : "tokens"}${cost}`;
}

/** @param {number} usd */
export function costOf(usd) {
  if (usd > 0 && usd < 0.0001) return "< $0.0001";
  return `$${usd >= 1 || usd === 0 ? usd.toFixed(2) : usd.toFixed(4)}`;
}

/** @param {number} share */
export function percentOf(share) {
  return `${Math.round(share * 100)} %`;
}

/** @param {number} at Epoch milliseconds. */
export function agoOf(at) {
  const seconds = Math.max(0, Math.round((Date.now() - at) / 1_000));
  if (seconds < 5) return "just now";
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ago`;
  return new Date(at).toLocaleString();
}
