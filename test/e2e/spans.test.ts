import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startMessagesServer } from "@constellation/models/testing";
import { SpanKind } from "@opentelemetry/api";
import { describe, expect, it, onTestFinished } from "vitest";
import { keepSpans } from "../../packages/core/test/in-memory-spans.js";
import { root } from "../docs/markdown-blocks.js";
import { incidentMesh } from "./incident-mesh.js";
import { modelWith } from "./incident-model.js";
import { question } from "./incident-run.js";

const page = readFileSync(join(root, "docs/reference/spans.md"), "utf8");
/** Rows of the table of spans: the first word of the name, and the kind. */
const documented = [...page.matchAll(/^\| `([^` ]+)(?: \{\w+\})?`[^|]* \| (\w+) \|/gm)].map(
  ([, name = "", kind = ""]) => `${name} ${kind}`,
);
const named = new Set([...page.matchAll(/`([^`]+)`/g)].map(([, text]) => text));

describe("the spans of a run of the incident mesh", () => {
  it("are those of the page, with its attributes and events, and none of them is red", async () => {
    const spans = keepSpans();
    onTestFinished(() => spans.close());
    const server = await startMessagesServer(modelWith());
    onTestFinished(() => server.close());
    const { router } = await incidentMesh({ baseURL: server.url });

    const { error } = await router.ask(question, { user: { id: "ada" } });

    expect(error).toBeUndefined();
    const finished = spans.readable();
    expect(finished.filter(({ status }) => status.code === 2).map(({ name }) => name)).toEqual([]);
    const sent = new Set(
      finished.map(({ name, kind }) => `${name.split(" ")[0]} ${SpanKind[kind]}`),
    );
    expect(documented).toEqual(expect.arrayContaining([...sent]));
    for (const own of [
      "invoke_workflow",
      "invoke_agent",
      "merge",
      "retrieval",
      "execute_tool",
      "plan",
    ]) {
      expect([...sent].some((each) => each.startsWith(`${own} `))).toBe(true);
    }
    const ofCore = finished.filter(
      ({ instrumentationScope }) => instrumentationScope.name === "@constellation/core",
    );
    const keys = ofCore.flatMap(({ attributes, events }) => [
      ...Object.keys(attributes),
      ...events.flatMap(({ name, attributes: values }) => [name, ...Object.keys(values ?? {})]),
    ]);
    expect([...new Set(keys)].filter((key) => !named.has(key))).toEqual([]);
  });
});
