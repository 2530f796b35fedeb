import { createRouter, type Router, type User } from "@constellation/core";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { serveLoopback } from "../../test/loopback.js";
import { createMcpHandler } from "../http/create-mcp-handler.js";
import type { McpHandlerOptions } from "../http/options.js";
import { createMcpLibrarian } from "../librarian/mcp-librarian.js";

const cleanUp: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

/** Longer than the default limit, with code that a cut leaves open. */
const whole = `# Restart\n\n\`\`\`sh\n${"kubectl get pods\n".repeat(2_000)}\`\`\`\n\nThe end.`;

function longMesh(): Router {
  const router = createRouter();
  router.register({
    id: "runbooks",
    description: "answers at length",
    librarian: async (query) => ({
      answer: query === "short" ? "Restart it." : `${whole}\n${query}`,
      sources: [{ name: "restart.md" }],
      confidence: 0.9,
    }),
  });
  return router;
}

interface Served {
  readonly url: URL;
  /** The user, as the host of the handler authenticated it. */
  user: User | undefined;
  connect(mode?: "legacy" | "auto"): Promise<Client>;
}

async function serve(options?: McpHandlerOptions): Promise<Served> {
  const handler = createMcpHandler(longMesh(), options);
  const server = await serveLoopback((request) => handler(request, { user: served.user }));
  cleanUp.push(server.close, handler.close);
  const served: Served = {
    url: new URL("/mcp", server.url),
    user: undefined,
    async connect(mode = "auto") {
      const client = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
      await client.connect(new StreamableHTTPClientTransport(served.url));
      cleanUp.push(() => client.close());
      return client;
    },
  };
  return served;
}

async function askFor(client: Client, query: string) {
  const { content, structuredContent } = await client.callTool({
    name: "query",
    arguments: { query },
  });
  const text = content.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n");
  const links = content.flatMap((item) => (item.type === "resource_link" ? [item] : []));
  return { text, links, data: structuredContent as { answer: string; whole?: string } };
}

async function read(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return contents.map((item) => ("text" in item ? item.text : "")).join("");
}

describe("an answer that is longer than the limit", () => {
  it.each(["legacy", "auto"] as const)(
    "is cut, as text and as data, with a link to the whole (%s)",
    async (mode) => {
      const client = await (await serve()).connect(mode);

      const { text, links, data } = await askFor(client, "long");

      const [link] = links;
      expect(data.answer.length).toBeLessThanOrEqual(20_000);
      expect(data.answer.match(/```/g)).toHaveLength(2);
      expect(data.whole).toBe(link?.uri);
      expect(text).toContain(`The answer is cut to 20000 of ${whole.length + 5} characters.`);
      expect(text).toContain(
        `Read the resource ${link?.uri} for the whole; it is stored for 10 min`,
      );
      expect(text).toContain("- restart.md");
      expect(link).toMatchObject({ mimeType: "text/markdown", size: whole.length + 5 });
      expect(await read(client, link?.uri ?? "")).toBe(`${whole}\nlong`);
    },
  );

  it("is whole below the limit, which is an option", async () => {
    const short = await askFor(await (await serve()).connect(), "short");
    const raised = await askFor(
      await (await serve({ maxAnswerLength: 100_000 })).connect(),
      "long",
    );

    expect([short.links, raised.links]).toEqual([[], []]);
    expect(short.data).not.toHaveProperty("whole");
    expect(raised.data.answer).toBe(`${whole}\nlong`);
  });

  it("can be read by the user who asked, in each of their sessions, and by no other", async () => {
    const served = await serve();
    served.user = { id: "ada" };
    const ada = await served.connect();
    const { links } = await askFor(ada, "long");
    const uri = links[0]?.uri ?? "";
    const again = await served.connect("legacy");
    const found = await read(again, uri);
    served.user = { id: "bob" };
    const bob = await served.connect();

    expect(found).toBe(`${whole}\nlong`);
    await expect(read(bob, uri)).rejects.toThrow("not found");
    served.user = undefined;
    await expect(read(await served.connect(), uri)).rejects.toThrow("not found");
  });

  it("is listed nowhere, and not guessed", async () => {
    const client = await (await serve()).connect();
    await askFor(client, "long");

    const { resources } = await client.listResources();

    expect(JSON.stringify(resources)).not.toContain("answers/");
    await expect(read(client, "constellation://answers/1")).rejects.toThrow("not found");
  });

  it("is removed when its time is over", async () => {
    const client = await (await serve({ answerTtlMs: 60_000 })).connect();
    const { text, links } = await askFor(client, "long");
    const askedAt = Date.now();
    onTestFinished(() => void vi.useRealTimers());
    vi.useFakeTimers({ toFake: ["Date"], now: askedAt + 60_001 });

    expect(text).toContain("stored for 60 seconds");
    await expect(read(client, links[0]?.uri ?? "")).rejects.toThrow("not found");
  });

  it("is removed for newer ones, and not stored where it is larger than the store", async () => {
    const size = 2 * (whole.length + 10);
    const client = await (await serve({ maxStoredBytes: 2 * size })).connect();
    const uris: string[] = [];
    for (const query of ["one", "two", "three"]) {
      uris.push((await askFor(client, query)).links[0]?.uri ?? "");
    }
    const without = await askFor(await (await serve({ maxStoredBytes: 1_000 })).connect(), "long");

    await expect(read(client, uris[0] ?? "")).rejects.toThrow("not found");
    expect(await read(client, uris[1] ?? "")).toContain("two");
    expect(await read(client, uris[2] ?? "")).toContain("three");
    expect(without.links).toEqual([]);
    expect(without.text).toContain("The answer is cut");
    expect(without.text).not.toContain("Read the resource");
  });

  it("reaches another mesh whole", async () => {
    const served = await serve();
    const here = createRouter();
    here.register(
      createMcpLibrarian({
        id: "there",
        description: "another mesh",
        server: { url: served.url.href },
        tool: "query",
        maxAnswerLength: 100_000,
      }),
    );
    cleanUp.push(() => here.close());

    expect((await here.ask("long")).answer).toContain("The end.");
  });
});
