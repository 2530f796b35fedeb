import { createA2AHandler } from "@constellation/a2a";
import { createRouter } from "@constellation/core";

const handler = createA2AHandler(createRouter(), { url: "https://mesh.example.com/a2a" });
const card = await handler(new Request("https://mesh.example.com/.well-known/agent-card.json"));
console.log(await card.json());
await handler.close();
