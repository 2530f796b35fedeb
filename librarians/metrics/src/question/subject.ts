import { createEntityIndex, type EntityIndex, findNames, kindOfKinds } from "@constellation/nlu";
import type { MetricsReader } from "../reader/metrics-reader.js";
import type { TimeWindow } from "./time-window.js";

/** A workload that a question names, and its series. */
export interface Subject {
  /** Name, as in its label. */
  readonly name: string;
  /** Label matchers that select its series, the most specific label first: `service="checkout"`. */
  readonly matchers: readonly string[];
}

/** Result of looking for the workloads of a question. */
export interface SubjectSearch {
  /** In the order of the question, at most three. */
  readonly subjects: readonly Subject[];
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
/** Maximum number of workloads that are looked at. */
const maxSubjects = 3;
/** Maximum number of workloads named as known. */
const maxKnown = 8;

/**
 * `checkout-6d4cf56db6-x7k2p`, `exporter-x7k2p` and `ledger-0` belong to `checkout`, `exporter` and
 * `ledger`: Kubernetes generates names from these characters, which contain no vowels.
 */
const podSuffix =
  /-(?:[bcdfghjklmnpqrstvwxz2456789]{5,10}-[bcdfghjklmnpqrstvwxz2456789]{5}|[bcdfghjklmnpqrstvwxz2456789]{5}|\d{1,4})$/;

/** A name that series have, and how to select them by it. */
interface SeriesName {
  /** Label that has the name. */
  readonly kind: string;
  readonly name: string;
  readonly matcher: string;
}

/**
 * Finds the workloads that a question names, among the values of the labels that name workloads. A namespace counts where no
 * other is named.
 */
export async function findSubjects(
  question: string,
  reader: MetricsReader,
  window: TimeWindow,
  signal: AbortSignal | undefined,
): Promise<SubjectSearch> {
  const names = await readNames(reader, window, signal);
  const mentioned = findNames(question, indexNames(names))
    .flatMap(({ candidates }) => candidates[0]?.entity ?? [])
    .filter(({ kind }) => kind !== kindOfKinds);
  const isWorkload = mentioned.some(({ kind }) => kind !== "namespace");
  const keys = new Set(
    mentioned
      .filter(({ kind }) => !isWorkload || kind !== "namespace")
      .map(({ name }) => name.toLowerCase()),
  );
  return {
    subjects: [...keys].slice(0, maxSubjects).map((key) => ({
      name: key,
      matchers: [
        ...new Set(
          names.flatMap(({ name, matcher }) => (name.toLowerCase() === key ? matcher : [])),
        ),
      ],
    })),
    known: [...new Set(names.flatMap(({ kind, name }) => (isPlace(kind) ? [] : name)))].slice(
      0,
      maxKnown,
    ),
  };
}

/** Names of workloads that have series. */
export async function readNames(
  reader: MetricsReader,
  { baselineStart: start, end }: Pick<TimeWindow, "baselineStart" | "end">,
  signal?: AbortSignal | undefined,
): Promise<readonly SeriesName[]> {
  const values = await Promise.all(
    workloadLabels.map((label) => reader.labelValues(label, { start, end, signal })),
  );
  return workloadLabels.flatMap((kind, at) =>
    (values[at] ?? []).slice(0, maxValues).flatMap((value): readonly SeriesName[] => {
      const own = { kind, name: value, matcher: `${kind}="${escapeText(value)}"` };
      const name = value.replace(podSuffix, "");
      if (kind !== "pod" || name === value) return [own];
      const matcher = `pod=~"${escapeText(escapePattern(name))}-[a-z0-9-]+"`;
      return [{ kind, name, matcher }, own];
    }),
  );
}

/** Labels as words for what they name: "service checkout", "pod x". */
const labelWords = ["service", "app", "deployment", "job", "container", "pod", "namespace"].map(
  (name) => ({ kind: kindOfKinds, name, matcher: "" }),
);

function indexNames(names: readonly SeriesName[]): EntityIndex<SeriesName> {
  return createEntityIndex([...labelWords, ...names], {
    prepositions: { in: "namespace" },
    wholeNamesOnly: true,
  });
}

function isPlace(label: string): boolean {
  return label === "namespace" || label === "container";
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Escapes a text for a PromQL string. */
function escapeText(text: string): string {
  return text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n");
}
