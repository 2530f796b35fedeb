/** One of the golden signals, after "Monitoring Distributed Systems", Site Reliability Engineering, 2016. */
export type Aspect = "traffic" | "errors" | "latency" | "saturation";

/** All aspects, in the order they are shown. */
export const aspects: readonly Aspect[] = ["traffic", "errors", "latency", "saturation"];

/** What a question asks for. */
export type Intent =
  /** A request to change something, which is refused: this librarian only reads. */
  | { readonly kind: "change" }
  /** PromQL, as given. */
  | { readonly kind: "promql"; readonly query: string }
  | { readonly kind: "alerts" }
  | { readonly kind: "targets" }
  /** Golden signals of a workload: those named, or all. */
  | { readonly kind: "signals"; readonly aspects: readonly Aspect[] };

/** Maximum length of PromQL in a question, in characters. */
export const maxQueryLength = 4_000;

const change =
  /^\s*(?:please\s+|can you\s+|could you\s+)?(?:delete|drop|purge|silence|mute|acknowledge|ack|inhibit|disable|enable|create|add|edit|change|reload|restart|scale|remove|snooze)\b/i;
const quoted = /`([^`]{2,4000})`/;
/** A selector, or a function with an argument: `up{job="api"}`, `sum by (le) (`, `rate(`. */
const looksLikePromql =
  /^[a-z_:][\w:]{0,200}\s?(?:\{|\[)|^(?:abs|absent|avg|bottomk|ceil|count|delta|deriv|histogram_quantile|increase|irate|max|min|quantile|rate|round|scalar|sort|sum|topk|vector)(?:\s+(?:by|without)\s*\([^()]{0,500}\))?\s*\(/i;

const words: Readonly<Record<Aspect, RegExp>> = {
  traffic: /\b(?:traffic|requests?|throughput|rps|qps|load|busy|calls|volume)\b/i,
  errors:
    /\b(?:errors?|5xx|50\d|failing|fails?|failures?|failed|error rate|success rate|availability)\b/i,
  latency:
    /\b(?:slow|slower|slowly|latency|latencies|response times?|durations?|p50|p90|p95|p99|percentile|fast|speed|lag|laggy|sluggish)\b/i,
  saturation:
    /\b(?:cpu|memory|ram|saturat\w{1,6}|throttl\w{1,6}|oom\w{0,6}|restarts?|restarted|resources?|heap)\b/i,
};

/** Classifies what a question asks for. @param question - At most a few thousand characters. */
export function readIntent(question: string): Intent {
  const [, inTicks] = quoted.exec(question) ?? [];
  const candidate = (inTicks ?? question).trim();
  if (candidate.length <= maxQueryLength && looksLikePromql.test(candidate)) {
    return { kind: "promql", query: candidate };
  }
  if (change.test(question)) return { kind: "change" };
  if (/\b(?:alerts?|alerting|firing|fires?|paged|pages?)\b/i.test(question))
    return { kind: "alerts" };
  if (/\b(?:targets?|scrap(?:e|es|ed|ing)|exporters?)\b/i.test(question))
    return { kind: "targets" };
  const named = aspects.filter((aspect) => words[aspect].test(question));
  return { kind: "signals", aspects: named.length === 0 ? aspects : named };
}
