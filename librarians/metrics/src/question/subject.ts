import type { MetricsReader } from "../reader/metrics-reader.js";
import type { TimeWindow } from "./time-window.js";

/** A workload that a question names, and its series. */
export interface Subject {
  /** Name, as in its label. */
  readonly name: string;
  /** Label matchers that select its series, the most specific label first: `service="checkout"`. */
  readonly matchers: readonly string[];
}

/** Result of looking for the workload of a question. */
export interface SubjectSearch {
  readonly subject: Subject | undefined;
  /** Some known workloads, for an answer that found none. */
  readonly known: readonly string[];
}

/** Labels that name workloads in common instrumentations, the most specific first. */
const workloadLabels = [
  "service",
  "app",
  "app_kubernetes_io_name",
  "service_name",
  "deployment",
  "statefulset",
  "daemonset",
  "workload",
  "job",
  "container",
  "pod",
  "namespace",
] as const;

/** Maximum number of values of a label that are compared with a question. */
const maxValues = 20_000;
/** Maximum number of workloads named as known. */
const maxKnown = 8;

/**
 * `checkout-6d4cf56db6-x7k2p`, `exporter-x7k2p` and `ledger-0` belong to `checkout`, `exporter` and
 * `ledger`: Kubernetes generates names from these characters, which contain no vowels.
 */
const podSuffix =
  /-(?:[bcdfghjklmnpqrstvwxz2456789]{5,10}-[bcdfghjklmnpqrstvwxz2456789]{5}|[bcdfghjklmnpqrstvwxz2456789]{5}|\d{1,4})$/;

/**
 * Finds the workload that a question names, among the values of the labels that name workloads.
 * Where several fit, the longest name wins.
 */
export async function findSubject(
  question: string,
  reader: MetricsReader,
  { baselineStart: start, end }: TimeWindow,
  signal: AbortSignal | undefined,
): Promise<SubjectSearch> {
  const asked = ` ${tokenize(question).join(" ")} `;
  const values = await Promise.all(
    workloadLabels.map((label) => reader.labelValues(label, { start, end, signal })),
  );
  const found = new Map<string, Set<string>>();
  const known = new Set<string>();
  for (const [index, label] of workloadLabels.entries()) {
    for (const value of (values[index] ?? []).slice(0, maxValues)) {
      const name = label === "pod" ? value.replace(podSuffix, "") : value;
      if (label !== "namespace" && label !== "container" && known.size < maxKnown) known.add(name);
      const namesPod = label === "pod" && names(asked, value);
      if (!namesPod && !names(asked, name)) continue;
      const matcher =
        label !== "pod" || namesPod
          ? `${label}="${escapeText(value)}"`
          : `pod=~"${escapeText(escapePattern(name))}-[a-z0-9-]+"`;
      const key = (namesPod ? value : name).toLowerCase();
      found.set(key, (found.get(key) ?? new Set()).add(matcher));
    }
  }
  const [best] = [...found.keys()].sort((one, other) => other.length - one.length);
  const matchers = best === undefined ? undefined : found.get(best);
  return {
    subject:
      best === undefined || matchers === undefined
        ? undefined
        : { name: best, matchers: [...matchers] },
    known: [...known],
  };
}

/** Common words of questions, which are not read as the name of a workload. */
const ordinary = new Set(
  "a about all an and any api app are at be been by can cpu did do does down error errors for from had has have how in is it its last latency load many me memory much my now of on or over past pod pods rate request requests service services show since slow than that the there this to traffic up was were what when which who why will with".split(
    " ",
  ),
);

function names(asked: string, value: string): boolean {
  const tokens = tokenize(value);
  if (tokens.length === 0 || (tokens.length === 1 && ordinary.has(tokens[0] ?? ""))) return false;
  return asked.includes(` ${tokens.join(" ")} `);
}

function tokenize(text: string): readonly string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Escapes a text for a PromQL string. */
function escapeText(text: string): string {
  return text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}
