import { describe, expect, it, vi } from "vitest";
import type { LibrarianDefinition } from "../contract/definition.js";
import { Registry } from "./registry.js";

function definition(id: string, more: Partial<LibrarianDefinition> = {}): LibrarianDefinition {
  return { id, description: "answers", librarian: async () => ({ answer: id }), ...more };
}

const ids = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id);

describe("Registry", () => {
  it("finds by capability, a parent standing for its children and not the other way round", () => {
    const registry = new Registry();
    registry.register(definition("facts", { capabilities: ["kubernetes.facts"] }));
    registry.register(definition("all", { capabilities: ["kubernetes"] }));
    registry.register(definition("other", { capabilities: ["kubernetes-like"] }));

    expect(ids(registry.find("kubernetes"))).toEqual(["facts", "all"]);
    expect(ids(registry.find("kubernetes.facts"))).toEqual(["facts"]);
    expect(ids(registry.find("kube"))).toEqual([]);
  });

  it("forgets an unregistered librarian everywhere", () => {
    const registry = new Registry();
    registry.register(definition("a", { capabilities: ["x.y"] }));

    registry.unregister("a");

    expect([registry.get("a"), registry.find("x"), registry.find("x.y"), registry.list()]).toEqual([
      undefined,
      [],
      [],
      [],
    ]);
    expect(() => registry.register(definition("a"))).not.toThrow();
  });

  it("keeps what was registered when the caller changes its object", () => {
    const registry = new Registry();
    const capabilities = ["x"];
    registry.register(definition("a", { capabilities }));

    capabilities.push("y");

    expect(registry.list()[0]?.capabilities).toEqual(["x"]);
  });

  it("refuses an id that is taken, and keeps the first", () => {
    const registry = new Registry();
    registry.register(definition("a", { name: "first" }));

    expect(() => registry.register(definition("a", { name: "second" }))).toThrow(
      /"a" is registered/,
    );
    expect(registry.list()[0]?.name).toBe("first");
  });

  it("holds 40,000 and finds each", () => {
    const registry = new Registry();
    for (let n = 0; n < 40_000; n++) {
      registry.register(definition(`l${n}`, { capabilities: [`area-${n % 100}.topic-${n}`] }));
    }

    expect(registry.get("l39999")?.info.id).toBe("l39999");
    expect(registry.find("area-7")).toHaveLength(400);
    expect(ids(registry.find("area-7.topic-107"))).toEqual(["l107"]);
  });
});

describe("Entry", () => {
  it("starts once for all who come meanwhile, and again after a failure", async () => {
    const start = vi.fn(async () => {});
    start.mockRejectedValueOnce(new Error("secret"));
    const entry = new Registry().register(definition("a", { start }));

    await expect(Promise.all([entry.start(1_000), entry.start(1_000)])).rejects.toMatchObject({
      code: "SERVICE_UNAVAILABLE",
      message: 'Librarian "a" did not start.',
    });
    await Promise.all([entry.start(1_000), entry.start(1_000)]);
    await entry.start(1_000);

    expect(start).toHaveBeenCalledTimes(2);
  });

  it("aborts a start under way when it is closed, and closes only what was started", async () => {
    const close = vi.fn(async () => {});
    const entry = new Registry().register(
      definition("a", {
        start: (signal) =>
          new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason as Error));
          }),
        close,
      }),
    );
    const starting = entry.start(1_000);

    await entry.close(new AbortController().signal);

    await expect(starting).rejects.toMatchObject({ code: "SERVICE_UNAVAILABLE" });
    expect(close).not.toHaveBeenCalled();
  });
});
