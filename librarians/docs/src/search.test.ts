import { readFileSync } from "node:fs";
import { createRouter } from "@constellation/core";
import { SpanKind, trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pagesOf } from "../test/pages-of.js";
import { createDocsLibrarian } from "./docs-librarian.js";
import { tracerVersion } from "./search.js";

let exporter: InMemorySpanExporter;
let provider: NodeTracerProvider;

beforeEach(() => {
  exporter = new InMemorySpanExporter();
  provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
});

afterEach(async () => {
  await provider.shutdown();
  trace.disable();
});

function docs(recordContent: boolean) {
  return createDocsLibrarian({
    id: "runbooks",
    pages: pagesOf({ "dns.md": "# DNS\n\nNXDOMAIN means that the name does not exist.\n" }),
    description: "What DNS answers mean.",
    recordContent,
  });
}

describe("the span of a search", () => {
  it("names the pages and how many sections are looked for, below the librarian's hop", async () => {
    const router = createRouter();
    router.register(docs(false));

    await router.ask("NXDOMAIN");

    const spans = exporter.getFinishedSpans();
    const span = spans.find(({ name }) => name === "retrieval runbooks");
    const hop = spans.find(({ name }) => name === "invoke_agent runbooks");
    expect(span).toMatchObject({
      kind: SpanKind.CLIENT,
      attributes: {
        "gen_ai.operation.name": "retrieval",
        "gen_ai.data_source.id": "runbooks",
        "gen_ai.retrieval.top_k": 20,
      },
      instrumentationScope: { name: "@constellation/librarian-docs", version: tracerVersion },
    });
    expect(span?.parentSpanContext?.spanId).toBe(hop?.spanContext().spanId);
    await router.close();
  });

  it("has the query only where that is asked for", async () => {
    await docs(false).librarian("NXDOMAIN");
    await docs(true).librarian("NXDOMAIN");

    const texts = exporter
      .getFinishedSpans()
      .map(({ attributes }) => attributes["gen_ai.retrieval.query.text"]);
    expect(texts).toEqual([undefined, "NXDOMAIN"]);
  });

  it("is made by a tracer of this package's version", () => {
    const { version } = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    ) as { version: string };

    expect(tracerVersion).toBe(version);
  });
});
