/**
 * A mesh in a process of its own, whose `front` delegates to another mesh. Prints its address, reads that of
 * the next one from its standard input, and prints `called` for each call of `front`. Arguments: its name, and
 * the protocol of the calls: `a2a` or `mcp`.
 */
import { createInterface } from "node:readline";
import { createA2AHandler, createA2ALibrarian } from "@constellation/a2a";
import { createRouter } from "@constellation/core";
import { createMcpHandler, createMcpLibrarian } from "@constellation/mcp";
import { createServer } from "@constellation/server";

const [name = "", protocol = ""] = process.argv.slice(2);

const router = createRouter({ name, entry: "front" });
router.register({
  id: "front",
  description: "delegates to the next mesh",
  librarian: async () => {
    console.log("called");
    return { delegate: { to: "next" } };
  },
});
const isMcp = protocol === "mcp";
const server = await createServer(router, {
  mounts: isMcp ? { "/mcp": createMcpHandler(router) } : { "/a2a": createA2AHandler(router) },
  console: false,
});
createInterface({ input: process.stdin }).once("line", (url) => {
  router.register(
    isMcp
      ? createMcpLibrarian({
          id: "next",
          description: "asks the next mesh",
          server: { url: `${url}/mcp` },
          tool: "query",
        })
      : createA2ALibrarian({ id: "next", url: `${url}/a2a` }),
  );
  console.log("linked");
});
console.log((await server.listen()).url);
