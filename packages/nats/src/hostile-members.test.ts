import { createRouter, type Librarian } from "@constellation/core";
import { serveLibrarians } from "@constellation/transport";
import { connect, type NatsConnection, nuid } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { serverConfiguration } from "../test/server-configuration.js";
import { createNatsTransport } from "./index.js";
import { hasNatsServer, type NatsServer, startNatsServer } from "./testing.js";

/** Two honest members, and one of each role that is not. */
const configuration = serverConfiguration("shop", [
  { name: "docs", serves: ["docs", "deploy"] },
  { name: "hr", calls: ["docs", "deploy"] },
  { name: "caller", calls: ["docs", "deploy"] },
  { name: "librarian", serves: ["weather"] },
  { name: "both", serves: ["weather"], calls: ["docs", "deploy"] },
]);

/** Subjects on which others speak. */
const ofOthers = [
  ">",
  "mesh.>",
  "mesh.shop.>",
  "mesh.shop.call.>",
  "mesh.shop.call.docs.*.*",
  "mesh.shop.call.docs.>",
  "mesh.shop.find.docs.*",
  "mesh.shop.inbox.>",
  "mesh.shop.inbox.hr.>",
  "mesh.shop.ping.docs.*",
  "mesh.shop.pong.hr.>",
  "$KV.>",
  "$KV.mesh-shop-claims-a.>",
  "$JS.>",
  "$JS.API.>",
  "_INBOX.>",
];

/** What only others, or an administrator, may publish. */
const forOthers = [
  "mesh.shop.call.docs.any-node.hr",
  "mesh.shop.find.docs.hr",
  "mesh.shop.member.all.docs",
  "mesh.shop.member.all.deploy",
  "mesh.shop.who.hr",
  "$KV.mesh-shop-claims-a.docs.hr.a-call",
  "$JS.API.STREAM.CREATE.spy",
  "$JS.API.STREAM.UPDATE.KV_mesh-shop-claims-a",
  "$JS.API.STREAM.DELETE.KV_mesh-shop-claims-a",
  "$JS.API.STREAM.PURGE.KV_mesh-shop-claims-a",
  "$JS.API.STREAM.MSG.GET.KV_mesh-shop-claims-a",
  "$JS.API.STREAM.MSG.DELETE.KV_mesh-shop-claims-a",
  "$JS.API.CONSUMER.CREATE.KV_mesh-shop-claims-a",
  "$JS.API.CONSUMER.CREATE.KV_mesh-shop-claims-a.spy.>",
  "$JS.API.CONSUMER.DURABLE.CREATE.KV_mesh-shop-claims-a.spy",
  "$JS.API.DIRECT.GET.KV_mesh-shop-claims-a",
  "$JS.API.DIRECT.GET.KV_mesh-shop-claims-a.$KV.mesh-shop-claims-a.docs.hr.a-call",
];

