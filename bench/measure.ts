import { isDeepStrictEqual } from "node:util";
import type { Variant, Wired } from "./baselines/variant.js";

/** How much time a measurement may take. */
export interface Effort {
  /** Rounds: each variant is measured once in each. */
  readonly rounds: number;
  /** Rounds of a measurement that takes seconds. */
  readonly slowRounds: number;
  /** Milliseconds that one measurement of a variant should last. */
  readonly sampleMs: number;
  /** Milliseconds for which a variant runs before it is measured. */
  readonly warmUpMs: number;
}

/** Enough for a first look, and enough for a figure that is shown. */
export const efforts = {
  quick: { rounds: 5, slowRounds: 3, sampleMs: 20, warmUpMs: 200 },
  full: { rounds: 9, slowRounds: 9, sampleMs: 60, warmUpMs: 500 },
} as const satisfies Record<string, Effort>;

/** What every variant took, one value a round, in the order of the rounds. */
export type Samples = Readonly<Record<string, readonly number[]>>;

/** One line of the results. */
export interface Row {
  readonly name: string;
  readonly unit: string;
  readonly samples: Samples;
}

/** A variant wired for a scenario. */
export interface Candidate {
  readonly name: string;
  readonly wired: Wired;
}

/** Wires variants, asks each once, and throws when they do not agree. */
export async function prepare(
  variants: readonly Variant[],
  wire: (variant: Variant) => Wired | Promise<Wired>,
): Promise<readonly Candidate[]> {
  const candidates: Candidate[] = [];
  for (const variant of variants) {
    candidates.push({ name: variant.name, wired: await wire(variant) });
  }
  let expected: { name: string; answers: readonly unknown[] } | undefined;
  for (const { name, wired } of candidates) {
    const answers = wired.answers(await wired.ask());
    expected ??= { name, answers };
    if (!isDeepStrictEqual(answers, expected.answers)) {
      const given = JSON.stringify(answers).slice(0, 200);
      const wanted = JSON.stringify(expected.answers).slice(0, 200);
      throw new Error(`${name} gives ${given}, ${expected.name} gives ${wanted}`);
    }
  }
  return candidates;
}

/** Releases what the candidates hold. */
export async function release(candidates: readonly Candidate[]): Promise<void> {
  for (const { wired } of candidates) await wired.close?.();
}

/**
 * Calls `sample` once a round for each candidate, one after another, in an order that turns round
 * with each round. Young garbage of the one before is collected first; a full collection would throw
 * away compiled code with it, and the next sample would measure the compiler.
 */
export async function interleave<Item extends { readonly name: string }>(
  items: readonly Item[],
  rounds: number,
  sample: (item: Item) => Promise<number>,
): Promise<Samples> {
  const samples: Record<string, number[]> = Object.fromEntries(
    items.map(({ name }): [string, number[]] => [name, []]),
  );
  for (let round = 0; round < rounds; round++) {
    for (const item of round % 2 === 0 ? items : [...items].reverse()) {
      collectGarbage("minor");
      samples[item.name]?.push(await sample(item));
    }
  }
  return samples;
}

/**
 * Microseconds for one of the `parts` of a query, queries asked one after another.
 *
 * @param parts - Delegations or children in one query.
 * @param finish - Work that belongs to the queries and is paid after them.
 */
export async function microsecondsPerPart(
  candidates: readonly Candidate[],
  parts: number,
  { rounds, sampleMs, warmUpMs }: Effort,
  finish?: () => Promise<void>,
): Promise<Samples> {
  const counts = new Map<string, number>();
  for (const { name, wired } of candidates) {
    const asked = await askFor(wired, warmUpMs);
    await finish?.();
    counts.set(name, Math.max(1, Math.round((asked * sampleMs) / warmUpMs)));
  }
  return interleave(candidates, rounds, async ({ name, wired }) => {
    const count = counts.get(name) ?? 1;
    const started = performance.now();
    for (let asked = 0; asked < count; asked++) await wired.ask();
    if (finish !== undefined) await finish();
    return ((performance.now() - started) * 1_000) / (count * parts);
  });
}

/** Asks again and again for a while, and says how often. */
async function askFor(wired: Wired, ms: number): Promise<number> {
  const until = performance.now() + ms;
  let asked = 0;
  while (performance.now() < until) {
    await wired.ask();
    asked++;
  }
  return asked;
}

/** Collects garbage; the process must run with `--expose-gc`. */
export function collectGarbage(type: "minor" | "major" = "major"): void {
  if (gc === undefined) throw new Error("Run Node.js with --expose-gc.");
  if (type === "minor") gc({ type, execution: "sync" });
  else gc(); // without options it is thorough: it takes what the stack only seems to hold
}

/** Timers that keep the process alive. */
export function activeTimers(): number {
  return process.getActiveResourcesInfo().filter((each) => each === "Timeout").length;
}

/** The middle value; the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
