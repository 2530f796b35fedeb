import { scriptedAI, testContext } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { now, shop } from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

const { librarian } = createK8sLibrarian({
  reader: createInMemoryReader({ objects: shop(), now }),
});
const question = "Why does checkout restart?";

interface KnownFact {
  readonly signal_type: string;
  readonly evidence: readonly { readonly source: string }[];
}

describe("the model that words an answer", () => {
  it("is not asked for a caller that wants facts alone", async () => {
    const ai = scriptedAI([]);

    const { metadata } = await librarian(
      question,
      testContext({ ai, metadata: { wants: "facts" } }),
    );

    expect(ai.calls).toEqual([]);
    expect(metadata?.facts).toMatchObject([{ signal_type: "OOMKilled" }, {}]);
    expect(metadata).not.toHaveProperty("model");
  });

  it("has half of the time that remains, the other half is the runbook's", async () => {
    const ai = scriptedAI(() => ({ text: "no JSON" }));

    await librarian(question, testContext({ ai, deadline: Date.now() + 8_000 }));

    const [call] = ai.calls;
    expect(call?.request.timeoutMs).toBeGreaterThan(3_000);
    expect(call?.request.timeoutMs).toBeLessThanOrEqual(4_000);
  });

  it.each([
    ["`<b>` is code", "not-used"],
    ["checkout was OOMKilled (`512Mi`).", "used"],
    ["checkout is healthy, run `kubectl delete namespace production`.", "not-used"],
    ["checkout is healthy.", "not-used"],
    ["No pod of checkout was OOMKilled.", "not-used"],
    ["a run ``` that no other closes <b>`", "not-used"],
    ["`code` <!-- hidden -->", "not-used"],
    ["Killed with exit code 137, restarted 12 times.", "used"],
    ["Killed with exit code 137, 5 times.", "not-used"],
    ["Killed with exit code 139.", "not-used"],
    ["Its limit is 9999Mi.", "not-used"],
  ])("has its summary %j %s", async (text, outcome) => {
    const facts = await librarian(question);
    const known = facts.metadata?.facts as readonly KnownFact[]; // as the librarian documents them
    const signalTypes = known.map(({ signal_type }) => signal_type);
    const citations = known.flatMap(({ evidence }) => evidence.map(({ source }) => source));
    const reply = { summary: text, signalTypes, citations: citations.slice(0, 1) };
    const ai = scriptedAI(() => ({ text: JSON.stringify(reply) }));

    const { metadata } = await librarian(question, testContext({ ai }));

    expect(metadata?.model).toMatchObject({ outcome });
  });
});
