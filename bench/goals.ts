import { median, type Row } from "./measure.js";

/** Something a row should keep to. */
export interface Goal {
  /** Shown in the table. */
  readonly text: string;
  holds(median: Medians): boolean;
}

/** The median of a variant; not a number where it was not measured. */
export type Medians = (variant: string) => number;

export function mediansOf({ samples }: Row): Medians {
  return (variant) => median(samples[variant] ?? []);
}

const own = "constellation";

/** At most so many times what another variant takes: carries over to other machines. */
function times(most: number, variant: string): Goal {
  return {
    text: `≤ ${most}x ${variant}`,
    holds: (of) => of(own) <= most * of(variant),
  };
}

/** At most this much, in the unit of the row: holds for a machine, not for all. */
function atMost(most: number): Goal {
  return { text: `≤ ${most}`, holds: (of) => of(own) <= most };
}

/** At most this much more than another variant. */
function over(variant: string, most: number): Goal {
  return {
    text: `≤ ${variant} + ${most}`,
    holds: (of) => of(own) <= of(variant) + most,
  };
}

const withoutSdk = "constellation, no SDK";

/** A chain of 3 has four hops and a run: five spans for three delegations. */
function perSpan(most: number): Goal {
  return {
    text: `≤ ${most} more a span`,
    holds: (of) => ((of(own) - of(withoutSdk)) * 3) / 5 <= most,
  };
}

function perHop(most: number): Goal {
  return {
    text: `≤ ${most} more a hop`,
    holds: (of) => ((of(own) - of(withoutSdk)) * 3) / 4 <= most,
  };
}

const isNode20 = process.versions.node.startsWith("20.");

/** What the rows should keep to, by their names. */
export const goals: Readonly<Record<string, readonly Goal[]>> = {
  "chain-3": [times(0.12, "plain"), times(0.5, "moleculer"), atMost(1)],
  "chain-10": [times(0.12, "plain"), times(0.5, "moleculer"), atMost(0.6)],
  signal: [times(0.8, "plain"), ...(isNode20 ? [] : [atMost(1)])],
  "fan-out-100": [atMost(1)],
  "fan-out-1000": [atMost(1)],
  "in-flight-1000": [over("bare", 20)],
  "in-flight-10000": [times(2, "bare")],
  "in-flight-10000-lag": [atMost(25)],
  heap: [atMost(2_500)],
  "heap-timers": [atMost(10)], // shared ones, for all of the chains
  tracing: [times(0.5, "plain"), perSpan(5)],
  "tracing-sampled-out": [perHop(1.5)],
  abort: [atMost(1.5)],
  "abort-heard": [atMost(1.5)],
  "abort-left": [atMost(0)],
  import: [atMost(45)],
  "import-memory": [atMost(8)],
  install: [atMost(12)],
};

/** What would be better still. */
export const stretchGoals: Readonly<Record<string, readonly Goal[]>> = {
  "chain-3": [times(2, "lean")],
  "chain-10": [times(2, "lean")],
  signal: [atMost(2)],
  "fan-out-100": [atMost(0.6)],
  "fan-out-1000": [atMost(0.6)],
  "in-flight-1000": [times(1, "lean")],
  "in-flight-10000": [times(1, "lean")],
  heap: [times(1, "lean")],
  tracing: [times(0.35, "plain")],
  abort: [atMost(0.6)],
  "abort-heard": [atMost(0.6)],
  import: [atMost(32)],
  "import-memory": [atMost(6)],
};
