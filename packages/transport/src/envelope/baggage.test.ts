import { context, propagation } from "@opentelemetry/api";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemorySpans, keepSpans } from "../../../core/test/in-memory-spans.js";
import { formatBaggage, withBaggage } from "./baggage.js";

describe("baggage between meshes", () => {
  let spans: InMemorySpans;

  beforeEach(() => {
    spans = keepSpans();
  });
  afterEach(() => spans.close());

  const read = (header: string) =>
    propagation.getBaggage(withBaggage(context.active(), header))?.getAllEntries() ?? [];

  it("comes out as it went in, properties too", () => {
    const header = "tenant=acme%3B%20%C3%A9%2C%3D;ttl=60;internal,session=";
    const within = withBaggage(context.active(), header);

    expect(formatBaggage(within, "all")).toBe(header);
    expect(formatBaggage(within, ["session"])).toBe("session=");
    expect(formatBaggage(within, "none")).toBeUndefined();
  });

  it("is bounded, and what cannot be read is left out", () => {
    const members = Array.from({ length: 100 }, (_, index) => `m${index}=1`);

    expect(read(members.join(","))).toHaveLength(64);
    expect(read(`tenant=${"x".repeat(9_000)}`)).toEqual([]);
    expect(read("=1,broken,bad=%E0%A4%A,good=1").map(([name]) => name)).toEqual(["good"]);
  });
});
