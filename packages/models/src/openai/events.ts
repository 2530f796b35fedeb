/**
 * Reads the data of server-sent events, one after the other, up to `[DONE]`. Events may end anywhere
 * in a chunk, characters too. Takes time that grows linearly with the body.
 *
 * The SDK's own reader prints what it cannot parse, which is text of the server, on the console.
 *
 * Source: HTML standard, 9.2 "Server-sent events".
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of linesOf(body)) {
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

/** Whole lines, which end with CR, LF or both; what follows the last end is not a line. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
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
