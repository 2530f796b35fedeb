import { MeshError } from "@constellation/core";
import { claimantOf, isOutcome } from "./claim.js";
import type { LinkClaims } from "./link.js";

/**
 * One of several registers of the same claims.
 *
 * @beta
 */
export interface ClaimRegister {
  /**
   * As {@link LinkClaims.create}.
   *
   * @param isNeeded - Whether it is still worth trying again.
   */
  create(key: string, value: Uint8Array, isNeeded: () => boolean): Promise<Uint8Array | undefined>;
  update(key: string, value: Uint8Array, isNeeded: () => boolean): Promise<void>;
  read(key: string, isNeeded: () => boolean): Promise<Uint8Array | undefined>;
}

/** The answer of one register, if any. */
type Vote =
  | { readonly kind: "entry"; readonly bytes: Uint8Array }
  | { readonly kind: "empty" }
  | { readonly kind: "failed"; readonly error: unknown }
  | undefined;

/**
 * Keeps each claim in several registers, of which a majority decides, so that one that is unreachable delays no call.
 * Entries are written once, so that all readers agree: the claimant with the majority is first; without a majority,
 * the one in the first register.
 *
 * @param registers - An odd number, in the same order in all processes.
 *
 * @beta
 */
export function createQuorumClaims(
  registers: readonly ClaimRegister[],
): Pick<LinkClaims, "create" | "update" | "read"> {
  const most = Math.floor(registers.length / 2) + 1;

  /** Resolves with the first decision. */
  function poll<Decision extends object>(
    ask: (register: ClaimRegister, isNeeded: () => boolean) => Promise<Vote>,
    decide: (votes: readonly Vote[]) => Decision | undefined,
  ): Promise<Decision> {
    const votes = registers.map((): Vote => undefined);
    let isDecided = false;
    return new Promise((resolve, reject) => {
      const count = (at: number, vote: Vote) => {
        votes[at] = vote;
        const decision = isDecided ? undefined : decide(votes);
        if (decision !== undefined) resolve(decision);
        else if (votes.every((each) => each !== undefined)) reject(undecided(votes));
        isDecided ||= decision !== undefined;
      };
      for (const [at, register] of registers.entries()) {
        void ask(register, () => !isDecided).then(
          (vote) => count(at, vote),
          (error: unknown) => count(at, { kind: "failed", error }),
        );
      }
    });
  }

  /** The entry that decides, as far as is known. */
  function findFirst(votes: readonly Vote[]): Uint8Array | undefined {
    const entries = votes.flatMap((vote) => (vote?.kind === "entry" ? [vote.bytes] : []));
    const outcome = entries.find(isOutcome); // only the first one writes it
    if (outcome !== undefined) return outcome;
    for (const bytes of entries) {
      const claimant = claimantOf(bytes);
      if (entries.filter((each) => claimantOf(each) === claimant).length >= most) return bytes;
    }
    return entries.length === registers.length ? entries[0] : undefined;
  }

  return {
    async create(key, value) {
      const { bytes } = await poll(
        async (register, isNeeded) => ({
          kind: "entry",
          bytes: (await register.create(key, value, isNeeded)) ?? value,
        }),
        (votes) => {
          const first = findFirst(votes);
          return first === undefined ? undefined : { bytes: first };
        },
      );
      return Buffer.from(bytes).equals(value) ? undefined : bytes;
    },
    async update(key, value) {
      await poll(
        async (register, isNeeded) => {
          await register.update(key, value, isNeeded);
          return { kind: "empty" };
        },
        (votes) => (countOf(votes, "empty") >= most ? {} : undefined),
      );
    },
    async read(key) {
      const { bytes } = await poll(
        async (register, isNeeded) => {
          const found = await register.read(key, isNeeded);
          return found === undefined ? { kind: "empty" } : { kind: "entry", bytes: found };
        },
        (votes) => {
          const bytes = findFirst(votes);
          const isNone = countOf(votes, "empty") >= most || isSplit(votes);
          return bytes !== undefined || isNone ? { bytes } : undefined;
        },
      );
      return bytes;
    },
  };

  /** Whether a majority has answered without a decision, and no more answers will come. */
  function isSplit(votes: readonly Vote[]): boolean {
    const answered = countOf(votes, "entry") + countOf(votes, "empty");
    return answered >= most && votes.every((vote) => vote !== undefined);
  }
}

function countOf(votes: readonly Vote[], kind: "entry" | "empty"): number {
  return votes.filter((vote) => vote?.kind === kind).length;
}

function undecided(votes: readonly Vote[]): unknown {
  const failed = votes.find((vote) => vote?.kind === "failed");
  return failed?.kind === "failed"
    ? failed.error
    : new MeshError("SERVICE_UNAVAILABLE", "The claims contradict each other.");
}
