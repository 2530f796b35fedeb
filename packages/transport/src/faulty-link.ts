import type { Link, LinkMessage, LinkSubscription } from "./link.js";

/** What goes wrong with messages: each a share of them, 0 to 1. */
export interface LinkFaults {
  readonly lost?: number | undefined;
  readonly doubled?: number | undefined;
  /** Delayed, and so overtaken by others. */
  readonly delayed?: number | undefined;
  /** Longest delay, in milliseconds. */
  readonly maxDelayMs?: number | undefined;
}

/**
 * Makes a link worse than message systems are: it loses, doubles, delays and reorders what arrives.
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
