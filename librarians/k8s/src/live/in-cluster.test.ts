import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rootCertificates } from "node:tls";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeApiServer, startFakeApiServer } from "../../test/fake-api-server.js";
import { fakeCluster } from "../../test/fake-cluster.js";
import { loopback } from "../../test/loopback-certificate.js";
import type { ClusterReader } from "../cluster/cluster-reader.js";
import { createLiveReader } from "./live-reader.js";
import type { LiveReaderOptions } from "./options.js";

describe("a live reader in a pod", () => {
  let server: FakeApiServer;
  let root: string;
  let folder: string;
  let opened: ClusterReader[] = [];

  beforeEach(async () => {
    server = await startFakeApiServer(fakeCluster, {}, loopback);
    root = await mkdtemp(join(tmpdir(), "pod-"));
    folder = join(root, "var/run/secrets/kubernetes.io/serviceaccount");
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "token"), "first");
    await writeFile(join(folder, "ca.crt"), loopback.cert);
    await writeFile(join(folder, "namespace"), "shop");
    const { hostname, port } = new URL(server.url);
    vi.stubEnv("KUBERNETES_SERVICE_HOST", hostname);
    vi.stubEnv("KUBERNETES_SERVICE_PORT", port);
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await Promise.all(opened.map(async (reader) => reader.close?.()));
    opened = [];
    await server.close();
    await rm(root, { recursive: true });
  });

  function open(options: LiveReaderOptions = {}): ClusterReader {
    const reader = createLiveReader({ serviceAccountRoot: root, ...options });
    opened.push(reader);
    return reader;
  }
  const tokens = () => server.requests.map(({ headers }) => headers.authorization);

  it("trusts the authority of the pod, and shows its token", async () => {
    const { items, problem } = await open().list("Node");

    expect(problem).toBeUndefined();
    expect(items).toHaveLength(2);
    expect(tokens()).toEqual(["Bearer first"]);
  });

  it("reads a token again that the cluster does not take any more", async () => {
    const reader = open();
    await reader.list("Node");
    await writeFile(join(folder, "token"), "second");
    server.misbehave(/nodes/, { status: 401 }, "well");

    const { items } = await reader.list("Node");

    expect(items).toHaveLength(2);
    expect(tokens()).toEqual(["Bearer first", "Bearer first", "Bearer second"]);
  });

  it("says so where the authority is another one", async () => {
    await writeFile(join(folder, "ca.crt"), rootCertificates[0] ?? "");

    const { problem } = await open().list("Node");

    expect(problem).toMatchObject({ code: "unavailable" });
    expect(problem?.message).toMatch(/certificate .* not trusted/);
  });

  it("acts as another party with the token of the pod", async () => {
    await open()
      .actingAs?.({ user: "ada", groups: ["ops"] })
      .list("Node");

    expect(server.requests[0]?.headers).toMatchObject({
      authorization: "Bearer first",
      "impersonate-user": "ada",
      "impersonate-group": "ops",
    });
  });

  it("reads its own namespace where it may not read all of them, and says that the others were not read", async () => {
    server.misbehave(/\/api\/v1\/(?:pods|events)\?/, { status: 403 });
    server.misbehave(/events\.k8s\.io\/v1\/events/, { status: 403 });
    const reader = open();
    await reader.list("Node");

    const pods = await reader.list("Pod");
    const events = await reader.events();

    expect(pods.items.length).toBeGreaterThan(0);
    expect(pods.items.every(({ metadata }) => metadata.namespace === "shop")).toBe(true);
    expect(pods.problem?.code).toBe("forbidden");
    expect(events.items.length).toBeGreaterThan(0);
    expect(events.problem?.code).toBe("forbidden");
  });
});
