import { createRouter } from "@constellation/core";
import { createServer } from "@constellation/server";

const router = createRouter();
router.register({
  id: "docs",
  librarian: async (query) => ({ answer: query }),
  description: "answers",
});
const server = await createServer(router);
const { url } = await server.listen();
for (const path of ["/", "/console/main.js", "/console/page.css", "/console/markdown-it.js"]) {
  const response = await fetch(url + path);
  console.log(path, response.status, response.headers.get("etag"));
}
const headers = { "content-type": "application/json" };
const asked = await fetch(`${url}/ask`, { method: "POST", headers, body: '{"query":"Ready?"}' });
console.log(await asked.json());
await server.close();
await router.close();
