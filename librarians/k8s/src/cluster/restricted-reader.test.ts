import { describe, expect, it, vi } from "vitest";
import { fakeCluster } from "../../test/fake-cluster.js";
import { createInMemoryReader } from "./in-memory-reader.js";
import { restrictReader } from "./restricted-reader.js";

const memory = createInMemoryReader({
  objects: [...fakeCluster.objects, ...fakeCluster.events, ...fakeCluster.podMetrics],
  logs: fakeCluster.logs,
});

describe("restrictReader", () => {
  it("gives the reader itself when everything is allowed", () => {
    expect(restrictReader(memory, {})).toBe(memory);
  });

  it("lists the allowed namespaces when none is named, and names no other", async () => {
    const reader = restrictReader(memory, { namespaces: ["bank", "shop"] });
    const only = restrictReader(memory, { namespaces: ["bank"] });

    expect((await reader.list("Pod")).items).toHaveLength(8);
    expect((await only.list("Pod")).items).toHaveLength(1);
    expect((await only.list("Namespace")).items.map(({ metadata }) => metadata.name)).toEqual([
      "bank",
    ]);
    expect((await only.get("Namespace", undefined, "shop")).problem?.code).toBe("notAllowed");
    expect((await only.events()).items).toEqual([]);
    expect((await only.usage()).items).toEqual([]);
  });

  it("does not ask for what is not allowed", async () => {
    const list = vi.fn(memory.list);
    const reader = restrictReader({ ...memory, list }, { kinds: ["Node"], namespaces: [] });

    expect((await reader.list("Pod")).problem).toMatchObject({
      code: "notAllowed",
      subject: "pods",
    });
    expect((await reader.logs({ namespace: "shop", pod: "api-1" })).problem?.code).toBe(
      "notAllowed",
    );
    expect(list).not.toHaveBeenCalled();
    expect((await reader.list("Node")).items).toHaveLength(2);
  });

  it("says when one of the namespaces could not be read, with what the others hold", async () => {
    const reader = restrictReader(
      {
        ...memory,
        list: async (kind, options) =>
          options?.namespace === "bank"
            ? { items: [], problem: { code: "forbidden", subject: "pods in bank", message: "no" } }
            : memory.list(kind, options),
      },
      { namespaces: ["bank", "shop"] },
    );

    const { items, problem } = await reader.list("Pod");

    expect(items).toHaveLength(7);
    expect(problem?.subject).toBe("pods in bank");
  });

  it("restricts what is read as another party, too", async () => {
    const reader = restrictReader({ ...memory, actingAs: () => memory }, { namespaces: ["bank"] });

    expect((await reader.actingAs?.({ user: "bob" }).list("Pod"))?.items).toHaveLength(1);
  });
});
