import {
  type LibrarianOptions,
  librarianOptionFields,
  optionField,
} from "@constellation/authoring";
import { maxTimerMs } from "@constellation/core";
import { z } from "zod";
import type { MetricsReader } from "./reader/metrics-reader.js";
import { type PrometheusReaderOptions, prometheusFields } from "./reader/prometheus-options.js";

/** Options for {@link createMetricsLibrarian}. One of `url`, `recording` and `reader` is needed. */
export interface MetricsLibrarianOptions
  extends LibrarianOptions,
    Omit<PrometheusReaderOptions, "url"> {
  /** Root of the server, above `/api/v1`: `http://prometheus:9090`. No user and no password in it. */
  readonly url?: string | undefined;
  /** File that `createRecorder` wrote, in place of a server. */
  readonly recording?: string | undefined;
  /** Reads the metrics, in place of `url`. */
  readonly reader?: MetricsReader | undefined;
  /** Length of the window when the question names no time, in milliseconds: 60,000 to 604,800,000.
   *
   * @default 900_000
   */
  readonly windowMs?: number | undefined;
  /**
   * Length of the baseline before a window that the question names, in milliseconds: 60,000 to
   * 604,800,000.
   *
   * @default 3_600_000
   */
  readonly baselineMs?: number | undefined;
  /**
   * Length of the baseline when the question names no time, in milliseconds: 60,000 to 604,800,000.
   * Longer, because the problem may have lasted for a while.
   *
   * @default 21_600_000
   */
  readonly lookbackMs?: number | undefined;
  /**
   * Maximum number of series in one answer. Integer, 1 to 500.
   *
   * @default 20
   */
  readonly maxSeries?: number | undefined;
}

/** The defaults named in {@link MetricsLibrarianOptions}. */
export const metricsLibrarianDefaults = {
  id: "metrics",
  description:
    "Answers from Prometheus: how fast a service is, its error rate, traffic, memory and CPU, which alerts fire, which targets are down, and the value of any series.",
  capabilities: ["metrics", "metrics.facts", "alerts"],
  examples: [
    "Is checkout slow?",
    "What is the error rate of payments?",
    "Which alerts fire?",
    "Which targets are down?",
  ],
  windowMs: 900_000,
  baselineMs: 3_600_000,
  lookbackMs: 21_600_000,
  maxSeries: 20,
} as const satisfies MetricsLibrarianOptions;

const week = 604_800_000;

/** Checks {@link MetricsLibrarianOptions}; mesh files use it too. */
export const optionsSchema: z.ZodType<MetricsLibrarianOptions> = z
  .strictObject({
    ...librarianOptionFields,
    ...prometheusFields,
    url: prometheusFields.url.optional(),
    recording: optionField.path("the path of a recording").optional(),
    reader: optionField
      .port<MetricsReader>(
        "now",
        "range",
        "labelNames",
        "labelValues",
        "alerts",
        "targets",
        "rules",
      )
      .optional(),
    timeoutMs: optionField.number(1, maxTimerMs).optional(),
    windowMs: optionField.number(60_000, week).optional(),
    baselineMs: optionField.number(60_000, week).optional(),
    lookbackMs: optionField.number(60_000, week).optional(),
    maxSeries: optionField.integer(1, 500).optional(),
  })
  .refine(
    ({ url, recording, reader }) =>
      [url, recording, reader].filter((each) => each !== undefined).length === 1,
    { error: "expected one of url, recording and reader" },
  );
