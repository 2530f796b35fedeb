import { hostname } from "node:os";
import type { Librarian } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { echo, serveMesh } from "./served-mesh.js";

const call = { v: 1, path: [{ mesh: "a", id: "front" }], requestId: "r".repeat(16), runId: "root" };
const forMesh = { headers: { "constellation-envelope": "1" } };

describe("POST /ask from another mesh", () => {
  it("is a loop when the call comes back to a librarian of its path, which is not called", async () => {
    const mesh = await serveMesh({ echo }, {}, { name: "b" });
    const path = [...call.path, { mesh: "b", id: "echo" }];

    const reply = await mesh.post("/ask", { query: "q", call: { ...call, path } });

    expect(reply.status).toBe(508);
    expect(await reply.json()).toMatchObject({
      error: { code: "LOOP_DETECTED", details: { path: ["a/front", "b/echo", "b/echo"] } },
    });
  });

  it("ends no later than its caller, and gets the caller's metadata", async () => {
    let remaining = 0;
    let metadata: unknown;
    const librarian: Librarian = async (_query, context) => {
      remaining = context?.remainingMs?.() ?? 0;
      metadata = context?.metadata;
      return { answer: "so" };
    };
    const mesh = await serveMesh({ librarian });

    await mesh.post("/ask", {
      query: "q",
      metadata: { own: 1 },
      call: { ...call, remainingMs: 5_000, metadata: { alert: { name: "x" }, own: 0 } },
    });

    expect(remaining).toBeGreaterThan(0);
    expect(remaining).toBeLessThanOrEqual(5_000);
    expect(metadata).toEqual({ alert: { name: "x" }, own: 1 });
  });

  it("gets the whole reply in an envelope where it asks for that, with what was used", async () => {
    const metadata = { workflowSelection: { workflow: "restart", parameters: { replicas: 3 } } };
    const mesh = await serveMesh(
      { docs: async () => ({ answer: "so", metadata }) },
      {},
      { name: "b" },
    );

    const reply = await mesh.post("/ask", { query: "q", call }, forMesh);

    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({
      v: 1,
      requestId: call.requestId,
      response: { answer: "so", metadata },
      report: {
        run: { mesh: "b", host: hostname(), hops: [{ to: "docs", outcome: "answer" }] },
        spent: { hops: 1, tokens: 0 },
        unsettled: [],
      },
    });
  });

  it("is made for the caller's user where the caller is a trusted peer, else for the caller itself", async () => {
    const users: unknown[] = [];
    const librarian: Librarian = async (_query, context) => {
      users.push(context?.user?.id);
      return { answer: "so" };
    };
    const token = "a-token-of-mesh-a-0001";
    const auth = { tokens: [{ token, user: { id: "mesh-a" } }] };
    const body = { query: "q", call: { ...call, user: { id: "ada" } } };
    const init = { headers: { authorization: `Bearer ${token}` } };
    for (const trustedPeers of [["mesh-a"], []]) {
      const mesh = await serveMesh({ librarian }, { auth, trustedPeers });
      await mesh.post("/ask", body, init);
    }

    expect(users).toEqual(["ada", "mesh-a"]);
  });

  it.each([
    [{ ...call, v: 2 }, 400, "v: expected 1"],
    [{ ...call, hopsLeft: "all" }, 400, "hopsLeft"],
    [{ ...call, remainingMs: 0 }, 504, "no time left"],
    ["path", 400, "call: expected an object"],
  ])(
    "is refused when its envelope is %j, and no librarian is called",
    async (envelope, status, problem) => {
      let calls = 0;
      const mesh = await serveMesh({
        librarian: async () => {
          calls++;
          return { answer: "so" };
        },
      });

      const reply = await mesh.post("/ask", { query: "q", call: envelope });

      expect(reply.status).toBe(status);
      expect(await reply.text()).toContain(problem);
      expect(calls).toBe(0);
    },
  );
});
