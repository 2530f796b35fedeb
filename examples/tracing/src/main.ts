/**
 * A run as a trace: asks a mesh, sends the spans to Jaeger, or where none is named to a collector of
 * our own, and compares the trace with the run's own record. Fails when they differ.
 *
 *     node --conditions=@constellation/source --import tsx examples/tracing/src/main.ts
 */
import { deepEqual, equal } from "node:assert/strict";
import { printTree } from "@constellation/authoring";
import type { HopRecord } from "@constellation/core";
import { startTelemetry } from "@constellation/telemetry";
import { type Span, startCollector } from "./collector.js";
import { createMesh } from "./mesh.js";

const endpoint = process.env.OTEL_EXPORTER_OTLP_ENDPOINT;
const collector = endpoint === undefined ? await startCollector() : undefined;
const telemetry = await startTelemetry({
  serviceName: "tracing-example",
  endpoint: collector?.url ?? endpoint,
});

const router = createMesh();
const run = router.start("Why does checkout crash?");
const response = await run.response;
const record = run.explain();
const hasArrived = await telemetry.flush();
await telemetry.shutdown();
await router.close();

console.log(response.answer, "\n");
console.log(`# The run's own record\n\n${printTree(record)}\n`);

equal(hasArrived, true, "the spans did not arrive");
equal(response.partial, true);

if (collector === undefined) {
  console.log("# The trace\n");
  console.log(
    `${process.env.JAEGER_UI ?? "http://localhost:16686"}/search?service=tracing-example`,
  );
} else {
  await collector.close();
  const { spans } = collector;
  const [root, ...others] = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  console.log("# The same as a trace\n");
  console.log(printSpans(root === undefined ? [] : [root], spans));

  equal(others.length, 0); // one run is one trace
  equal(new Set(spans.map(({ traceId }) => traceId)).size, 1);
  deepEqual(pathsInSpans(spans), pathsInRecord(record.hops));
}

/** Every hop as the librarians from the first to it, with its error. */
function pathsInRecord(hops: readonly HopRecord[]): readonly string[] {
  const pathOf = ({ to, parentId }: HopRecord): string => {
    const parent = hops.find(({ id }) => id === parentId);
    return parent === undefined ? to : `${pathOf(parent)} > ${to}`;
  };
  return hops.map((hop) => `${pathOf(hop)} ${hop.error?.code ?? "ok"}`).sort();
}

/** The same from spans, by their parents alone. */
function pathsInSpans(spans: readonly Span[]): readonly string[] {
  const hopName = /^invoke_agent (.+)$/;
  const pathOf = ({ name, parentSpanId }: Span): readonly string[] => {
    const parent = spans.find(({ spanId }) => spanId === parentSpanId);
    const [, to] = hopName.exec(name) ?? [];
    return [...(parent === undefined ? [] : pathOf(parent)), ...(to === undefined ? [] : [to])];
  };
  return spans
    .filter(({ name }) => hopName.test(name))
    .map((span) => `${pathOf(span).join(" > ")} ${span.errorType ?? "ok"}`)
    .sort();
}

/** As Jaeger shows it: each span below its parent. */
function printSpans(level: readonly Span[], all: readonly Span[], indent = ""): string {
  return level
    .map(({ spanId, name, errorType }) => {
      const below = all.filter(({ parentSpanId }) => parentSpanId === spanId);
      const line = `${indent}${name}${errorType === undefined ? "" : `  error.type ${errorType}`}`;
      const rest = printSpans(
        [...below].sort((one, other) => one.name.localeCompare(other.name)),
        all,
        `${indent}  `,
      );
      return rest === "" ? line : `${line}\n${rest}`;
    })
    .join("\n");
}
