import { getEventListeners } from "node:events";
import { createRouter, MeshError, remainingMs } from "@constellation/core";
import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { defineLibrarian } from "./define-librarian.js";

const info = { id: "greeter", description: "Greets." };
const never = () => new Promise<never>(() => {});

describe("defineLibrarian", () => {
  it("makes a definition whose librarian answers", async () => {
    const definition = defineLibrarian({ ...info, team: "a" }, (query) => ({ answer: query }));

    expect(definition).toMatchObject({ ...info, team: "a" });
    expect(await definition.librarian("hello")).toEqual({ answer: "hello" });
  });

  it.each(["", " \n", undefined, 5])(
    "answers INVALID_QUERY to %j without asking",
    async (query) => {
      const answer = vi.fn();
      const { error } = await defineLibrarian(info, answer).librarian(query as string, {});

      expect(error).toMatchObject({ code: "INVALID_QUERY", librarian: "greeter" });
      expect(answer).not.toHaveBeenCalled();
    },
  );

  it("types the metadata by a schema, and refuses what does not fit it with the key", async () => {
    const { librarian } = defineLibrarian(
      { ...info, metadata: z.looseObject({ ticket: z.number() }) },
      (_query, { metadata }) => ({ answer: `${metadata.ticket.toFixed(1)}` }),
    );
    const router = createRouter();
    router.register({ ...info, librarian });

    expect(await router.ask("q", { metadata: { ticket: 7, other: "x" } })).toEqual({
      answer: "7.0",
    });
    expect((await router.ask("q", { metadata: { ticket: "7" } })).error).toMatchObject({
      code: "INVALID_QUERY",
      message: 'metadata.ticket: expected number, got "7".',
    });
    expect((await librarian("q")).error?.code).toBe("INVALID_QUERY");
  });

  it("ends with TIMEOUT at its deadline, although the work does not", async () => {
    const { librarian } = defineLibrarian(info, never);
    const { error } = await librarian("hello", { deadline: Date.now() + 5 });

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "deadline" } });
  });

  it("ends with TIMEOUT when a plain signal aborts, and leaves no listener", async () => {
    const controller = new AbortController();
    const { librarian } = defineLibrarian(info, (_query, { signal }) => {
      queueMicrotask(() => controller.abort());
      return new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true });
      });
    });
    const { error } = await librarian("hello", { signal: controller.signal });

    expect(error).toMatchObject({ code: "TIMEOUT", details: { reason: "cancelled" } });
    expect(getEventListeners(controller.signal, "abort")).toEqual([]);
  });

  it("makes what is thrown an error, and repeats none of its text", async () => {
    const thrown = [new Error("password=hunter2"), "text", null];
    for (const each of thrown) {
      const { error } = await defineLibrarian(info, () => {
        throw each;
      }).librarian("hello");
      expect(error).toMatchObject({ code: "INTERNAL_ERROR", librarian: "greeter" });
      expect(JSON.stringify(error)).not.toContain("hunter2");
    }
  });

  it("keeps a MeshError, with the id under which it was called", async () => {
    const { librarian } = defineLibrarian(info, () => {
      throw new MeshError("NOT_FOUND", "Nothing is known.", { reason: "no-information" });
    });
    const { error } = await librarian("hello", { librarian: { id: "other", description: "x" } });

    expect(error).toMatchObject({ code: "NOT_FOUND", librarian: "other" });
  });
});

describe("remainingMs", () => {
  it("takes a share of what remains after the reserve", () => {
    const context = { remainingMs: () => 9_000 };

    expect(remainingMs(context)).toBe(9_000);
    expect(remainingMs(context, { share: 0.5 })).toBe(4_500);
    expect(remainingMs(context, { share: 0.5, reserveMs: 500 })).toBe(4_250);
    expect(remainingMs({ remainingMs: () => 100 }, { reserveMs: 500 })).toBe(90);
  });

  it("knows a deadline alone, one that has passed, and none", () => {
    expect(remainingMs({ deadline: Date.now() - 50 })).toBe(0);
    expect(remainingMs({ deadline: Date.now() + 60_000 })).toBeGreaterThan(50_000);
    expect(remainingMs({})).toBe(Number.POSITIVE_INFINITY);
  });
});
