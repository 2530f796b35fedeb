import {
  defineLibrarian,
  firstLine,
  parseOptions,
  withoutUndefined,
} from "@constellation/authoring";
import {
  type HopContext,
  type Librarian,
  type LibrarianDefinition,
  MeshError,
  type Response,
} from "@constellation/core";
import { readQuestion } from "@constellation/nlu";
import { estimateAnswers, keepRows } from "@constellation/retrieval";
import { answerAlerts } from "./answer/answer-alerts.js";
import { answerSeries } from "./answer/answer-series.js";
import { answerSignals } from "./answer/answer-signals.js";
import { answerTargets } from "./answer/answer-targets.js";
import { escapeMarkdown } from "./answer/text.js";
import { noInformation, shortened, unknownWorkload } from "./not-found.js";
import {
  type MetricsLibrarianOptions,
  metricsLibrarianDefaults,
  optionsSchema,
} from "./options.js";
import { readIntent, type SignalsIntent } from "./question/intent.js";
import { findSubjects, readNames, type Subject } from "./question/subject.js";
import { readTimeWindow, type TimeWindow } from "./question/time-window.js";
import type { Alert, MetricsReader } from "./reader/metrics-reader.js";
import { createPrometheusReader } from "./reader/prometheus-reader.js";
import { openRecording } from "./reader/recording.js";
import { tracedReader } from "./reader/traced-reader.js";
import { type Assessment, assess } from "./signals/assess.js";
import { findSignals } from "./signals/find-signals.js";
import type { Signal } from "./signals/signal.js";

/** Longest question that is read. */
const maxQuestionLength = 8_000;
/** Samples of a range, about: enough for a course and a median, few enough for any server. */
const samplesPerRange = 120;

/**
 * Creates a librarian that answers from Prometheus: the golden signals of a workload against the time
 * before, firing alerts, scrape targets, and any PromQL in the question. It only reads, needs no model,
 * and shows each query it used. `metadata.facts` holds query, value and time of each measurement.
 *
 * Errors: `INVALID_QUERY`; `NOT_FOUND` (`out-of-domain` when no workload is named that it knows,
 * `no-information` when nothing was measured); `UNAUTHORIZED`, `RATE_LIMITED` and `DATA_SOURCE_ERROR`
 * from the server; `TIMEOUT`.
 *
 * @throws TypeError or RangeError for a wrong option, naming the key and the value.
 */
export function createMetricsLibrarian(
  options: MetricsLibrarianOptions,
): LibrarianDefinition<Librarian> {
  const checked = parseOptions(optionsSchema, options, { secrets: ["bearerToken", "headers"] });
  const settings = { ...metricsLibrarianDefaults, ...withoutUndefined(checked) };
  const { url, recording, reader: given, bearerToken, bearerTokenFile } = checked;
  const { headers, maxResponseBytes, windowMs, baselineMs, lookbackMs, maxSeries, ...rest } =
    settings;
  const { id, description, name, team, capabilities, examples, delegatesTo, timeoutMs } = rest;

  let opened: Promise<MetricsReader> | undefined;
  /** A recording is opened once; when that fails, the next question tries again. */
  function openReader(): Promise<MetricsReader> {
    opened ??= open().then(tracedReader);
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  }
  async function open(): Promise<MetricsReader> {
    if (given !== undefined) return given;
    if (recording !== undefined) return openRecording(recording);
    const server = { bearerToken, bearerTokenFile, headers, maxResponseBytes };
    return createPrometheusReader({ url: url ?? "", ...server });
  }

  async function answer(query: string, context: HopContext): Promise<Response> {
    const response = await answerIntent(query, context);
    return response.answer === undefined
      ? response
      : { ...response, headline: firstLine(response.answer) };
  }

  async function answerIntent(query: string, { signal }: HopContext): Promise<Response> {
    if (query.length > maxQuestionLength) {
      throw new MeshError(
        "INVALID_QUERY",
        `The query has more than ${maxQuestionLength} characters.`,
        {
          suggestion: "Ask about one workload, alert or series.",
        },
      );
    }
    const reader = await openReader();
    const reading = readQuestion(query);
    const window = readTimeWindow(reading, reader.now(), { windowMs, baselineMs, lookbackMs });
    const intent = readIntent(reading);
    switch (intent.kind) {
      case "change":
        return onlyReads;
      case "alerts":
        return readAlerts(query, reader, window, signal);
      case "targets":
        return answerTargets(await reader.targets({ signal }), reader);
      case "promql":
        return readSeries(intent.query, reader, window, maxSeries, signal);
      case "signals":
        return readSignals(query, intent, reader, window, maxSeries, signal);
    }
  }

  /** What has series: workloads, metrics and rules, read in the background. */
  const series = keepRows(async () => {
    const reader = await openReader();
    const window = { baselineStart: reader.now() - lookbackMs, end: reader.now() };
    const [names, metrics, rules] = await Promise.all([
      readNames(reader, window),
      reader.labelValues("__name__", { start: window.baselineStart, end: window.end }),
      reader.rules({}),
    ]);
    return [...new Set([...names, ...rules].map(({ name }) => name).concat(metrics))];
  });

  return defineLibrarian(
    {
      id,
      description,
      capabilities,
      examples,
      canAnswer: estimateAnswers(series, { about: [description, ...examples].join("\n") }),
      ...withoutUndefined({ name, team, delegatesTo, timeoutMs }),
      health: async (signal) => {
        const reader = await openReader();
        await reader.labelNames({ start: reader.now() - 60_000, end: reader.now(), signal });
        return { status: "up" };
      },
    },
    answer,
  );
}

