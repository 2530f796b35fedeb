import { execFileSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouter } from "@constellation/core";
import { testContext } from "@constellation/testing";
import { trace } from "@opentelemetry/api";
import { InMemorySpanExporter, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { describe, expect, it, onTestFinished } from "vitest";
import { contractExample } from "../../test/advisory-example.js";
import { passage, testNow } from "../../test/sample-market.js";
import { storeOf } from "../../test/stores.js";
import type { RagAdvisoryLibrarianOptions } from "../options.js";
import { createRagAdvisoryLibrarian } from "../rag-advisory-librarian.js";
import { createFileRecorder, type EvidenceEvent } from "./file-recorder.js";

const fair = "Is 48 lakhs fair for a 2BHK in Vizag?";
const signal = new AbortController().signal;

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "evidence-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

function recorded(options: Partial<RagAdvisoryLibrarianOptions>) {
  const events: EvidenceEvent[] = [];
  const definition = createRagAdvisoryLibrarian({
    evidence: { record: (event) => void events.push(event) },
    now: () => testNow,
    ...options,
  });
  return { events, definition };
}

const giving = (confidence: number) =>
  recorded({
    adapters: [{ country: "IN", query: async () => ({ ...contractExample, confidence }) }],
  });

const event = (summary: string): EvidenceEvent => ({
  time: "2026-10-15T09:00:00.000Z",
  librarian: "rag-advisory",
  eventType: "RAG_ADVISORY_LOW_CONFIDENCE",
  payload: { confidence: 0.4, summary },
});

describe("the evidence", () => {
  it("RAG-035: has one RAG_ADVISORY_LOW_CONFIDENCE below 0.7, with confidence and summary, and none from there on", async () => {
    const low = giving(0.69);
    const medium = giving(0.7);
    await low.definition.librarian(fair);
    await medium.definition.librarian(fair);

    const flags = (events: readonly EvidenceEvent[]) =>
      events.filter(({ eventType }) => eventType === "RAG_ADVISORY_LOW_CONFIDENCE");
    expect(flags(low.events).map(({ payload }) => payload)).toEqual([
      { confidence: 0.69, summary: contractExample.summary },
    ]);
    expect(flags(medium.events)).toEqual([]);
  });

  it("RAG-030: has a withheld advisory whole", async () => {
    const { events, definition } = giving(0.3);
    await definition.librarian(fair);

    const withheld = events.find(({ eventType }) => eventType === "RAG_ADVISORY_WITHHELD");
    expect(withheld?.payload.advisory).toMatchObject({ summary: contractExample.summary });
  });

  it("has query, retrieval and outcome of every question, with the run they belong to", async () => {
    const { events, definition } = recorded({ store: await storeOf() });

    await definition.librarian(fair, testContext({ requestId: "run-7" }));
    await definition.librarian("What does a flat in Pune cost?");

    expect(events.map(({ eventType }) => eventType)).toEqual([
      "RAG_ADVISORY_QUERY",
      "RAG_ADVISORY_RETRIEVAL",
      "RAG_ADVISORY_GIVEN",
      "RAG_ADVISORY_QUERY",
      "RAG_ADVISORY_RETRIEVAL",
      "RAG_ADVISORY_LOW_CONFIDENCE",
      "RAG_ADVISORY_NOT_FOUND",
    ]);
    expect(events[0]).toMatchObject({
      librarian: "rag-advisory",
      requestId: "run-7",
      time: "2026-10-15T09:00:00.000Z",
      payload: { country: "IN", intent: "valuation", propertyType: "apartment", bedrooms: 2 },
    });
    expect(events[1]?.payload).toMatchObject({ passages: 2, rows: 14 });
  });

  it("has every question that was refused, delegated or not answered in time", async () => {
    const { events, definition } = recorded({
      adapters: [{ country: "IN", query: () => new Promise(() => undefined) }],
    });
    const k8s = { id: "k8s", description: "Reads the cluster: pods that are pending or crash." };

    await definition.librarian("house prices in France");
    await definition.librarian(
      "which pods are pending?",
      testContext({ availableDelegates: [k8s] }),
    );
    await definition.librarian(fair, { deadline: Date.now() + 20 });

    expect(events.map(({ eventType, payload }) => [eventType, payload.code, payload.to])).toEqual([
      ["RAG_ADVISORY_REFUSED", "INVALID_QUERY", undefined],
      ["RAG_ADVISORY_REFUSED", "NOT_FOUND", "k8s"],
      ["RAG_ADVISORY_QUERY", undefined, undefined],
      ["RAG_ADVISORY_UNAVAILABLE", "TIMEOUT", undefined],
    ]);
  });

  it("has nothing of a call after its end", async () => {
    let answerLate: (value: unknown) => void = () => undefined;
    const late = new Promise((resolve) => {
      answerLate = resolve;
    });
    const { events, definition } = recorded({ adapters: [{ country: "IN", query: () => late }] });

    await definition.librarian(fair, { deadline: Date.now() + 20 });
    const before = events.length;
    answerLate(contractExample);
    await late;
    await definition.close?.(signal);

    expect(events).toHaveLength(before);
  });

  it("has what was kept out of an advisory for its language", async () => {
    const { events, definition } = recorded({
      store: await storeOf([
        passage("You should buy in Vizag before 2027. Flat prices in Vizag rose 8 % in 2026."),
      ]),
    });

    await definition.librarian("flat prices in Vizag");

    const removed = events.find(({ eventType }) => eventType === "RAG_ADVISORY_CONTENT_REMOVED");
    expect(removed?.payload.pieces).toContainEqual({
      rule: "decision",
      act: "directive",
      text: "You should",
    });
  });

  it("has no query, no user, no e-mail address and no telephone number", async () => {
    const { events, definition } = recorded({
      adapters: [
        {
          country: "IN",
          query: async () => ({
            ...contractExample,
            confidence: 0.4,
            summary: "Asked by asha@example.com, 98480 12345.",
          }),
        },
      ],
    });

    await definition.librarian(
      "I am Asha Rao, asha@example.com, +91 98480 12345: is 48 lakhs fair for a 2BHK in Vizag?",
      testContext({ user: { id: "asha-rao" } }),
    );

    expect(events.length).toBeGreaterThan(2);
    expect(JSON.stringify(events)).not.toMatch(/asha|98480|Rao/i);
  });

  it("breaks no query when it cannot be kept, and the response and the librarian's health say so", async () => {
    const { definition } = recorded({
      store: await storeOf(),
      evidence: {
        record: () => {
          throw new Error("disk full");
        },
      },
    });

    const { error, answer, metadata } = await definition.librarian(fair);
    await definition.close?.(signal);

    expect(error).toBeUndefined();
    expect(metadata?.evidenceRecorded).toBe(false);
    expect(answer).toContain("could not be recorded");
    expect(await definition.health?.(signal)).toMatchObject({
      status: "degraded",
      message: "3 events of evidence could not be kept.",
    });
  });

  it("is on the span of the hop too, without texts", async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    provider.register();
    onTestFinished(async () => {
      await provider.shutdown();
      trace.disable();
    });
    const router = createRouter();
    router.register(giving(0.6).definition);

    await router.ask(fair);
    await router.close();

    const hop = exporter
      .getFinishedSpans()
      .find(({ name }) => name === "invoke_agent rag-advisory");
    const flag = hop?.events.find(({ name }) => name === "RAG_ADVISORY_LOW_CONFIDENCE");
    expect(flag?.attributes).toEqual({ "librarian.evidence.confidence": 0.6 });
  });
});

