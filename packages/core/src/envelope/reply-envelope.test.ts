import { describe, expect, it } from "vitest";
import { decodeReply, encodeReply } from "./reply-envelope.js";

const reading = {
  origin: { name: "remote", type: "agent" },
  confidence: 0.7,
  maxAnswerLength: 1_000,
};

/** A response after it went through the wire. */
const roundTrip = (response: Parameters<typeof encodeReply>[0]) =>
  decodeReply(JSON.parse(JSON.stringify(encodeReply(response))), reading);

describe("a reply envelope", () => {
  it("brings the whole response back, metadata too", () => {
    const metadata = {
      workflowSelection: {
        workflow: "restart",
        parameters: { replicas: 3, ratio: 1e-7, none: null },
      },
      facts: [{ resource: "pod/a", value: 0 }, []],
    };

    expect(
      roundTrip({ answer: "so", confidence: 0.9, sources: [{ name: "a" }], metadata }),
    ).toEqual({
      answer: "so",
      confidence: 0.9,
      sources: [{ name: "a", type: undefined }, reading.origin].map((source) =>
        JSON.parse(JSON.stringify(source)),
      ),
      metadata,
    });
  });

  it("brings back every code, with its details", () => {
    const path = ["a/front", "b/front", "a/front"];
    const error = { code: "LOOP_DETECTED", message: "a loop", details: { path } } as const;

    expect(roundTrip({ error })).toEqual({ error });
  });

  it("steers nothing on this side, and holds nothing active", () => {
    const response = roundTrip({
      answer: "![x](https://evil.test/?q=1) <img src=x>",
      delegate: { to: "other" },
      merge: "race",
      metadata: { "![k](https://evil.test)": "<script>", link: "javascript:alert(1)" },
    });

    expect(response).not.toHaveProperty("delegate");
    expect(response).not.toHaveProperty("merge");
    expect(JSON.stringify(response)).not.toMatch(/!\[|(?<!\\)<(?:img|script)|javascript:/);
  });

  it("leaves out metadata that is too large or no JSON, and names it", () => {
    const cycle: Record<string, unknown> = {};
    cycle.self = cycle;

    const envelope = encodeReply({
      answer: "so",
      metadata: { facts: [1], blob: "x".repeat(300_000), cycle },
    });

    expect(envelope.cut).toEqual(expect.arrayContaining(["blob", "cycle"]));
    expect(decodeReply(envelope, reading)).toMatchObject({
      partial: true,
      metadata: { facts: [1] },
    });
  });

  it.each([
    undefined,
    null,
    1,
    "x",
    [],
    { v: 2, response: { answer: "so" } },
    { v: 1 },
    { v: 1, response: {} },
  ])("is no reply when it is %j", (value) => {
    expect(decodeReply(value, reading)).toBeUndefined();
  });
});
