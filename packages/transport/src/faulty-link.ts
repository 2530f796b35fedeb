import type { Link, LinkMessage, LinkSubscription } from "./link.js";

/** Kinds of faults, each with the share of affected messages, 0 to 1. */
export interface LinkFaults {
  readonly lost?: number | undefined;
  readonly doubled?: number | undefined;
  /** Delayed, and so overtaken by others. */
  readonly delayed?: number | undefined;
  /** Maximum delay, in milliseconds. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * Wraps a link with faults: it loses, duplicates, delays and reorders messages that arrive.
 *
 * @param random - Gives numbers from 0 to 1, the same ones in each run of a test.
 */
export function createFaultyLink(link: Link, faults: LinkFaults, random: () => number): Link {
  const { lost = 0, doubled = 0, delayed = 0, maxDelayMs = 50 } = faults;
  return {
    ...link,
    get isConnected() {
      return link.isConnected;
    },
    subscribe(subject, onMessage, group): LinkSubscription {
      const later = (message: LinkMessage) => {
        if (random() >= delayed) onMessage(message);
        else setTimeout(() => onMessage(message), random() * maxDelayMs).unref();
      };
      const receive = (message: LinkMessage) => {
        if (random() < lost) return;
        later(message);
        if (random() < doubled) later(message);
      };
      return link.subscribe(subject, receive, group);
    },
  };
}
