import type { Context } from "../contract/context.js";

/** How much of the remaining time a step may take. */
export interface RemainingOptions {
  /**
   * Share of what remains after the reserve, above 0 and at most 1.
   *
   * @default 1
   */
  readonly share?: number | undefined;
  /**
   * Kept for what comes after the step, in milliseconds, 0 or more; at most a tenth of what remains.
   *
   * @default 0
   */
  readonly reserveMs?: number | undefined;
}

/**
 * Time that a step of a hop may take: what remains until the deadline, less a reserve, times a share.
 *
 * @returns Whole milliseconds, 0 or more; `Infinity` without a deadline.
 */
export function remainingMs(
  context: Pick<Context, "deadline" | "remainingMs">,
  { share = 1, reserveMs = 0 }: RemainingOptions = {},
): number {
  const { deadline = Number.POSITIVE_INFINITY } = context;
  const remaining = context.remainingMs?.() ?? deadline - Date.now();
  if (remaining === Number.POSITIVE_INFINITY) return remaining;
  return Math.max(0, Math.floor((remaining - Math.min(reserveMs, remaining / 10)) * share));
}
