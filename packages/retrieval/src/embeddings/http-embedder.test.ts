import { getEventListeners } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { EmbedderError } from "./embedder.js";
import { createHttpEmbedder } from "./http-embedder.js";

const base = {
  url: "https://embed.example/v1/embeddings",
  model: "small",
  dimensions: 2,
  apiKey: "sk-hidden",
};

function answering(make: (input: readonly string[]) => globalThis.Response) {
  return vi.fn<typeof fetch>(async (_url, init) => make(JSON.parse(String(init?.body)).input));
}

const vectors = (input: readonly string[]) =>
  Response.json({
    data: input.map((text, index) => ({ index, embedding: [text.length, index] })).reverse(),
  });

afterEach(() => {
  vi.useRealTimers();
});

describe("createHttpEmbedder", () => {
  it("posts texts in batches and gives vectors in their order", async () => {
    const fetch = answering(vectors);
    const embedder = createHttpEmbedder({ ...base, batchSize: 2, fetch });

    expect(await embedder.embed(["a", "bb", "ccc"])).toEqual([
      [1, 0],
      [2, 1],
      [3, 0],
    ]);
    expect(fetch).toHaveBeenCalledTimes(2);
    expect(new Headers(fetch.mock.calls[0]?.[1]?.headers).get("authorization")).toBe(
      "Bearer sk-hidden",
    );
  });

  it("asks once, and names the status and nothing else when it is refused", async () => {
    const fetch = answering(() => new Response("bad key sk-hidden", { status: 401 }));
    const embedded = createHttpEmbedder({ ...base, fetch }).embed(["private text"]);

    const error = await embedded.catch((thrown: unknown) => thrown);

    expect(error).toBeInstanceOf(EmbedderError);
    expect(String(error)).toContain("401");
    expect(String(error)).not.toMatch(/hidden|private/);
    expect(fetch).toHaveBeenCalledTimes(1);
  });

  it.each([["{}"], ['{"data":[{"embedding":["x"]}]}'], ["no json"]])(
    "refuses the answer %s",
    async (body) => {
      const fetch = answering(() => new Response(body));

      await expect(createHttpEmbedder({ ...base, fetch }).embed(["a"])).rejects.toThrow(
        EmbedderError,
      );
    },
  );

  it("gives up after its time, and leaves neither timer nor listener", async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const fetch = vi.fn<typeof globalThis.fetch>(
      (_url, init) =>
        new Promise((_, reject) => {
          init?.signal?.addEventListener("abort", () => reject(new Error("aborted")));
        }),
    );
    const embedded = createHttpEmbedder({ ...base, timeoutMs: 50, fetch }).embed(["a"], { signal });
    const refused = expect(embedded).rejects.toThrow(EmbedderError);

    await vi.advanceTimersByTimeAsync(50);
    await refused;

    expect(vi.getTimerCount()).toBe(0);
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });

  it("ends with the caller's reason", async () => {
    const reason = new Error("enough");

    const embedded = createHttpEmbedder({ ...base, fetch: answering(vectors) }).embed(["a"], {
      signal: AbortSignal.abort(reason),
    });

    await expect(embedded).rejects.toBe(reason);
  });

  it("ends in the middle of an answer, whatever was collected meanwhile", async () => {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const server = await listening((_incoming, outgoing) => {
      outgoing.writeHead(200).write("{", () => begin());
    });
    const embedded = createHttpEmbedder({ ...base, url: server.url, timeoutMs: 300 }).embed(["a"]);
    const refused = expect(embedded).rejects.toThrow(/within 300 ms/);
    await begun;
    globalThis.gc?.(); // fetch can lose an abort by it

    await refused;

    server.close();
  });

  it("does not follow texts and key elsewhere", async () => {
    const elsewhere = vi.fn();
    const server = await listening((incoming, outgoing) => {
      if (incoming.url === "/elsewhere") elsewhere();
      outgoing.writeHead(307, { location: "/elsewhere" }).end();
    });

    await expect(createHttpEmbedder({ ...base, url: server.url }).embed(["a"])).rejects.toThrow(
      EmbedderError,
    );

    expect(elsewhere).not.toHaveBeenCalled();
    server.close();
  });

  it("refuses wrong options at once", () => {
    expect(() => createHttpEmbedder({ ...base, url: "file:///x" })).toThrow(TypeError);
    expect(() => createHttpEmbedder({ ...base, url: "x" })).toThrow(TypeError);
    expect(() => createHttpEmbedder({ ...base, dimensions: 0 })).toThrow(RangeError);
  });
});

async function listening(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens
  return {
    url: `http://127.0.0.1:${port}/embeddings`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
