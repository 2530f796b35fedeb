import { setTimeout } from "node:timers/promises";
import type { Librarian } from "@constellation/core";
import { expect, it } from "vitest";
import { type SuiteMesh, untilPresent } from "./suite-mesh.js";

/** What goes to the other process, and what comes back. */
export function itCarriesWhatIsSaid(mesh: SuiteMesh): void {
  it("brings back the whole response, metadata too, as it was given", async () => {
    const response = {
      answer: "é \u2028 <b>as it is</b>",
      confidence: 0.8,
      sources: [{ name: "a", url: "https://example.com/a", relevance: 1 }],
      metadata: {
        workflowSelection: { workflow: "restart", parameters: { replicas: 3, ratio: 1e-7 } },
        facts: [0, 2 ** 53 - 1, null, [], {}, "\u2028"],
      },
    };
    await mesh.start({ selector: async () => response });
    const { router } = await mesh.start({});
    await untilPresent(router, "selector");

    expect(await router.ask("what now?", { to: "selector" })).toEqual(response);
  });

  it("brings query, user, metadata and trace to the other process", async () => {
    const seen: unknown[] = [];
    const librarian: Librarian = async (query, context) => {
      seen.push(query, context?.user, context?.metadata);
      return { answer: "so" };
    };
    await mesh.start({ docs: librarian }, {}, { trustedPeers: "all" });
    const { router } = await mesh.start({});
    await untilPresent(router, "docs");

    await router.ask("why?", { to: "docs", user: { id: "ada" }, metadata: { alert: { x: 1 } } });

    expect(seen).toEqual(["why?", { id: "ada" }, { alert: { x: 1 } }]);
  });

  it("brings the thread to the other process, where it trusts the calling one", async () => {
    const seen: unknown[] = [];
    const librarian: Librarian = async (query, context) => {
      seen.push(context?.thread);
      return { answer: `so: ${query}` };
    };
    await mesh.start({ trusting: librarian }, {}, { trustedPeers: "all" });
    await mesh.start({ doubting: librarian });
    const { router } = await mesh.start({});
    const turn = { runId: "r-1", query: "Why?", answer: "So.", librarians: ["docs"], at: 1 };
    const thread = { id: "t-1", turns: [turn] };
    await untilPresent(router, "trusting");
    await untilPresent(router, "doubting");

    for (const to of ["trusting", "doubting"]) {
      await router.ask("And now?", { to, user: { id: "ada" }, caller: { path: [], thread } });
    }

    expect(seen).toEqual([thread, undefined]);
  });

  it("has no user where the calling process is not trusted", async () => {
    let user: unknown;
    await mesh.start({
      docs: async (_query, context) => {
        user = context?.user;
        return { answer: "so" };
      },
    });
    const { router } = await mesh.start({});
    await untilPresent(router, "docs");

    expect((await router.ask("q", { to: "docs", user: { id: "ada" } })).answer).toBe("so");
    expect(user).toBeUndefined();
  });

  it("reports progress while the other process works", async () => {
    await mesh.start({
      busy: async (_query, context) => {
        context?.report?.("half of it");
        await setTimeout(100); // a link that reorders may let the reply overtake it
        return { answer: "so" };
      },
    });
    const { router } = await mesh.start({});
    await untilPresent(router, "busy");
    const lines: unknown[] = [];
    router.on("hop:progress", ({ progress }) => void lines.push(progress));

    await router.ask("q", { to: "busy" });

    expect(lines).toEqual([{ message: "half of it" }]);
  });

  it("carries a reply that is larger than a message", async () => {
    const blob = "x".repeat(5_000_000);
    await mesh.start({ large: async () => ({ answer: "so", metadata: { blob } }) });
    const { router } = await mesh.start({});
    await untilPresent(router, "large");

    const { metadata } = await router.ask("q", { to: "large" });

    expect(metadata?.blob === blob).toBe(true);
  });

  it("lets the other process ask the caller for something while it works", async () => {
    const { process: worker } = await mesh.start({});
    worker.transport.serve({ id: "busy", description: "works" }, async (call) => {
      const given = [await call.request("hops", { wanted: 2 }), await call.request("hops")];
      const refused = await call.request("money").catch(({ code }: { code: string }) => code);
      return { v: 1, response: { answer: JSON.stringify([...given, refused]) } };
    });
    const { process, router } = await mesh.start({});
    await untilPresent(router, "busy");
    let given = 0;

    const reply = await process.transport.call({
      librarian: "busy",
      effects: "read",
      query: "q",
      envelope: { v: 1, path: [], requestId: `request-${mesh.name}` },
      signal: new AbortController().signal,
      onRequest(kind, body) {
        if (kind !== "hops") throw new RangeError("Only hops are given.");
        return { body, given: ++given };
      },
    });

    expect(reply).toMatchObject({
      response: {
        answer: JSON.stringify([
          { body: { wanted: 2 }, given: 1 },
          { body: null, given: 2 },
          "SERVICE_UNAVAILABLE",
        ]),
      },
    });
  });
}
