/**
 * Reads the data of server-sent events, one after the other, up to `[DONE]`. Events may end anywhere
 * in a chunk, characters too.
 *
 * Source: HTML standard, 9.2 "Server-sent events".
 */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let data: string[] = [];
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
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
}
