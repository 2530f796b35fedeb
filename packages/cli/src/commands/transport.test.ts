import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { hasNatsServer, type NatsServer, startNatsServer } from "@constellation/nats/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { folderWith, shopMesh } from "../../test/folder.js";
import { collectingIO, run } from "../../test/run.js";
import { main } from "../command-line.js";

describe.skipIf(!hasNatsServer())("a mesh file with a transport", () => {
  let server: NatsServer | undefined;

  beforeAll(async () => {
    server = await startNatsServer();
  });

  afterAll(() => server?.stop());

  it("brings in what another process serves with --librarian", async () => {
    const controller = new AbortController();
    const there = collectingIO({
      cwd: folderWith({
        ...shopMesh,
        "mesh.yaml": `transport: ${server?.url}\n${shopMesh["mesh.yaml"]}`,
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
    await Promise.race([
      serving,
      ended.then(() => Promise.reject(new Error(there.stderr.join("")))),
    ]);
    const here = { cwd: folderWith({ "constellation.yaml": meshHere(server?.url) }), env: {} };

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
    expect(there.stdout.join("")).toContain(`Serving shop to the mesh town over ${server?.url}`);
  });
});

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
    ["transport: http://x\nlibrarians: []\n", "servers"],
    ["transport: { servers: nats://x, more: 1 }\nlibrarians: []\n", "transport"],
    ["librarians: []\n", "expected at least one librarian"],
  ])("is refused when it is %j, with its place", async (file, problem) => {
    const cwd = folderWith({ "constellation.yaml": file });

    const { exitCode, stderr } = await run(["list"], { cwd, env: {} });

    expect(exitCode).not.toBe(0);
    expect(stderr).toContain(problem);
  });
});

function meshHere(url: string | undefined): string {
  return `name: town\nentry: shop\ntransport: ${url}\nlibrarians: []\n`;
}
