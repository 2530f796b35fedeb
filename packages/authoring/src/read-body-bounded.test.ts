import { describe, expect, it } from "vitest";
import { readBodyBounded } from "./read-body-bounded.js";

describe("readBodyBounded", () => {
  it("reads up to its limit, and nothing where there is no body", async () => {
    expect(String(await readBodyBounded(new Response("four"), 4))).toBe("four");
    expect(await readBodyBounded(new Response(null), 4)).toHaveLength(0);
  });

  it("stops reading beyond its limit", async () => {
    let isCancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(10)),
      cancel() {
        isCancelled = true;
      },
    });

    expect(await readBodyBounded(new Response(endless), 25)).toBeUndefined();
    expect(isCancelled).toBe(true);
  });

  it("rejects where the body breaks off", async () => {
    const broken = new ReadableStream({ pull: () => Promise.reject(new Error("reset")) });

    await expect(readBodyBounded(new Response(broken), 25)).rejects.toThrow("reset");
  });
});
