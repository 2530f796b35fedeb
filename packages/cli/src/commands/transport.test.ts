import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { hostname } from "node:os";
import { hasNatsServer, startNatsServer } from "@constellation/nats/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { collectingIO, run } from "../../test/run.js";
import { main } from "../command-line.js";

/** Serves the librarian `shop` over one transport, asks it over the other, and lists where it runs. */
async function serveAndAsk(servingTransport: string, askingTransport: string) {
  const controller = new AbortController();
  const there = collectingIO({
    cwd: folderWith({
      ...shopMesh,
      "mesh.yaml": `transport: ${servingTransport}\n${shopMesh["mesh.yaml"]}`,
    }),
    env: {},
    signal: controller.signal,
  });
  let ready: () => void = () => {};
  const serving = new Promise<void>((resolve) => (ready = resolve));
  const stdout = {
    write(text: string) {
      if (text.startsWith("Serving ")) ready();
      return there.stdout.push(text);
    },
  };
  const ended = main(["serve", "--librarian", "shop", "--mesh", "mesh.yaml"], {
    ...there.io,
    stdout,
  });
  await Promise.race([serving, ended.then(() => Promise.reject(new Error(there.stderr.join(""))))]);
  const mesh = `name: town\nentry: shop\ntransport: ${askingTransport}\nlibrarians: []\n`;
  const here = { cwd: folderWith({ "constellation.yaml": mesh }), env: {} };

  const asked = await run(["ask", "bread?"], here);
  const listed = await run(["list"], here);
  const data = JSON.parse((await run(["list", "--json"], here)).stdout) as unknown;
  controller.abort();

  expect(asked.stdout).toContain("12");
  expect(listed.stdout).toContain(`(${process.pid}) since `);
  expect(data).toMatchObject([
    { id: "shop", replicas: [{ host: hostname(), pid: process.pid, since: expect.any(Number) }] },
  ]);
  expect(await ended).toBe(0);
  return there.stdout.join("");
}

describe("a mesh file with a transport", () => {
  it.skipIf(!hasNatsServer())("brings in what another process serves over NATS", async () => {
    const server = await startNatsServer();
    onTestFinished(() => server.stop());

    const printed = await serveAndAsk(server.url, `{ nats: { servers: "${server.url}" } }`);

    expect(printed).toContain(`Serving shop to the mesh town over ${server.url}`);
  });

  it("brings in what another process serves over HTTP", async () => {
    const port = await freePort();

    const printed = await serveAndAsk(
      `{ http: { listen: { port: ${port} } }, trustedPeers: all }`,
      `http://127.0.0.1:${port}`,
    );

    expect(printed).toContain("Serving shop to the mesh town over http");
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // of a server that listens on TCP
  server.close();
  await once(server, "close");
  return port;
}

describe.skipIf(!hasNatsServer())("the mesh files of the guide to many machines", () => {
  it("open as they are, but for the address", async () => {
    const guide = readFileSync(
      new URL("../../../../docs/guides/scale.md", import.meta.url),
      "utf8",
    );
    const files = [...guide.matchAll(/```yaml\n(# [^\n]*constellation\.yaml[^`]*)```/g)];
    const server = await startNatsServer();
    onTestFinished(() => server.stop());

    expect(files).toHaveLength(2);
    for (const [, file = ""] of files) {
      const cwd = folderWith({
        "constellation.yaml": file.replace("nats://nats.example.com:4222", server.url),
        "runbooks/billing.md": "# Billing\n\nRestart it.\n",
      });
      expect(await run(["list"], { cwd, env: {} })).toMatchObject({ exitCode: 0 });
    }
  });
});

describe("the key transport of a mesh file", () => {
  it.each([
    [
      "transport: nats://127.0.0.1:1\nlibrarians: []\n",
      "transport nats://127.0.0.1:1: No connection",
    ],
    [
      "transport: ftp://x\nlibrarians: []\n",
      "constellation.yaml:1:12: transport: expected an address",
    ],
    [
      "transport: { servers: nats://x }\nlibrarians: []\n",
      "constellation.yaml:1:14: transport.servers: unknown key. Valid keys: nats, http, trustedPeers.",
    ],
    [
      "transport: { nats: { servers: nats://x }, http: {} }\nlibrarians: []\n",
      "transport: expected",
    ],
    [
      "transport: { nats: { servers: nats://x, server: 1 } }\nlibrarians: []\n",
      'constellation.yaml:1:41: transport.nats.server: unknown key. Did you mean "servers"?',
    ],
    [
      "transport: { http: { peers: [http://x], token: hunter2 } }\nlibrarians: []\n",
      "1:48: transport.http.token: expected 16 characters or more, got a text that is not shown.",
    ],
    [
      "transport: { http: {} }\nlibrarians: []\n",
      "transport.http.peers: expected an address, or `listen`, got nothing.",
    ],
    [
      "secrets: { reason: [a] }\n" + "librarians: [{ use: ./x.js }]\n",
      'secrets: "reason" is recorded',
    ],
    ["librarians: []\n", "expected at least one librarian"],
  ])("is refused when it is %j, with its place", async (file, problem) => {
    const cwd = folderWith({ "constellation.yaml": file });

    const { exitCode, stderr } = await run(["list"], { cwd, env: {} });

    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(problem);
  });
});
