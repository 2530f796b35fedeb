import { afterEach, describe, expect, it, vi } from "vitest";
import {
  type ModelScript,
  type ModelServer,
  startChatServer,
  startMessagesServer,
} from "../testing.js";

describe.each([
  ["startMessagesServer", startMessagesServer, "/v1/messages"],
  ["startChatServer", startChatServer, "/chat/completions"],
])("%s", (_name, start, path) => {
  let server: ModelServer;
  const post = (body: unknown, headers = {}) =>
    fetch(server.url + path, { method: "POST", body: JSON.stringify(body), headers });
  const body = { model: "m", max_tokens: 5, messages: [{ role: "user", content: "hi" }] };
  const serving = async (script?: ModelScript, options = {}) => {
    server = await start(script, options);
  };
  afterEach(() => server.close());

  it("listens on the loopback address alone", async () => {
    await serving();

    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+/);
  });

  it("plays steps in order, those added later too, and records requests", async () => {
    await serving(["one"]);
    server.play(() => "two");

    const replies = [await (await post(body)).text(), await (await post(body)).text()];

    expect(replies[0]).toContain("one");
    expect(replies[1]).toContain("two");
    expect(server.requests).toMatchObject([{ body }, { body }]);
  });

  it("refuses a wrong key, a wrong request, another path, and what the script does not have", async () => {
    await serving(["never"], { apiKey: "k" });
    const headers = { authorization: "Bearer k" };

    const statuses = [
      await post(body),
      await post({ ...body, model: undefined }, headers),
      await fetch(`${server.url}/other`, { headers }),
    ].map(({ status }) => status);
    await post(body, headers);

    expect([...statuses, (await post(body, headers)).status]).toEqual([401, 400, 404, 400]);
  });

  it("closes while a client waits", async () => {
    await serving([{ afterMs: Number.POSITIVE_INFINITY }]);
    const waiting = post(body).then(
      () => "answered",
      () => "cut",
    );
    while (server.busy === 0) await new Promise((resolve) => setTimeout(resolve, 1));

    await server.close();

    expect(await waiting).toBe("cut");
    await vi.waitFor(() => expect(server.busy).toBe(0), 20_000);
    server = await start();
  });
});
