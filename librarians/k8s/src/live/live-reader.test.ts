import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeApiServer, startFakeApiServer } from "../../test/fake-api-server.js";
import { fakeCluster } from "../../test/fake-cluster.js";
import { itReadsACluster } from "../../test/reader-contract.js";
import type { ClusterReader } from "../cluster/cluster-reader.js";
import { createLiveReader } from "./live-reader.js";
import type { LiveReaderOptions } from "./options.js";

describe("createLiveReader", () => {
  itReadsACluster(async (cluster) => {
    const server = await startFakeApiServer(cluster);
    const reader = createLiveReader({ kubeconfig: server.kubeconfig, pageSize: 3 });
    return {
      reader,
      async close() {
        await reader.close?.();
        await server.close();
      },
    };
  });
});

describe("a live reader", () => {
  beforeAll(async () => {
    // Its loading takes longer than the deadlines here.
    await import("@kubernetes/client-node");
  });
  let server: FakeApiServer;
  let opened: ClusterReader[] = [];
  beforeEach(async () => {
    server = await startFakeApiServer(fakeCluster);
  });
  afterEach(async () => {
    await Promise.all(opened.map(async (reader) => reader.close?.()));
    opened = [];
    await expect.poll(() => server.openSockets()).toBe(0);
    await server.close();
  });

  function open(options: LiveReaderOptions = {}): ClusterReader {
    const reader = createLiveReader({
      kubeconfig: server.kubeconfig,
      pageSize: 3,
      requestTimeoutMs: 400,
      timeoutMs: 1_500,
      ...options,
    });
    opened.push(reader);
    return reader;
  }

  it("asks with GET only, and with the token of the kubeconfig", async () => {
    const reader = open();
    await reader.list("Pod");
    await reader.events();
    await reader.usage();
    await reader.logs({ namespace: "shop", pod: "api-1", container: "web" });

    expect(new Set(server.requests.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(server.requests.every(({ headers }) => headers.authorization === "Bearer letmein")).toBe(
      true,
    );
    expect(server.requests.some(({ url }) => url.includes("secrets"))).toBe(false);
  });

  it("connects to nothing before the first read", () => {
    const reader = open();

    expect(reader.describe()).toBe("cluster");
    expect(server.requests).toEqual([]);
  });

  it("knows a kind that is not there from an object that is not there", async () => {
    const reader = open();

    expect(await reader.get("Pod", "shop", "absent")).toEqual({});
    expect((await reader.get("GatewayClass", undefined, "x")).problem?.code).toBe("notFound");
    expect((await reader.list("GatewayClass")).problem?.code).toBe("notFound");
  });

  it("needs only one of the two event APIs", async () => {
    server.misbehave(/\/api\/v1\/events/, { status: 403 });
    const reader = open();

    expect(await reader.events()).toMatchObject({
      items: [{ reason: "FailedScheduling" }, { reason: "BackOff" }],
    });
    expect((await reader.events()).problem).toBeUndefined();

    server.misbehave(/events/, { status: 403 });
    expect((await reader.events()).problem?.code).toBe("forbidden");
  });

  it("keeps names inside their place in the path", async () => {
    const reader = open();
    await reader.get("Pod", "..", "../../secrets/db");
    await reader.get("Pod", "shop", "..");
    await reader.get("Pod", "shop", "");
    await reader.list("Pod", { namespace: "." });
    await reader.logs({
      namespace: "shop",
      pod: "a/../../secrets/db?x=",
      container: "&previous=1",
    });

    for (const { url } of server.requests) {
      expect(url).toMatch(
        /^\/api\/v1\/namespaces\/[^/.]+[^/]*\/pods(\/[^/]+(\/log\?container=%26previous%3D1&.*)?|\?limit=3)$/,
      );
      expect(url).not.toMatch(/\/secrets\//);
    }
  });

  it("acts as another party when it is asked to, and refuses names that are not headers", async () => {
    await open({ impersonate: { user: "bob", groups: ["dev", "ops"] } }).list("Node");
    await open().actingAs?.({ user: "eve" }).list("Node");

    expect(server.requests.map(({ headers }) => headers["impersonate-user"])).toEqual([
      "bob",
      "eve",
    ]);
    expect(server.requests[0]?.headers["impersonate-group"]).toBe("dev, ops");
    expect(() => open({ impersonate: { user: "bob\r\nx: y" } })).toThrow(TypeError);
    expect(() => open({ impersonate: { user: "" } })).toThrow(TypeError);
  });

  it("reads only the kinds and namespaces it may", async () => {
    const reader = open({ kinds: ["Pod", "Node"], namespaces: ["bank"] });

    expect((await reader.list("Pod")).items).toHaveLength(1);
    expect((await reader.list("Node")).items).toHaveLength(2);
    expect((await reader.list("Pod", { namespace: "shop" })).problem?.code).toBe("notAllowed");
    expect((await reader.get("Pod", "shop", "api-1")).problem?.code).toBe("notAllowed");
    expect((await reader.list("Service")).problem?.code).toBe("notAllowed");
    expect((await reader.events()).problem?.code).toBe("notAllowed");
    expect((await reader.logs({ namespace: "bank", pod: "x" })).problem?.code).toBe("notAllowed");
    expect(server.requests.map(({ url }) => url.replace(/\?.*/, ""))).toEqual([
      "/api/v1/namespaces/bank/pods",
      "/api/v1/nodes",
    ]);
  });

  it("says what is wrong with an option", () => {
    expect(() => createLiveReader({ timeoutMs: 0 })).toThrow("timeoutMs: expected an integer");
    expect(() => createLiveReader({ pageSize: 1.5 })).toThrow("got 1.5");
  });
});

describe("a live reader with an exec plugin", () => {
  it("runs the plugin once for many reads, and again when the cluster does not know the token", async () => {
    const credential = {
      apiVersion: "client.authentication.k8s.io/v1",
      kind: "ExecCredential",
      status: { token: "from-plugin" },
    };
    const server = await startFakeApiServer(fakeCluster, {
      exec: {
        apiVersion: "client.authentication.k8s.io/v1",
        command: process.execPath,
        args: ["-e", `console.log(${JSON.stringify(JSON.stringify(credential))})`],
        interactiveMode: "Never",
      },
    });
    const reader = createLiveReader({ kubeconfig: server.kubeconfig });
    server.misbehave(/nodes/, { status: 401 }, "well");

    const { items } = await reader.list("Node");
    await reader.list("Pod");

    expect(items).toHaveLength(2);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(
      Array(3).fill("Bearer from-plugin"),
    );
    await reader.close?.();
    await server.close();
  });
});