describe("the response", () => {
  it("waits until its evidence is kept", async () => {
    let keep = (): void => {};
    const kept = new Promise<void>((resolve) => {
      keep = resolve;
    });
    const { definition } = recorded({
      store: await storeOf(),
      evidence: { record: () => kept },
    });
    let hasAnswered = false;
    const response = Promise.resolve(definition.librarian(fair)).then((given) => {
      hasAnswered = true;
      return given;
    });
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(hasAnswered).toBe(false);

    keep();

    expect((await response).metadata).not.toHaveProperty("evidenceRecorded");
  });

  it("says that its evidence is not kept where the disk is slower than the deadline", async () => {
    const { definition } = recorded({
      store: await storeOf(),
      evidence: { record: () => new Promise(() => undefined) },
    });

    const { answer, metadata } = await definition.librarian(fair, { deadline: Date.now() + 500 });

    expect(answer).toContain("could not be recorded");
    expect(metadata?.evidenceRecorded).toBe(false);
  });
});

describe("createFileRecorder", () => {
  it("writes a line for each event, and begins after what is there", async () => {
    const file = join(await folder(), "audit", "evidence.jsonl");
    const first = createFileRecorder(file);
    await first.record(event("one"));
    await first.close?.();
    const second = createFileRecorder(file);
    await Promise.all(
      ["two", "three\nlines"].map(async (summary) => second.record(event(summary))),
    );

    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");

    expect(lines.map((line) => JSON.parse(line).payload.summary)).toEqual([
      "one",
      "two",
      "three\nlines",
    ]);
    expect((await stat(file)).mode & 0o077).toBe(0);
  });

  it("writes no secret", async () => {
    const file = join(await folder(), "evidence.jsonl");
    await createFileRecorder(file).record(event("see postgres://app:hunter2@db/x"));

    expect(await readFile(file, "utf8")).toContain("see postgres://[REDACTED]@db/x");
  });

  it("closes a line that was cut short, so that it costs no other line", async () => {
    const file = join(await folder(), "evidence.jsonl");
    const first = createFileRecorder(file);
    for (const summary of ["one", "two"]) await first.record(event(summary));
    await truncate(file, (await stat(file)).size - 20);

    const second = createFileRecorder(file);
    await Promise.all(["three", "four"].map(async (summary) => second.record(event(summary))));

    const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
    const whole = lines.flatMap((line) => {
      try {
        return [JSON.parse(line).payload.summary];
      } catch {
        return [];
      }
    });
    expect(whole).toEqual(["one", "three", "four"]);
    expect(lines).toHaveLength(4);
  });

  it("refuses a pipe by its name and does not wait for its other end", async () => {
    const file = join(await folder(), "evidence.jsonl");
    execFileSync("mkfifo", [file]);

    const refused = createFileRecorder(file).record(event("x"));

    await expect(refused).rejects.toThrow(`"${file}" is not a regular file`);
  });

  it("puts a full file aside and never writes to it again", async () => {
    const path = await folder();
    const file = join(path, "evidence.jsonl");
    const recorder = createFileRecorder(file, { maxBytes: 400 });

    for (let at = 0; at < 10; at++) await recorder.record(event(`event ${at}`));

    const names = (await readdir(path)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(path, name), "utf8")));
    expect(names.length).toBeGreaterThan(2);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(400);
    const kept = texts.flatMap((text) =>
      text
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line).payload.summary),
    );
    expect(kept.sort()).toEqual(Array.from({ length: 10 }, (_, at) => `event ${at}`));
  });

  it("rejects where nothing can be written", async () => {
    const path = await folder();
    await writeFile(join(path, "file"), "");

    await expect(
      createFileRecorder(join(path, "file", "evidence.jsonl")).record(event("x")),
    ).rejects.toThrow();
  });

  it("refuses a value that is not a size", () => {
    expect(() => createFileRecorder("evidence.jsonl", { maxBytes: 0 })).toThrow(RangeError);
    expect(() => createFileRecorder("evidence.jsonl", { maxTotalBytes: 0 })).toThrow(RangeError);
  });
});
