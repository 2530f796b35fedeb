import { once } from "node:events";
import { createServer } from "node:http";

/** A span, as far as this example looks at it. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  /** Code of what went wrong; absent when nothing did. */
  readonly errorType?: string;
}

/** Takes spans, as Jaeger would. */
export interface Collector {
  readonly url: string;
  readonly spans: readonly Span[];
  close(): Promise<void>;
}

/** A collector on a free port of this machine, for where there is no Jaeger. It keeps what it gets. */
export async function startCollector(): Promise<Collector> {
  const spans: Span[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString())));
      response.writeHead(200, { "content-type": "application/json" }).end("{}");
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`,
    spans,
    async close() {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}

// https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
interface OtlpTraces {
  readonly resourceSpans?: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

interface OtlpSpan extends Omit<Span, "errorType"> {
  readonly attributes: readonly {
    readonly key: string;
    readonly value: { readonly stringValue?: string };
  }[];
}

function spansOf({ resourceSpans = [] }: OtlpTraces): readonly Span[] {
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
    .map(({ traceId, spanId, parentSpanId, name, attributes }) => {
      const error = attributes.find(({ key }) => key === "error.type")?.value.stringValue;
      return {
        traceId,
        spanId,
        name,
        ...(parentSpanId !== undefined && { parentSpanId }),
        ...(error !== undefined && { errorType: error }),
      };
    });
}
