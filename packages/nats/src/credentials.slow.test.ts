import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRouter, type Router } from "@constellation/core";
import { serveLibrarians } from "@constellation/transport";
import { nkeys } from "@nats-io/transport-node";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAuthority, createOperator } from "../test/credentials.js";
import { createNatsTransport, type NatsTransportOptions } from "./index.js";
import { hasNatsServer, startNatsServer } from "./testing.js";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "constellation-credentials-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function serverWith(configuration: string): Promise<string> {
  const server = await startNatsServer(configuration);
  onTestFinished(() => server.stop());
  return server.url;
}

/** A process that serves `docs` where it has an answer, and asks. */
async function open(options: NatsTransportOptions, answer?: string): Promise<Router> {
  const transport = createNatsTransport({ mesh: "shop", ...options });
  const router = createRouter({ transport });
  if (answer !== undefined) {
    router.register({ id: "docs", description: "docs", librarian: async () => ({ answer }) });
    serveLibrarians(router, transport);
  }
  onTestFinished(() => router.close());
  await router.open();
  return router;
}

const answerOf = async (router: Router) => (await router.ask("q", { to: "docs" })).answer;

describe.skipIf(!hasNatsServer())("a server that wants to know who connects", () => {
  it("is reached with TLS and a certificate of its own authority, and not without", async () => {
    const folder = newFolder();
    const authority = createAuthority(folder);
    const { certFile, keyFile } = authority.issue("server");
    const servers = await serverWith(
      `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${authority.caFile}", verify: true }`,
    );
    const tls = { caFile: authority.caFile, ...authority.issue("docs") };

    await open({ servers, tls }, "over TLS");

    expect(await answerOf(await open({ servers, tls }))).toBe("over TLS");
    for (const wrong of [
      undefined, // an authority that the system does not know
      { caFile: authority.caFile }, // no certificate
    ]) {
      await expect(open({ servers, tls: wrong })).rejects.toMatchObject({
        code: expect.stringMatching(/^(SERVICE_UNAVAILABLE|UNAUTHORIZED)$/),
      });
    }
  });

  it("knows users by an nkey", async () => {
    const key = nkeys.createUser();
    const nkeyFile = join(newFolder(), "docs.nk");
    writeFileSync(nkeyFile, `${new TextDecoder().decode(key.getSeed())}\n`);
    const servers = await serverWith(`authorization { users = [{ nkey: ${key.getPublicKey()} }] }`);

    const router = await open({ servers, credentials: { nkeyFile } }, "by its key");

    expect(await answerOf(router)).toBe("by its key");
    await expect(open({ servers })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });

  it("keeps the meshes of two accounts apart, by their .creds files", async () => {
    const folder = newFolder();
    const operator = createOperator(folder);
    const [shop, bank] = [operator.account("SHOP"), operator.account("BANK")];
    const servers = await serverWith(operator.configuration());
    const as = (file: string) => ({ servers, credentials: { file } });

    await open(as(shop("shop-docs")), "for the shop");
    const desk = await open(as(shop("shop-desk")));
    const stranger = await open(as(bank("bank-desk")));

    expect(await answerOf(desk)).toBe("for the shop");
    expect(stranger.list()).toEqual([]);
    const { error } = await stranger.ask("q", { to: "docs" });
    expect(error?.code).toBe("NOT_FOUND");
  });
});
