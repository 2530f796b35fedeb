import { createA2AHandler, createA2ALibrarian } from "@constellation/a2a";
import { createRouter, type Router } from "@constellation/core";
import { createMcpHandler, createMcpLibrarian } from "@constellation/mcp";
import { createServer, type ServerOptions } from "@constellation/server";
import { afterEach, describe, expect, it } from "vitest";

const cleanUp: (() => unknown)[] = [];

afterEach(async () => {
  for (const each of cleanUp.splice(0).toReversed()) await each();
});

/** A mesh whose `front` delegates to `next`, which is in another mesh. */
function meshOf(name: string, calls: string[]): Router {
  const router = createRouter({ name, entry: "front" });
  router.register({
    id: "front",
    description: "delegates to the next mesh",
    librarian: async () => {
      calls.push(name);
      return { delegate: { to: "next" } };
    },
  });
  cleanUp.push(() => router.close());
  return router;
}

/** Serves a mesh on a free port of the loopback address. */
async function serve(router: Router, mounts: ServerOptions["mounts"]): Promise<string> {
  const server = await createServer(router, { mounts, console: false });
  cleanUp.push(() => server.close());
  return (await server.listen()).url;
}

describe("meshes that call each other over different protocols", () => {
  it("detect a loop A -A2A-> B -MCP-> C -A2A-> A, and call each librarian once", async () => {
    const calls: string[] = [];
    const [a, b, c] = [meshOf("a", calls), meshOf("b", calls), meshOf("c", calls)];
    const atA = await serve(a, { "/a2a": createA2AHandler(a) });
    const atB = await serve(b, { "/a2a": createA2AHandler(b) });
    const atC = await serve(c, { "/mcp": createMcpHandler(c) });
    a.register(createA2ALibrarian({ id: "next", url: `${atB}/a2a` }));
    b.register(
      createMcpLibrarian({
        id: "next",
        description: "asks mesh c",
        server: { url: `${atC}/mcp` },
        tool: "query",
      }),
    );
    c.register(createA2ALibrarian({ id: "next", url: `${atA}/a2a` }));

    const run = a.start("who knows?");
    const { error } = await run.response;

    expect(error).toMatchObject({
      code: "LOOP_DETECTED",
      details: {
        path: ["a/front", "a/next", "b/front", "b/next", "c/front", "c/next", "a/front"],
      },
    });
    expect(calls).toEqual(["a", "b", "c"]);
    const inB = run.explain().hops.at(-1)?.remote;
    expect(inB).toMatchObject({ mesh: "b", hops: [{ to: "front" }, { to: "next" }] });
    expect(inB?.hops[1]?.remote).toMatchObject({
      mesh: "c",
      hops: [{ to: "front" }, { to: "next" }],
    });
  });
});
