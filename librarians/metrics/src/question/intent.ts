import { isTellingVerb, type Reading } from "@constellation/nlu";

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
  | SignalsIntent;

/** Golden signals of a workload. */
export interface SignalsIntent {
  readonly kind: "signals";
  /** Those named, or all. */
  readonly aspects: readonly Aspect[];
  /** Beginnings of the titles of the resources named; empty: all. */
  readonly resources: readonly string[];
  /** It asks whether the workload is well, or whether it is ill; `undefined`: for values. */
  readonly asksWhether: "well" | "ill" | undefined;
}

/** Maximum length of PromQL in a question, in characters. */
export const maxQueryLength = 4_000;

const quoted = /`([^`]{2,4000})`/;
/** A selector, or a function with an argument: `up{job="api"}`, `sum by (le) (`, `rate(`. */
const looksLikePromql =
  /^[a-z_:][\w:]{0,200}\s?(?:\{|\[)|^(?:abs|absent|avg|bottomk|ceil|count|delta|deriv|histogram_quantile|increase|irate|max|min|quantile|rate|round|scalar|sort|sum|topk|vector)(?:\s+(?:by|without)\s*\([^()]{0,500}\))?\s*\(/i;

/** Beginnings of words for each aspect. */
const aspectWords: Readonly<Record<Aspect, readonly string[]>> = {
  traffic: ["traffic", "request", "throughput", "rps", "qps", "load", "busy", "calls", "volume"],
  errors: ["error", "5xx", "500", "502", "503", "504", "fail", "success rate", "availability"],
  latency: [
    ...["slow", "latenc", "response time", "duration", "p50", "p90", "p95", "p99", "percentile"],
    ...["fast", "speed", "lag", "sluggish"],
  ],
  saturation: ["saturat", "resource"],
};
/** Beginnings of words for each resource, by the beginning of the titles of its signals. */
const resourceWords: Readonly<Record<string, readonly string[]>> = {
  Memory: ["memory", "ram", "oom", "heap"],
  CPU: ["cpu", "throttl"],
  Restarts: ["restart"],
};
const wellWords = [
  "ok",
  "okay",
  "well",
  "healthy",
  "fine",
  "good",
  "normal",
  "up",
  "alive",
  "stable",
  "fast",
];
const illWords = ["down", "broken", "unhealthy", "degraded", "bad", "wrong", "ill", "out of"];

/** Classifies what a question asks for. */
export function readIntent({ text: question, clauses, act }: Reading): Intent {
  const [, inTicks] = quoted.exec(question) ?? [];
  const candidate = (inTicks ?? question).trim();
  if (candidate.length <= maxQueryLength && looksLikePromql.test(candidate)) {
    return { kind: "promql", query: candidate };
  }
  if (clauses.some((clause) => clause.act === "order" && !isTellingVerb(clause.head))) {
    return { kind: "change" };
  }
  const has = (beginnings: readonly string[]) => hasWord(question, beginnings);
  if (has(["alert", "firing", "fires", "fire", "paged", "page"])) return { kind: "alerts" };
  if (has(["target", "scrap", "exporter"])) return { kind: "targets" };
  const resources = Object.keys(resourceWords).filter((name) => has(resourceWords[name] ?? []));
  const named = aspects.filter(
    (aspect) => has(aspectWords[aspect]) || (aspect === "saturation" && resources.length > 0),
  );
  const isAsked = act === "yes-no";
  const asksWhether = has(wellWords)
    ? "well"
    : has(illWords) || named.length > 0
      ? "ill"
      : undefined;
  return {
    kind: "signals",
    aspects: named.length === 0 ? aspects : named,
    resources,
    asksWhether: isAsked ? asksWhether : undefined,
  };
}

/** Whether a word, or several, begin with one of these; of up to four letters they are whole words. */
function hasWord(question: string, beginnings: readonly string[]): boolean {
  const words = ` ${
    question
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? ""
  } `;
  return beginnings.some((each) => words.includes(each.length > 4 ? ` ${each}` : ` ${each} `));
}
