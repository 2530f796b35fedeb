import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { FinishedSpan } from "../../core/test/span-tree.js";

/** What a collector got. */
export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: OtlpBody;
}

/** A collector on a free port of this machine, which keeps what it gets. */
export interface OtlpReceiver {
  readonly url: string;
  readonly received: readonly Received[];
  /** Every span received, from all batches. */
  spans(): readonly FinishedSpan[];
  /** Every point received of a metric, those of the last batch. */
  points(metric: string): readonly MetricPoint[];
  /** Connections that are open now. */
  connections(): Promise<number>;
  close(): Promise<void>;
}

/** One point of a metric: a sum, a histogram, or a gauge whose value is `sum`. */
export interface MetricPoint {
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly unit: string;
  readonly count: number;
  readonly sum: number;
}

/** @param answer - Answers instead of status 200 and `{}`. */
export async function startReceiver(
  answer: (response: ServerResponse, calls: number, path: string) => void = (response) => {
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  },
): Promise<OtlpReceiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request
      .on("data", (chunk: Buffer) => chunks.push(chunk))
      .on("end", () => {
        const whole = Buffer.concat(chunks);
        const body = request.headers["content-encoding"] === "gzip" ? gunzipSync(whole) : whole;
        received.push({
          path: request.url ?? "",
          headers: request.headers,
          body: JSON.parse(body.toString()),
        });
        answer(response, received.length, request.url ?? "");
      });
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    spans: () => received.flatMap(({ body }) => spansOf(body)),
    points: (metric) =>
      received
        .filter(({ body }) => body.resourceMetrics !== undefined)
        .slice(-1)
        .flatMap(({ body }) => pointsOf(body, metric)),
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port; // a server on a port has an address with one
}

// OTLP as JSON: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding

/** A batch of spans, or of metrics. */
export interface OtlpBody {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly OtlpMetric[] }[];
  }[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}

interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number; readonly message?: string };
  readonly attributes: readonly OtlpAttribute[];
  readonly links?: readonly {
    readonly traceId: string;
    readonly spanId: string;
    readonly attributes: readonly OtlpAttribute[];
  }[];
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

interface OtlpMetric {
  readonly name: string;
  readonly unit: string;
  readonly histogram?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly gauge?: { readonly dataPoints: readonly OtlpPoint[] };
  readonly sum?: { readonly dataPoints: readonly OtlpPoint[] };
}

interface OtlpPoint {
  readonly attributes: readonly OtlpAttribute[];
  readonly count?: number;
  readonly sum?: number;
  readonly asDouble?: number;
  readonly asInt?: number | string;
}

/** The spans of a batch. */
export function spansOf({ resourceSpans = [] }: OtlpBody): readonly FinishedSpan[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap(({ spans }) => spans)
    .map((span) => ({
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId,
      name: span.name,
      kind: span.kind === 1 ? "internal" : span.kind === 3 ? "client" : "other",
      status: span.status.code === 2 ? "error" : span.status.code === 1 ? "ok" : "unset",
      statusMessage: span.status.message,
      attributes: recordOf(span.attributes),
      links: (span.links ?? []).map((link) => ({
        traceId: link.traceId,
        spanId: link.spanId,
        attributes: recordOf(link.attributes),
      })),
      startMs: Number(span.startTimeUnixNano) / 1e6,
      endMs: Number(span.endTimeUnixNano) / 1e6,
    }));
}

function pointsOf({ resourceMetrics = [] }: OtlpBody, name: string): readonly MetricPoint[] {
  return resourceMetrics
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap(({ metrics }) => metrics)
    .filter((metric) => metric.name === name)
    .flatMap(
      ({ unit, histogram, gauge, sum }) =>
        (histogram ?? gauge ?? sum)?.dataPoints.map((point) => ({
          attributes: recordOf(point.attributes),
          unit,
          count: point.count ?? 0,
          sum: point.sum ?? point.asDouble ?? Number(point.asInt ?? 0),
        })) ?? [],
    );
}

/** Attributes of what was received, as a plain record. */
export function recordOf(all: readonly OtlpAttribute[]): Record<string, unknown> {
  return Object.fromEntries(all.map(({ key, value }) => [key, heldBy(value)]));
}

/** An integer may come as a number or, as it has 64 bits, as text. */
function heldBy(value: OtlpAttribute["value"]): unknown {
  const [[kind, held] = []] = Object.entries(value);
  return kind === "intValue" ? Number(held) : held;
}
