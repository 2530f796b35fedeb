import { testContext } from "@constellation/testing";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { now, shop } from "../../test/objects.js";
import type { ClusterReader } from "../cluster/cluster-reader.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

/** A cluster of which some kinds never answer. */
function slow(kinds: readonly string[]): ClusterReader {
  const reader = createInMemoryReader({ objects: shop(), now });
  return {
    ...reader,
    list: (kind, options) =>
      kinds.includes(kind) ? new Promise(() => undefined) : reader.list(kind, options),
  };
}

describe("a cluster that does not answer in time", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is answered with what was read by then, which the answer says", async () => {
    const { librarian } = createK8sLibrarian({ reader: slow(["NetworkPolicy", "Node"]) });
    const context = testContext({ deadline: Date.now() + 1_000 });

    const asking = librarian("Why does checkout keep restarting?", context);
    await vi.advanceTimersByTimeAsync(750);
    const { answer, partial, metadata } = await asking;

    expect(answer).toContain("OOMKilled");
    expect(answer).toMatch(
      /Not read \(no answer in time\): (?:networkpolicies, nodes|nodes, networkpolicies)/,
    );
    expect(partial).toBe(true);
    expect(metadata?.unread).toHaveLength(2);
  });

  it("is not called healthy when what shows it did not come", async () => {
    const { librarian } = createK8sLibrarian({ reader: slow(["Pod", "ReplicaSet"]) });
    const context = testContext({ deadline: Date.now() + 1_000 });

    const asking = librarian("is the cart deployment healthy?", context);
    await vi.advanceTimersByTimeAsync(900);
    const { answer = "", metadata } = await asking;

    expect(answer).not.toContain("(Healthy)");
    expect(metadata?.facts).not.toContainEqual(expect.objectContaining({ signal_type: "Healthy" }));
  });
});
