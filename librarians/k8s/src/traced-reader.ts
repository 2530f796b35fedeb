import {
  type Attributes,
  context as otelContexts,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import type { ClusterReader, ReadProblem } from "./cluster/cluster-reader.js";
import { passThrough } from "./cluster/pass-through.js";

/** What `getDelegate` gives as long as no SDK has been registered. */
const noProvider = new ProxyTracerProvider().getDelegate();

/**
 * Wraps a reader so that every read is a span `execute_tool {tool} {kind}`, below the span that is active.
 *
 * Spans name the tool (`kubernetes.list` and so on), the kind, the namespace and how many items came
 * back; they never hold what an object, an event or a log says, nor the names of objects. A read with a
 * problem ends in an error whose `error.type` is the problem's code; one that its caller stopped does not,
 * and neither does one of a kind that the snapshot does not hold.
 * With no tracing SDK registered no span is made.
 */
export function tracedReader(reader: ClusterReader): ClusterReader {
  return {
    ...passThrough(reader, tracedReader),
    list: (kind, options) =>
      traced(
        "kubernetes.list",
        { "k8s.kind": kind, ...toNamespaceAttributes(options?.namespace) },
        options?.signal,
        () => reader.list(kind, options),
      ),
    get: (kind, namespace, name, options) =>
      traced(
        "kubernetes.get",
        { "k8s.kind": kind, ...toNamespaceAttributes(namespace) },
        options?.signal,
        () => reader.get(kind, namespace, name, options),
      ),
    events: (options) =>
      traced("kubernetes.events", toNamespaceAttributes(options?.namespace), options?.signal, () =>
        reader.events(options),
      ),
    logs: (options) =>
      traced("kubernetes.logs", toNamespaceAttributes(options.namespace), options.signal, () =>
        reader.logs(options),
      ),
    usage: (options) =>
      traced("kubernetes.usage", toNamespaceAttributes(options?.namespace), options?.signal, () =>
        reader.usage(options),
      ),
  };
}

/** The tracer to use now. Undefined while no SDK is registered. */
function activeTracer(): Tracer | undefined {
  const registered = trace.getTracerProvider();
  const current = registered instanceof ProxyTracerProvider ? registered.getDelegate() : registered;
  return current === noProvider ? undefined : current.getTracer("@constellation/librarian-k8s");
}

async function traced<Read extends { readonly problem?: ReadProblem }>(
  tool: string,
  about: Attributes,
  signal: AbortSignal | undefined,
  read: () => Promise<Read>,
): Promise<Read> {
  const tracer = activeTracer();
  if (tracer === undefined) return read();
  const { "k8s.kind": kind } = about;
  // A diagnosis reads some 30 kinds: without the kind, 30 lines of a trace look the same.
  const span = tracer.startSpan(["execute_tool", tool, kind].filter(Boolean).join(" "), {
    kind: SpanKind.INTERNAL,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.type": "function",
      ...about,
    },
  });
  try {
    const result = await otelContexts.with(trace.setSpan(otelContexts.active(), span), read);
    if ("items" in result && Array.isArray(result.items)) {
      span.setAttribute("librarian.items.count", result.items.length);
    }
    if (result.problem !== undefined) fail(span, result.problem, signal);
    return result;
  } catch (thrown) {
    span.setAttribute("error.type", "_OTHER");
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw thrown;
  } finally {
    span.end();
  }
}

function fail(span: Span, problem: ReadProblem, signal: AbortSignal | undefined): void {
  if (problem.code === "notRecorded") {
    span.setAttribute("librarian.k8s.not_recorded", true);
    return;
  }
  if (problem.code === "timeout" && signal?.aborted === true) {
    span.setAttribute("librarian.cancelled", true);
    return;
  }
  span.setAttribute("error.type", problem.code);
  span.setStatus({ code: SpanStatusCode.ERROR, message: problem.message });
}

function toNamespaceAttributes(namespace: string | undefined): Attributes {
  return namespace === undefined ? {} : { "k8s.namespace.name": namespace };
}
