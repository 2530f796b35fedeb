/**
 * Reads the data of server-sent events, one after the other, up to `[DONE]`. Chunks may split events
 * and characters anywhere. The time is linear in the length of the body.
 *
 * Source: HTML standard, 9.2 "Server-sent events".
 */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(body)) {
    if (line !== "") {
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      continue;
    }
    if (data.length === 0) continue;
    const event = data.join("\n");
    data = [];
    if (event === "[DONE]") return;
    yield event;
  }
}

/** Yields complete lines, which end with CR, LF or both. Text after the last line end is dropped. */
async function* readLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let begun = "";
  let endedWithCr = false; // an LF that follows in the next chunk belongs to it
  for await (const bytes of body) {
    const chunk = decoder.decode(bytes, { stream: true });
    if (chunk === "") continue;
    const [first = "", ...more] = chunk
      .slice(endedWithCr && chunk.startsWith("\n") ? 1 : 0)
      .split(/\r\n|\n|\r/);
    endedWithCr = chunk.endsWith("\r");
    begun += first;
    for (const next of more) {
      yield begun;
      begun = next;
    }
  }
}

/** The value of JSON that a service sent; `undefined` for any other text. */
export function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
