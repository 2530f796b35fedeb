import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { releaseVersion } from "@constellation/core/checks";
import { context, type Meter, propagation, type TracerProvider, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  CompositePropagator,
  ExportResultCode,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from "@opentelemetry/core";
import { convertLegacyHttpOptions } from "@opentelemetry/otlp-exporter-base/node-http";
import {
  type ISerializer,
  JsonMetricsSerializer,
  JsonTraceSerializer,
} from "@opentelemetry/otlp-transformer";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { MeterProvider, PeriodicExportingMetricReader } from "@opentelemetry/sdk-metrics";
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  ParentBasedSampler,
  type SpanProcessor,
  TraceIdRatioBasedSampler,
} from "@opentelemetry/sdk-trace-node";
import { readMilliseconds, type Signal } from "./destination.js";
import type { TelemetryOptions } from "./options.js";
import { createOutbox, type Outbox } from "./outbox.js";
import { createPoster, type Poster } from "./post.js";
import { createPreciseTimes } from "./precise-times.js";
import { createProblems } from "./problems.js";
import type { Warn } from "./warning.js";

/** URL that each signal is sent to; `undefined`: it is not exported. */
export interface Destinations {
  readonly traces: string | undefined;
  readonly metrics: string | undefined;
}

/** The running OpenTelemetry SDK. This file and its imports are loaded only when there is a collector. */
export interface Sdk {
  /** Number of spans that ended. */
  readonly ended: number;
  /** Batches lost so far. */
  readonly lost: number;
  /** Created on first use, so that no metrics are sent where none are recorded. */
  readonly meter: Meter | undefined;
  /**
   * Sends everything, however long that takes. Never rejects.
   *
   * @param isLast - Whether the process, or telemetry, ends after it: then nothing is retried.
   */
  flush(isLast: boolean): Promise<void>;
  /** Warns of batches that have not arrived yet. */
  warnLate(): void;
  /** Unregisters itself, and drops what has not been sent. Never rejects. */
  close(): Promise<void>;
}

/** @returns `undefined` when the application has registered its own SDK, which stays. */
export function startSdk(
  options: TelemetryOptions,
  destinations: Destinations,
  warn: Warn,
): Sdk | undefined {
  const resource = createResource(options);
  const posters: Poster[] = [];
  const outboxes: Outbox[] = [];
  let ended = 0;
  let meters: MeterProvider | undefined;
  const problems = createProblems(warn);

  function sendTo(signal: Signal, url: string): Outbox {
    const { headers, sendTimeoutMs } = options;
    const poster = createPoster(
      convertLegacyHttpOptions(
        {
          url,
          ...(headers !== undefined && { headers: { ...headers } }),
          ...(sendTimeoutMs !== undefined && { timeoutMillis: sendTimeoutMs }),
        },
        signal,
        "", // the URL is whole
        { "Content-Type": "application/json" },
      ),
    );
    const outbox = createOutbox(poster, problems.of(signal, url));
    posters.push(poster);
    outboxes.push(outbox);
    return outbox;
  }

  const precise = createPreciseTimes();
  const counting: SpanProcessor = {
    onStart() {},
    onEnd() {
      ended++;
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const processors =
    destinations.traces === undefined
      ? []
      : [
          counting,
          precise.processor(
            new BatchSpanProcessor(
              exporterTo(sendTo("TRACES", destinations.traces), JsonTraceSerializer),
              options.tracesIntervalMs === undefined
                ? {}
                : { scheduledDelayMillis: options.tracesIntervalMs },
            ),
          ),
        ];
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: processors,
    ...(options.sampleRatio !== undefined && {
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampleRatio) }),
    }),
  });
  const unregister = register(
    destinations.traces === undefined ? undefined : precise.provider(provider),
  );
  if (unregister === undefined) return undefined;

  return {
    get ended() {
      return ended;
    },
    get lost() {
      return outboxes.reduce((sum, outbox) => sum + outbox.lost, 0);
    },
    get meter() {
      if (destinations.metrics === undefined) return undefined;
      meters ??= new MeterProvider({
        resource,
        readers: [
          new PeriodicExportingMetricReader({
            exporter: exporterTo(sendTo("METRICS", destinations.metrics), JsonMetricsSerializer),
            exportIntervalMillis:
              options.metricsIntervalMs ??
              readMilliseconds("OTEL_METRIC_EXPORT_INTERVAL") ??
              60_000,
          }),
        ],
      });
      return meters.getMeter("@constellation/telemetry", releaseVersion);
    },
    async flush(isLast) {
      const release = isLast ? posters.map((poster) => poster.stopRetrying()) : [];
      await Promise.allSettled([provider.forceFlush(), meters?.forceFlush()]);
      await Promise.all(outboxes.map((outbox) => outbox.drained()));
      for (const allowRetries of release) allowRetries();
    },
    warnLate() {
      for (const outbox of outboxes) outbox.warnLate();
    },
    async close() {
      unregister();
      for (const outbox of outboxes) outbox.close();
      for (const poster of posters) poster.close();
      await Promise.allSettled([provider.shutdown(), meters?.shutdown()]);
      await Promise.all(outboxes.map((outbox) => outbox.drained()));
    },
  };
}

function createResource(options: TelemetryOptions): Resource {
  const { serviceName, serviceVersion, resourceAttributes } = options;
  const version = process.env.npm_package_version;
  const own = resourceFromAttributes({
    "host.name": hostname(),
    "service.instance.id": randomUUID(),
    ...(version && { "service.version": version }),
  });
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
    .merge(
      resourceFromAttributes({
        ...resourceAttributes,
        ...(serviceName !== undefined && { "service.name": serviceName }),
        ...(serviceVersion !== undefined && { "service.version": serviceVersion }),
      }),
    );
}

/** An exporter that succeeds once the batch is in flight, so that the SDK never waits. */
function exporterTo<Batch, Reply>(outbox: Outbox, serializer: ISerializer<Batch, Reply>) {
  return {
    export(batch: Batch, done: (result: { code: ExportResultCode }) => void): void {
      outbox.put(() => serializer.serializeRequest(batch));
      done({ code: ExportResultCode.SUCCESS });
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
}

/**
 * Registers it as the application's SDK.
 *
 * @returns A function that unregisters it; `undefined` when another one is registered.
 */
function register(provider: TracerProvider | undefined): (() => void) | undefined {
  if (provider === undefined) return () => {};
  if (!trace.setGlobalTracerProvider(provider)) return undefined;
  const contexts = new AsyncLocalStorageContextManager().enable();
  const ownsContext = context.setGlobalContextManager(contexts);
  const ownsPropagation = propagation.setGlobalPropagator(
    new CompositePropagator({
      propagators: [new W3CTraceContextPropagator(), new W3CBaggagePropagator()],
    }),
  );
  return () => {
    trace.disable();
    if (ownsContext) context.disable();
    else contexts.disable();
    if (ownsPropagation) propagation.disable();
  };
}
