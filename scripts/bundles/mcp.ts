import { createRouter } from "@constellation/core";
import { createMcpHandler } from "@constellation/mcp";

const handler = createMcpHandler(createRouter());
const reply = await handler(
  new Request("http://localhost:3001/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: {},
        clientInfo: { name: "example", version: "1.0.0" },
      },
    }),
  }),
);
console.log(reply.status, await reply.text());
await handler.close();