describe.skipIf(!hasNatsServer())("a hostile member", () => {
  let server: NatsServer | undefined;

  beforeAll(async () => {
    server = await startNatsServer(configuration);
    const { makeClaimsBuckets } = await import("./nats-claims.js");
    const administrator = await connectAs("admin");
    await makeClaimsBuckets(administrator, "shop");
    await administrator.close();
  });

  afterAll(() => server?.stop());

  function connectAs(name: string): Promise<NatsConnection> {
    const inboxPrefix = name === "admin" ? "_INBOX" : `mesh.shop.inbox.${name}`;
    const pass = `${name}-password`;
    return connect({ servers: server?.url ?? "", user: name, pass, inboxPrefix });
  }

  async function open(name: string, librarians: Record<string, Librarian> = {}) {
    const transport = createNatsTransport({
      servers: server?.url ?? "",
      mesh: "shop",
      caller: name,
      credentials: { user: name, password: `${name}-password` },
      presenceMs: 100,
    });
    const router = createRouter({ transport, timeoutMs: 10_000 });
    for (const [id, librarian] of Object.entries(librarians)) {
      const effects = id === "deploy" ? "write" : "read";
      router.register({ id, description: `answers as ${id}`, librarian, effects });
    }
    serveLibrarians(router, transport, {
      librarians: Object.keys(librarians),
      trustedPeers: ["hr"],
    });
    onTestFinished(() => router.close());
    await router.open();
    return { router, transport };
  }

  /** Two that ask and answer what no one else may read. */
  async function openHonest() {
    const users: unknown[] = [];
    const answer: Librarian = async (_query, context) => {
      users.push(context?.user?.id);
      return { answer: "the salary of ann: 100" };
    };
    const docs = await open("docs", { docs: answer, deploy: answer });
    const hr = await open("hr");
    const ask = (to: string) => hr.router.ask("token=abc", { to, user: { id: "ann" } });
    return { hr, docs, users, ask };
  }

  describe.each(["caller", "librarian", "both"])("with the rights of a %s", (role) => {
    it("reads neither questions nor answers of others", async () => {
      const { ask } = await openHonest();
      const spy = await connectAs(role);
      onTestFinished(() => spy.close());
      const seen: string[] = [];
      const refused = new Set<string>();
      for (const subject of ofOthers) {
        spy.subscribe(subject, {
          callback: (error, message) => {
            if (error === null) seen.push(message.string());
            else refused.add(subject);
          },
        });
      }
      await spy.flush();

      expect((await ask("docs")).answer).toContain("100");
      expect((await ask("deploy")).answer).toContain("100");
      await spy.flush();

      expect([...refused].sort()).toEqual([...ofOthers].sort());
      expect(seen.filter((text) => /salary|token|ann/.test(text))).toEqual([]);
    });

    it("neither speaks for others, nor removes them, nor has a stream made", async () => {
      const { hr, docs, users, ask } = await openHonest();
      const forger = await connectAs(role);
      onTestFinished(() => forger.close());
      const refused = new Set<string>();
      void (async () => {
        for await (const status of forger.status()) {
          if (status.type !== "error") continue;
          const subject = /Violation for Publish to "(.*?)"/i.exec(status.error.message)?.[1];
          if (subject !== undefined) refused.add(subject);
        }
      })();
      const [node = ""] = hr.transport.replicas("docs").map(({ id }) => id);
      const left = `${JSON.stringify({ t: "left", node, change: 1e9, count: 0 })}\n`;
      const call = `${JSON.stringify({ t: "call", v: 1, id: nuid.next(), from: nuid.next() })}\n{"query":"forged"}`;
      for (const subject of forOthers) {
        const reply = `mesh.shop.inbox.${role}.${nuid.next()}`;
        forger.publish(subject, subject.includes("member") ? left : call, { reply });
      }
      forger.publish(`mesh.shop.call.docs.${node}.hr`, call, { reply: "mesh.shop.inbox.hr.x" });
      await forger.flush();
      await expect.poll(() => forOthers.filter((subject) => !refused.has(subject))).toEqual([]);

      expect((await ask("docs")).answer).toContain("100");
      expect((await ask("deploy")).answer).toContain("100");
      expect(users).toEqual(["ann", "ann"]);
      expect(docs.router.list().map(({ id }) => id)).toContain("docs");
      expect(
        hr.router
          .list()
          .map(({ id }) => id)
          .sort(),
      ).toEqual(["deploy", "docs"]);
    });
  });

  it("cannot have the server say for it what it may not say itself", async () => {
    const { hr, ask } = await openHonest();
    const forger = await connectAs("caller");
    onTestFinished(() => forger.close());
    const [node = ""] = hr.transport.replicas("docs").map(({ id }) => id);
    const left = `${JSON.stringify({ t: "left", node, change: 1e9, count: 0 })}\n`;
    const key = "$KV.mesh-shop-claims-a.docs.caller.a-forged-announcement";
    await forger.request(key, left, { timeout: 5_000 }); // its own claim may hold anything

    // The server sends what it stores to any subject that a request names for the reply.
    forger.publish(`$JS.API.DIRECT.GET.KV_mesh-shop-claims-a.${key}`, "", {
      reply: "mesh.shop.member.all.docs",
    });
    await forger.flush();
    await new Promise((resolve) => setTimeout(resolve, 300));

    expect(hr.router.list().map(({ id }) => id)).toContain("docs");
    expect((await ask("docs")).answer).toContain("100");
  });

  it("cannot answer in another's place", async () => {
    const { ask } = await openHonest();
    const { router } = await open("librarian", { weather: async () => ({ answer: "rain" }) });
    const impostor = await connectAs("librarian");
    onTestFinished(() => impostor.close());
    // It may publish to inboxes, as those that answer do, and guesses.
    const forged = `${JSON.stringify({ t: "result", id: "a-call-of-another", a: 1 })}\n${JSON.stringify({ v: 1, response: { answer: "forged" } })}`;
    const flood = setInterval(() => impostor.publish("mesh.shop.inbox.hr.a.b", forged), 1);
    onTestFinished(() => clearInterval(flood));

    for (let count = 0; count < 20; count++) expect((await ask("docs")).answer).toContain("100");
    expect((await router.ask("q", { to: "weather" })).answer).toBe("rain");
  });
});
