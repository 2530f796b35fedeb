/** One value of a series. */
export interface Sample {
  /** Epoch milliseconds. */
  readonly at: number;
  /** May be `NaN` or infinite, as in Prometheus. */
  readonly value: number;
}

/** A series: its labels, `__name__` among them where it has one, and its samples, oldest first. */
export interface Series {
  readonly labels: Readonly<Record<string, string>>;
  readonly samples: readonly Sample[];
}

/** An alert of the server. */
export interface Alert {
  /** `inactive` alerts are not listed. */
  readonly state: "pending" | "firing";
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** Epoch milliseconds at which its condition became true. */
  readonly activeAt: number;
  /** Value of its expression, as text. */
  readonly value: string;
}

/** An endpoint the server scrapes. */
export interface Target {
  readonly labels: Readonly<Record<string, string>>;
  readonly health: "up" | "down" | "unknown";
  /** Why the last scrape failed; empty when it did not. */
  readonly lastError: string;
}

/** A rule that raises an alert. */
export interface AlertingRule {
  readonly name: string;
  /** PromQL. */
  readonly query: string;
  /** Error of its last evaluation; empty when it succeeded. */
  readonly lastError: string;
}

/** Limits of one read. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Times of a range query. */
export interface RangeOptions extends ReadOptions {
  /** Epoch milliseconds, included. */
  readonly start: number;
  /** Epoch milliseconds, included. */
  readonly end: number;
  /** Milliseconds between samples: 1,000 or more. */
  readonly stepMs: number;
}

/** Filter of the series whose labels, names or values are listed. */
export interface LabelOptions extends ReadOptions {
  /** A series selector, such as `{service="checkout"}`. All series where not given. */
  readonly match?: string | undefined;
  /** Epoch milliseconds. */
  readonly start: number;
  /** Epoch milliseconds. */
  readonly end: number;
}

/** Minimal interface to a time series database that supports PromQL. It only reads.
 *
 * Every method rejects with a `MeshError`: `DATA_SOURCE_ERROR`, `UNAUTHORIZED`, `RATE_LIMITED` or,
 * when its signal aborts, `TIMEOUT`.
 */
export interface MetricsReader {
  /** Origin of the data, for people: a URL without a password, or a file name. */
  readonly name: string;
  /** Current time of this data, in epoch milliseconds: the clock, or the end of a recording. */
  now(): number;
  /** Evaluates PromQL over a range of time, from `start` to `end`, both included. */
  range(query: string, options: RangeOptions): Promise<readonly Series[]>;
  /** Names of the labels that the matching series have. */
  labelNames(options: LabelOptions): Promise<readonly string[]>;
  /** Values of a label among the matching series; of `__name__`, the names of metrics. */
  labelValues(label: string, options: LabelOptions): Promise<readonly string[]>;
  /** Alerts that are pending or firing now. */
  alerts(options: ReadOptions): Promise<readonly Alert[]>;
  /** Endpoints that are scraped. */
  targets(options: ReadOptions): Promise<readonly Target[]>;
  /** Rules that raise alerts. */
  rules(options: ReadOptions): Promise<readonly AlertingRule[]>;
  /** URL of a page that shows a query; absent when there is none. */
  linkTo?(query: string): string;
}
