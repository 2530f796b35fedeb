import type { AIClient, AIRequest } from "@constellation/core";
import { startMessagesServer } from "@constellation/models/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { incidentMesh } from "./incident-mesh.js";
import { modelWith } from "./incident-model.js";

/** What librarians ask a model, by the id of the prompt. */
type Requests = Map<
  string,
  AIRequest & { schema?: z.ZodType; tools?: readonly { input: z.ZodType }[] }
>;

const questions = [
  "Why does checkout keep crashing in production, and what should we run to fix it?",
  "How do I restart the billing service?",
] as const;

/** The requests of every librarian of the incident mesh, and of `ai-blend`. */
async function requests(): Promise<Requests> {
  const server = await startMessagesServer(modelWith());
  onTestFinished(() => server.close());
  const { router, ai } = await incidentMesh({ baseURL: server.url });
  if (ai === undefined) throw new Error("The mesh has no model.");
  const seen: Requests = new Map();
  const noted = <Request extends AIRequest>(request: Request): Request => {
    seen.set(request.promptId ?? "unnamed", request);
    return request;
  };
  router.on("model:end", () => {}); // versions of prompts are for observers
  const noting: AIClient = {
    complete: (request) => ai.complete(noted(request)),
    analyze: (request) => ai.analyze(noted(request)),
    runTools: (request) => ai.runTools(noted(request)),
  };
  for (const query of questions) await router.ask(query, { ai: noting, merge: "ai-blend" });
  await router.ask("Is 95 lakhs fair for a 2BHK in Whitefield, Bengaluru?", {
    ai: noting,
    to: "rag-advisory",
  });
  return seen;
}

/** Paths of the texts and lists of a JSON schema that have no upper limit. */
function unboundedIn(schema: unknown, path = "$"): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  if (Array.isArray(schema))
    return schema.flatMap((each, at) => unboundedIn(each, `${path}[${at}]`));
  const {
    type,
    maxLength,
    maxItems,
    enum: values,
    const: value,
  } = schema as Record<string, unknown>;
  const isUnbounded =
    (type === "string" && maxLength === undefined && values === undefined && value === undefined) ||
    (type === "array" && maxItems === undefined);
  return [
    ...(isUnbounded ? [path] : []),
    ...Object.entries(schema).flatMap(([key, each]) => unboundedIn(each, `${path}.${key}`)),
  ];
}

describe("what librarians ask a model", () => {
  it("finds what has no limit", () => {
    const schema = z.object({ a: z.string(), b: z.array(z.string().max(3)), c: z.enum(["x"]) });

    expect(unboundedIn(z.toJSONSchema(schema))).toEqual(["$.properties.a", "$.properties.b"]);
  });

  it("names its prompt, limits each text and list of a schema, and leaves tokens to the client", async () => {
    const seen = await requests();

    expect([...seen.keys()].map((id) => id.split("@")[0]).toSorted()).toEqual([
      "advisory.sentences",
      "core.blend",
      "docs.answer",
      "k8s.summary",
      "triage.analysis",
      "triage.decision",
      "workflow.analysis",
      "workflow.parameters",
      "workflow.selection",
    ]);
    for (const [id, { schema, tools = [], maxTokens, promptId }] of seen) {
      expect(promptId, id).toMatch(/@[0-9a-f]{8}$/);
      expect(maxTokens, id).toBeUndefined();
      for (const each of [schema, ...tools.map(({ input }) => input)]) {
        if (each === undefined) continue;
        const json = z.toJSONSchema(each, { io: "input", unrepresentable: "any" });
        expect({ id, unbounded: unboundedIn(json) }).toEqual({ id, unbounded: [] });
      }
    }
  });
});
