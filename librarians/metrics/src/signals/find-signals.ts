import type { Subject } from "../question/subject.js";
import type { TimeWindow } from "../question/time-window.js";
import type { MetricsReader } from "../reader/metrics-reader.js";
import type { Signal } from "./signal.js";

/** Labels with the outcome of a request, and their values for server errors. */
const outcomeLabels: ReadonlyMap<string, string> = new Map([
  ["http_response_status_code", '=~"5.."'],
  ["http_status_code", '=~"5.."'],
  ["status_code", '=~"5..|STATUS_CODE_ERROR"'],
  ["response_code", '=~"5.."'],
  ["code", '=~"5..|Unknown|Internal|Unavailable|DeadlineExceeded|DataLoss"'],
  ["status", '=~"5..|error|failure"'],
  ["grpc_code", '=~"Unknown|Internal|Unavailable|DeadlineExceeded|DataLoss"'],
  ["outcome", '=~"SERVER_ERROR|error|failure"'],
]);

/** Rates are taken over this range: at least four scrapes at the usual interval of a minute or less. */
const rateRange = "5m";

/** Metric names of a workload, each with the matcher that selects it. */
type Names = ReadonlyMap<string, string>;

/** Chooses the signals to measure for a workload, from its metrics. Follows the naming of Prometheus'
 * client libraries, OpenTelemetry, Istio, cAdvisor and kube-state-metrics.
 *
 * @returns In the order of the golden signals; empty when no metric is known.
 */
export async function findSignals(
  { matchers }: Subject,
  reader: MetricsReader,
  { baselineStart: start, end }: TimeWindow,
  signal: AbortSignal | undefined,
): Promise<readonly Signal[]> {
  const lists = await Promise.all(
    matchers.map((matcher) =>
      reader.labelValues("__name__", { match: `{${matcher}}`, start, end, signal }),
    ),
  );
  const names = new Map<string, string>();
  for (const [index, matcher] of matchers.entries()) {
    for (const name of lists[index] ?? []) if (!names.has(name)) names.set(name, matcher);
  }
  const histogram = best(names, /_(?:seconds|milliseconds|ms)_bucket$/, isRequestMetric);
  const counted = histogram?.replace(/_bucket$/, "_count");
  const counter =
    counted !== undefined && names.has(counted)
      ? counted
      : best(names, /_total$/, (name) => isRequestMetric(name) && !/error|fail/.test(name));
  const outcome =
    counter === undefined
      ? undefined
      : await findFailureMatcher(counter, names, reader, { start, end, signal });
  return [
    ...(counter === undefined ? [] : [traffic(counter, names)]),
    ...errors(counter, outcome, names),
    ...(histogram === undefined ? [] : [latency(histogram, names)]),
    ...saturation(names),
  ];
}

function isRequestMetric(name: string): boolean {
  return (
    /request|handled|handling|rpc|calls|http/.test(name) &&
    !/client|outgoing|upstream|^prometheus_|^promhttp_|^go_|scrape|workqueue|rest_client/.test(name)
  );
}

/** Finds the metric whose name most clearly refers to requests that a server handles. */
function best(names: Names, form: RegExp, fits: (name: string) => boolean): string | undefined {
  const weigh = (name: string) =>
    (/server/.test(name) ? 2 : 0) +
    (/request/.test(name) ? 2 : 0) +
    (/http|grpc|rpc/.test(name) ? 1 : 0);
  return [...names.keys()]
    .filter((name) => form.test(name) && fits(name))
    .sort(
      (one, other) =>
        weigh(other) - weigh(one) || one.length - other.length || (one < other ? -1 : 1),
    )[0];
}

async function findFailureMatcher(
  counter: string,
  names: Names,
  reader: MetricsReader,
  limits: { start: number; end: number; signal: AbortSignal | undefined },
): Promise<string | undefined> {
  const labels = await reader.labelNames({ match: select(counter, names), ...limits });
  const label = [...outcomeLabels.keys()].find((candidate) => labels.includes(candidate));
  return label === undefined ? undefined : `${label}${outcomeLabels.get(label)}`;
}

function traffic(counter: string, names: Names): Signal {
  return {
    aspect: "traffic",
    title: "Requests",
    unit: "per-second",
    query: `sum(rate(${select(counter, names)}[${rateRange}]))`,
  };
}

function errors(
  counter: string | undefined,
  outcome: string | undefined,
  names: Names,
): readonly Signal[] {
  const title = "Error rate";
  if (counter !== undefined && outcome !== undefined) {
    const failed = `sum(rate(${select(counter, names, outcome)}[${rateRange}]))`;
    const all = `sum(rate(${select(counter, names)}[${rateRange}]))`;
    // Without a failed request the series does not exist: the rate is then 0, as long as there are
    // requests.
    return [{ aspect: "errors", title, unit: "share", query: `(${failed} or vector(0)) / ${all}` }];
  }
  const failures = best(names, /_(?:errors?|failures?|failed)_total$/, isRequestMetric);
  return failures === undefined
    ? []
    : [
        {
          aspect: "errors",
          title: "Errors",
          unit: "per-second",
          query: `sum(rate(${select(failures, names)}[${rateRange}]))`,
        },
      ];
}

function latency(histogram: string, names: Names): Signal {
  const scale = /_(?:milliseconds|ms)_bucket$/.test(histogram) ? " / 1000" : "";
  const buckets = `sum by (le) (rate(${select(histogram, names)}[${rateRange}]))`;
  return {
    aspect: "latency",
    title: "Latency, 95th percentile",
    unit: "seconds",
    query: `histogram_quantile(0.95, ${buckets})${scale}`,
  };
}

function saturation(names: Names): readonly Signal[] {
  const signals: Signal[] = [];
  const add = (title: string, unit: Signal["unit"], query: string) =>
    signals.push({ aspect: "saturation", title, unit, query });
  const container = 'container!=""';

  const memory = "container_memory_working_set_bytes";
  const limits = "kube_pod_container_resource_limits";
  if (names.has(memory) && names.has(limits)) {
    const of = "on (namespace, pod, container) group_left ()";
    add(
      "Memory, share of the limit",
      "share",
      `max(${select(memory, names, container)} / ${of} ${select(limits, names, 'resource="memory"')})`,
    );
  } else if (names.has(memory)) {
    add("Memory", "bytes", `max(${select(memory, names, container)})`);
  } else if (names.has("process_resident_memory_bytes")) {
    add("Memory", "bytes", `max(${select("process_resident_memory_bytes", names)})`);
  }

  const cpu = ["container_cpu_usage_seconds_total", "process_cpu_seconds_total"].find((name) =>
    names.has(name),
  );
  if (cpu !== undefined) {
    const chosen = cpu.startsWith("container") ? select(cpu, names, container) : select(cpu, names);
    add("CPU", "cores", `sum(rate(${chosen}[${rateRange}]))`);
  }

  const throttled = "container_cpu_cfs_throttled_periods_total";
  const periods = "container_cpu_cfs_periods_total";
  if (names.has(throttled) && names.has(periods)) {
    const share = [throttled, periods].map(
      (name) => `sum(rate(${select(name, names)}[${rateRange}]))`,
    );
    add("CPU throttling", "share", share.join(" / "));
  }

  const restarts = "kube_pod_container_status_restarts_total";
  if (names.has(restarts)) {
    add("Restarts in 15 minutes", "count", `sum(increase(${select(restarts, names)}[15m]))`);
  }
  return signals;
}

function select(name: string, names: Names, further?: string): string {
  const matchers = [names.get(name), further].filter((each) => each !== undefined);
  return `${name}{${matchers.join(",")}}`;
}