const onlyReads: Response = {
  error: {
    code: "INVALID_QUERY",
    message: "This librarian only reads metrics, so it changed nothing.",
    recoverable: false,
    suggestion: "Ask what the metrics or alerts show, or change it in Prometheus or Alertmanager.",
  },
};

async function readAlerts(
  query: string,
  reader: MetricsReader,
  window: TimeWindow,
  signal: AbortSignal,
): Promise<Response> {
  const [alerts, rules, { subjects }] = await Promise.all([
    reader.alerts({ signal }),
    reader.rules({ signal }),
    findSubjects(query, reader, window, signal),
  ]);
  return answerAlerts(
    {
      alerts:
        subjects.length === 0
          ? alerts
          : alerts.filter((alert) => subjects.some(({ name }) => isAbout(alert, name))),
      ruleCount: rules.length,
      brokenRules: rules.filter(({ lastError }) => lastError !== "").map(({ name }) => name),
      about: subjects.length === 0 ? undefined : subjects.map(({ name }) => name).join(" and "),
    },
    reader,
  );
}

/** Whether a label of an alert names the workload, or one of its pods. */
function isAbout({ labels }: Alert, name: string): boolean {
  return Object.values(labels).some((value) => {
    const text = value.toLowerCase();
    return text === name || text.startsWith(`${name}-`);
  });
}

async function readSeries(
  query: string,
  reader: MetricsReader,
  window: TimeWindow,
  maxSeries: number,
  signal: AbortSignal,
): Promise<Response> {
  const series = await reader.range(query, { ...toRange(window), signal });
  if (series.length === 0) throw noInformation(`The query ${shortened(query)} has no data.`);
  return answerSeries(query, series, window, maxSeries, reader);
}

async function readSignals(
  query: string,
  intent: SignalsIntent,
  reader: MetricsReader,
  window: TimeWindow,
  maxSeries: number,
  signal: AbortSignal,
): Promise<Response> {
  const metric = await findMetric(query, reader, window, signal);
  if (metric !== undefined) return readSeries(metric, reader, window, maxSeries, signal);
  const search = await findSubjects(query, reader, window, signal);
  const { subjects } = search;
  if (subjects.length === 0) throw unknownWorkload(search);
  const measured = await Promise.all(
    subjects.map(async (subject) => ({
      subject,
      assessments: await measure(subject, intent, reader, window, signal),
    })),
  );
  const { aspects: requested, asksWhether } = intent;
  const found = measured.filter(({ assessments }) => assessments.length > 0);
  const missing = measured.filter(({ assessments }) => assessments.length === 0);
  const names = missing.map(({ subject }) => shortened(subject.name)).join(", ");
  const [first, ...others] = found.map((each) =>
    answerSignals({ ...each, window, requested, asksWhether }, reader),
  );
  if (first === undefined)
    throw noInformation(`No ${requested.join(", ")} of ${names} was measured.`);
  return joinAnswers([first, ...others], names);
}

async function measure(
  subject: Subject,
  { aspects, resources }: SignalsIntent,
  reader: MetricsReader,
  window: TimeWindow,
  signal: AbortSignal,
): Promise<readonly Assessment[]> {
  const isRequested = ({ aspect, title }: Signal) =>
    aspects.includes(aspect) &&
    (aspect !== "saturation" ||
      resources.length === 0 ||
      resources.some((name) => title.startsWith(name)));
  const signals = await findSignals(subject, reader, window, signal);
  const range = toRange(window);
  const assessments = await Promise.all(
    signals.filter(isRequested).map(async (each) => {
      const [series] = await reader.range(each.query, { ...range, signal });
      return assess(each, series?.samples ?? [], window, range.stepMs);
    }),
  );
  return assessments.filter((each) => each !== undefined);
}

/** One answer about several workloads. @param missing - Those of which nothing was measured. */
function joinAnswers(responses: readonly [Response, ...Response[]], missing: string): Response {
  if (responses.length === 1 && missing === "") return responses[0];
  const parts = responses.map(({ answer = "" }) => {
    const end = answer.indexOf("\n\n");
    return { headline: answer.slice(0, end), details: answer.slice(end + 2) };
  });
  return {
    answer: [
      ...parts.map(({ headline }) => headline),
      ...(missing === "" ? [] : [`Of ${escapeMarkdown(missing)} nothing of this was measured.`]),
      ...parts.map(({ details }) => details),
    ].join("\n\n"),
    confidence: Math.min(...responses.map(({ confidence = 0 }) => confidence)),
    sources: responses.flatMap(({ sources = [] }) => sources),
    ...((missing !== "" || responses.some(({ partial }) => partial === true)) && { partial: true }),
    metadata: { facts: responses.flatMap(({ metadata }) => metadata?.facts ?? []) },
  };
}

/** A metric that the question names in full, such as `node_load1`. */
async function findMetric(
  query: string,
  reader: MetricsReader,
  { baselineStart: start, end }: TimeWindow,
  signal: AbortSignal,
): Promise<string | undefined> {
  const words = query.match(/\b[a-zA-Z]\w{2,200}\b/g) ?? [];
  const candidates = words.filter((word) => word.slice(1, -1).includes("_"));
  for (const candidate of candidates.slice(0, 3)) {
    const match = `{__name__="${candidate}"}`;
    const found = await reader.labelValues("__name__", { match, start, end, signal });
    if (found.includes(candidate)) return candidate;
  }
  return undefined;
}

function toRange({ baselineStart, end }: TimeWindow): {
  start: number;
  end: number;
  stepMs: number;
} {
  const step = (end - baselineStart) / samplesPerRange;
  return {
    start: baselineStart,
    end,
    stepMs: Math.max(15_000, Math.round(step / 15_000) * 15_000),
  };
}
