import { toWords } from "./words.js";

/** Something that is measured over time, and that the state of objects does not hold. */
export interface Measure {
  /** What is measured, for people. */
  readonly name: string;
  /** Where it is measured: a metric, or what has it. */
  readonly metric: string;
  /** True for what the metrics API says of a pod or a node. */
  readonly isUsage: boolean;
}

const table: readonly (readonly [RegExp, Measure])[] = [
  [
    /\bthrottl/i,
    {
      name: "CPU throttling",
      metric: "container_cpu_cfs_throttled_periods_total",
      isUsage: false,
    },
  ],
  [
    /\b(?:slow|slower|slowly|slowness|sluggish|latency|latencies|response times?|laggy|p9[059]|performance|performant|performing|fast enough)\b/i,
    { name: "latency", metric: "a histogram of request durations", isUsage: false },
  ],
  [
    /\b(?:throughput|requests? (?:per|a) (?:second|minute)|request rates?|rps|qps|traffic (?:level|volume|spike|increase|drop)s?|(?:much|more|less|high|low|heavy) traffic|overload(?:ed|ing)?)\b/i,
    { name: "the rate of requests", metric: "a counter of requests", isUsage: false },
  ],
  [
    /\b(?:error rates?|(?:rate|share|percentage|number) of (?:errors|5xx)|slos?|error budgets?|success rates?|availability of)\b/i,
    { name: "the rate of errors", metric: "a counter of requests by their status", isUsage: false },
  ],
  [
    /\b(?:packet loss|(?:packets?|connections?) (?:is |are |being )?(?:dropped|lost)|retransmi\w{1,12}|bandwidth|network (?:throughput|performance))\b/i,
    {
      name: "the network's losses and throughput",
      metric: "container_network_receive_packets_dropped_total",
      isUsage: false,
    },
  ],
  [
    /\b(?:consumer lag|queue (?:depth|length|size)|backlogs?|lagging|replication lag)\b/i,
    { name: "queues and their lag", metric: "what the queue itself exports", isUsage: false },
  ],
  [
    /(?<!-)\b(?:costs?|expensive|monthly bill)\b(?!-)/i,
    { name: "what it costs", metric: "the bill of the provider", isUsage: false },
  ],
  [
    /\b(?:iops|disk (?:i\/o|io|latency|throughput)|io ?wait)\b/i,
    { name: "the work of disks", metric: "container_fs_reads_total", isUsage: false },
  ],
  [
    /\b(?:memory leaks?|leak(?:s|ing)? memory|(?:cpu|memory|ram|resource) (?:usage|use|utili[sz]ation|consumption|load|spikes?)|(?:much|more) (?:cpu|memory|ram)|(?:high|low|full) (?:cpu|memory|load)|(?:cpu|memory) (?:is |too |very )?(?:high|low|full|saturated)|(?:close|near) to (?:its|their|the) (?:memory |cpu )?limits?)\b/i,
    { name: "use of CPU and memory", metric: "kubectl top pod", isUsage: true },
  ],
];

/** Beginnings of words for what is used up, and for using it: with both, and none for what is set, a question is about usage. */
const resources =
  "cpu memory ram cores millicores processor mb gb mib gib megabytes gigabytes".split(" ");
const using = "use using usage burn eat take taking consum actual live now moment currently".split(
  " ",
);
/** Use beside what is set. */
const compared = /\b(?:vs|versus|compared|against)\b/i;
const set = "limit request quota oom out allocat capacity pressure killed".split(" ");
const disks =
  "disk disks volume volumes claim claims pvc pvcs storage filesystem filesystems".split(" ");
const filled = "full fuller fullest filled free left percent percentage".split(" ");
const fullness: Measure = {
  name: "how full a volume is",
  metric: "kubelet_volume_stats_used_bytes",
  isUsage: false,
};
const usageMeasure: Measure = {
  name: "use of CPU and memory",
  metric: "metrics.k8s.io, as kubectl top shows it",
  isUsage: true,
};

/** What a question asks about that only measuring shows: empty for one about the state of things. */
export function measuresIn(query: string): readonly Measure[] {
  const measures = table.flatMap(([pattern, measure]) => (pattern.test(query) ? [measure] : []));
  const words = toWords(query.toLowerCase());
  const hasAny = (stems: readonly string[]) =>
    words.some((word) => stems.some((stem) => word.startsWith(stem)));
  const isUsage =
    words.some((word) => resources.includes(word)) &&
    hasAny(using) &&
    (!hasAny(set) || compared.test(query));
  const isTop = /\btop (?:pods?|nodes?)\b/i.test(query);
  const isFullness =
    words.some((word) => disks.includes(word)) && words.some((word) => filled.includes(word));
  if (measures.length > 0) return measures;
  return [...(isFullness ? [fullness] : []), ...(isUsage || isTop ? [usageMeasure] : [])];
}

/** Logs, and what stands only in them. */
const inLogs =
  /\b(?:logs?|logged|logging|exceptions?|stack ?traces?|panics?|panicked|(?:throw|throws|throwing|return|returns|returning|serve|serves|serving|answers? with|get|gets|getting|see|sees) (?:any |an? |many |some |http |server |internal )*(?:errors?|[45]\d\d|[45]xx)|[45]\d\ds|5xx|4xx|http errors?)\b/i;

/** True for a question that logs answer, and no object's state. */
export function asksLogs(query: string): boolean {
  return inLogs.test(query);
}
