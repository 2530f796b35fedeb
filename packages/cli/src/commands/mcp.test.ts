import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { collectingIO, run } from "../../test/run.js";
import { post, serving } from "../../test/serving.js";
import { main } from "../command-line.js";

describe("constellation mcp", () => {
  it("speaks MCP on the standard streams until the client leaves", async () => {
    const { io, stderr } = collectingIO({ cwd: folderWith(shopMesh) });
    const stdin = new PassThrough();
    const stdout = new PassThrough();
    const ended = main(["mcp"], { ...io, stdin, stdout });

    const reply = new Promise<string>((resolve) => {
      stdout.once("data", (chunk) => resolve(String(chunk)));
    });
    stdin.write(
      `${JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "t", version: "1" },
        },
      })}\n`,
    );

    expect(JSON.parse(await reply)).toMatchObject({
      id: 1,
      result: { serverInfo: { name: "town" } },
    });
    stdin.end();
    expect(await ended).toBe(0);
    expect(stderr.join("")).toBe("");
  });

  it("cuts long answers as the mesh file says", async () => {
    const long = `export const createLibrarian = () => ({
      id: "long", description: "talks", librarian: async () => ({ answer: "word ".repeat(100) }),
    });`;
    const mesh = "mcp: { maxAnswerLength: 200 }\nlibrarians:\n  - use: ./long.js\n";
    const { io } = collectingIO({ cwd: folderWith({ "mesh.yaml": mesh, "long.js": long }) });
    const stdin = new PassThrough();
    const stdout = new PassThrough({ encoding: "utf8" });
    const ended = main(["mcp"], { ...io, stdin, stdout });
    const clientInfo = { name: "t", version: "1" };
    const calls = {
      initialize: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
      "tools/call": { name: "query", arguments: { query: "a word?" } },
    };

    for (const [id, [method, params]] of Object.entries(calls).entries()) {
      stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    }
    let replies = "";
    for await (const piece of stdout) {
      replies += piece;
      if (replies.includes('"id":1')) break;
    }
    stdin.end();
    await ended;

    expect(replies).toContain("word word");
    expect(replies).not.toContain("word ".repeat(60));
    expect(replies).toContain("constellation://answers/");
  });

  it("cuts long answers over HTTP too", async () => {
    const mesh = `mcp: { maxAnswerLength: 200, maxStoredBytes: 0 }
librarians:
  - use: ./long.js
`;
    const long = `export const createLibrarian = () => ({
      id: "long", description: "talks", librarian: async () => ({ answer: "word ".repeat(100) }),
    });`;

    const call = (id: number, method: string, params: object) => ({
      jsonrpc: "2.0",
      id,
      method,
      params,
    });
    const clientInfo = { name: "t", version: "1" };
    const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };

    await serving(
      [],
      {},
      async (url) => {
        const opened = await post(`${url}/mcp`, call(1, "initialize", hello));
        const session = { "mcp-session-id": opened.headers.get("mcp-session-id") ?? "" };
        const asked = call(2, "tools/call", { name: "query", arguments: { query: "a word?" } });
        const answer = await (await post(`${url}/mcp`, asked, session)).text();

        expect(answer).toContain("word word");
        expect(answer).not.toContain("word ".repeat(60));
      },
      { "mesh.yaml": mesh, "long.js": long },
    );
  });

  it.each([
    ["maxAnswerLength: 100", "mcp.maxAnswerLength: expected an integer, 200 to 1000000, got 100."],
    ["answerTtlMs: 0.5", "mcp.answerTtlMs: expected an integer, 1 to 2147483647, got 0.5."],
    ["maxStoredBytes: -1", "mcp.maxStoredBytes: expected an integer of 0 or more, got -1."],
    [
      "maxAnswer: 300",
      "mcp.maxAnswer: unknown key. Valid keys: maxAnswerLength, answerTtlMs, maxStoredBytes.",
    ],
  ])("refuses `mcp: { %s }` of the mesh file", async (field, says) => {
    const mesh = `mcp: { ${field} }\n${shopMesh["mesh.yaml"]}`;

    const { stderr } = await run(["check"], {
      cwd: folderWith({ ...shopMesh, "mesh.yaml": mesh }),
    });

    expect(stderr).toContain(says);
  });
});
