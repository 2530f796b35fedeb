/**
 * A chat page over a mesh: builds the page (the first time it installs what that needs, in `page`), and serves it with the mesh.
 *
 *     npm start --workspace examples/chat-page
 *
 * With `--check` it asks as the page does, without a page, checks what comes back, and ends.
 */
import { equal, match } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createClient } from "@constellation/client";
import { createServer, type MountHandler } from "@constellation/server";
import { openMesh } from "./mesh.js";

const page = fileURLToPath(new URL("../page", import.meta.url));
const isCheck = process.argv.includes("--check");

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
};

/** The files that Vite built: names without a folder, so that nothing outside is read. */
const serveFile: MountHandler = async (request) => {
  const name = /\/([\w-]+\.\w+)$/.exec(new URL(request.url).pathname)?.[1] ?? "index.html";
  const type = types[extname(name)];
  const file = await readFile(join(page, "dist", name)).catch(() => undefined);
  if (file === undefined || type === undefined) return new Response("Not found", { status: 404 });
  const policy = "default-src 'self'; style-src 'self' 'unsafe-inline'";
  return new Response(new Uint8Array(file), {
    headers: { "content-type": type, "content-security-policy": policy },
  });
};

function buildPage(): void {
  const npm = (...given: string[]) =>
    execFileSync("npm", given, {
      cwd: page,
      stdio: "inherit",
      shell: process.platform === "win32",
    });
  if (!existsSync(join(page, "node_modules"))) npm("ci");
  npm("run", "build");
}

/** Asks twice, approves, and prints what a page would show. */
async function check(url: string): Promise<void> {
  const mesh = createClient({ url });
  let written = "";
  for await (const { event, data } of mesh.stream("How do I restart billing?")) {
    if (event === "hop:start") console.log(`asking ${data.to}`);
    if (event === "hop:progress" && "text" in data.progress) written += data.progress.text;
    if (event !== "response") continue;
    console.log(data.response.answer?.split("\n")[0]);
    equal(written, data.response.answer);
  }
  const { runId } = await mesh.start("Restart billing now!");
  for await (const { event, data } of mesh.watch(runId)) {
    if (event === "waiting") {
      const [wait] = data.waiting;
      if (wait === undefined) continue;
      console.log(wait.what);
      await mesh.answer(wait, { approve: true });
    }
    if (event === "response") {
      console.log(data.response.answer);
      match(data.response.answer ?? "", /3 of 3/);
    }
  }
}

if (!isCheck) buildPage();
const { router, journal } = openMesh();
const server = await createServer(router, { journal, mounts: { "/chat": serveFile } });
const { url } = await server.listen({ port: isCheck ? 0 : Number(process.env.PORT ?? 4111) });
if (!isCheck) {
  console.log(`The chat page: ${url}/chat  (the console: ${url}/)  Ctrl-C ends it.`);
  await new Promise((resolve) => process.once("SIGINT", resolve).once("SIGTERM", resolve));
} else {
  await check(url);
}
await server.close();
await router.close();
