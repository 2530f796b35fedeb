import { pause } from "@constellation/authoring";
import type { Librarian, Response } from "@constellation/core";
import { MeshError, withDeadline } from "@constellation/core";
import { createMalformed, type MalformedKind, malformedKinds } from "./malformed.js";
import { seeded } from "./seeded.js";

/** Options for {@link chaos.flaky}. */
export interface FlakyOptions {
  /** Decides which calls fail: the same seed, the same calls. Integer. */
  readonly seed: number;
  /** Share of calls that fail, 0 to 1. */
  readonly share: number;
  /**
   * What a failing call does.
   *
   * @default a librarian that answers with error SERVICE_UNAVAILABLE
   */
  readonly failing?: Librarian | undefined;
}

/**
 * Librarians that misbehave, and wrappers that make a good one misbehave. Waits end when the signal aborts, except in
 * `hanging`.
 */
export const chaos = {
  /**
   * Makes a librarian slow. Ends with `TIMEOUT` as soon as its signal aborts.
   *
   * @param ms - Milliseconds before the librarian is called, 0 or more.
   */
  slow(ms: number): (librarian: Librarian) => Librarian {
    return (librarian) => async (query, context) => {
      try {
        await pause(ms, context?.signal);
      } catch (thrown) {
        return { error: MeshError.from(thrown, context?.librarian?.id ?? "slow").toInfo() };
      }
      return librarian(query, context);
    };
  },

  /** Never settles, and ignores its signal. */
  hanging(): Librarian {
    return () => new Promise<never>(() => {});
  },

  /** Does nothing until its signal aborts, and then rejects with the signal's reason. */
  cooperative(): Librarian {
    return (_query, context) =>
      withDeadline({ signal: context?.signal }, () => new Promise<never>(() => {}));
  },

  /** Rejects with `thrown`, whatever that is. */
  throwing(thrown: unknown = new Error("chaos: rejected")): Librarian {
    return async () => {
      throw thrown;
    };
  },

  /** Throws `thrown` while it is called, so that there is no promise at all. */
  throwingAtOnce(thrown: unknown = new Error("chaos: thrown")): Librarian {
    return () => {
      throw thrown;
    };
  },

  /**
   * Returns a value that is not a response.
   *
   * @param kind - What it returns; or a seed, which picks a kind for each call.
   */
  malformed(kind: MalformedKind | number): Librarian {
    const random = typeof kind === "number" ? seeded(kind) : undefined;
    const pick = (): MalformedKind =>
      random === undefined
        ? (kind as MalformedKind) // no seed, so it is a kind
        : (malformedKinds[Math.floor(random() * malformedKinds.length)] ?? "undefined");
    // The type is wrong on purpose.
    return async () => createMalformed(pick()) as Response;
  },

  /**
   * Answers at length.
   *
   * @param bytes - Size of the answer, in bytes and characters: all of them are ASCII.
   */
  huge(bytes: number): Librarian {
    return async () => ({ answer: "x".repeat(bytes) });
  },

  /**
   * Makes a librarian fail now and then, the same calls for the same seed.
   *
   * @throws RangeError unless `share` is a number from 0 to 1.
   */
  flaky({ seed, share, failing = unavailable }: FlakyOptions): (librarian: Librarian) => Librarian {
    if (!(share >= 0 && share <= 1)) {
      throw new RangeError(`share: expected a number from 0 to 1, got ${share}.`);
    }
    return (librarian) => {
      const random = seeded(seed);
      return (query, context) => (random() < share ? failing : librarian)(query, context);
    };
  },
} as const;

const unavailable: Librarian = async (_query, context) => ({
  error: new MeshError("SERVICE_UNAVAILABLE", "Not taking queries just now.", {
    librarian: context?.librarian?.id,
  }).toInfo(),
});
