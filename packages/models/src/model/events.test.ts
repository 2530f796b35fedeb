import { describe, expect, it } from "vitest";
import { readEvents } from "./events.js";

async function read(text: string, size: number): Promise<readonly string[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events: string[] = [];
  for await (const event of readEvents(body)) events.push(event);
  return events;
}

describe("eventsOf", () => {
  it.each(["\n", "\r\n", "\r"])(
    "reads events wherever they are cut, with lines that end in %j",
    async (end) => {
      const lines = [
        ": hello",
        "event: x",
        "data: één",
        "",
        "data:two",
        "data: lines",
        "",
        "data: [DONE]",
        "",
        "data: after",
        "",
        "",
      ];

      for (const size of [1, 2, 3, 7, 1_000]) {
        expect(await read(lines.join(end), size)).toEqual(["één", "two\nlines"]);
      }
    },
  );

  it("gives nothing of an event that has no end", async () => {
    expect(await read("data: one\n\ndata: tw", 4)).toEqual(["one"]);
  });
});
