import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeApiServer, startFakeApiServer } from "../../test/fake-api-server.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

const labels = { app: "checkout" };

function pod(
  name: string,
  namespace: string,
  own: Readonly<Record<string, string>>,
  owner: string,
) {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels: own,
      ownerReferences: [{ kind: "ReplicaSet", name: owner }],
    },
    spec: {
      nodeName: "n1",
      containers: [
        {
          name: "web",
          envFrom: [{ configMapRef: { name: "settings" } }],
          resources: { limits: { memory: "512Mi" } },
        },
      ],
    },
    status: {
      phase: "Running",
      containerStatuses: [
        {
          name: "web",
          ready: false,
          restartCount: 4,
          state: { waiting: { reason: "CrashLoopBackOff" } },
          lastState: { terminated: { reason: "OOMKilled", exitCode: 137 } },
        },
      ],
    },
  };
}

const objects = [
  { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
  {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "n1" },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  },
  {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "settings", namespace: "shop" },
    data: { A: "1" },
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "checkout", namespace: "shop", labels },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels } } },
    status: { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 },
  },
  {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: "checkout-1",
      namespace: "shop",
      labels,
      ownerReferences: [{ kind: "Deployment", name: "checkout" }],
    },
    spec: { replicas: 1 },
  },
  pod("checkout-1-a", "shop", labels, "checkout-1"),
  ...Array.from({ length: 20 }, (_, index) =>
    pod(`other-${index}`, "shop", { app: "other" }, "other-1"),
  ),
];

describe("a question about one object of a live cluster", () => {
  let server: FakeApiServer;
  beforeEach(async () => {
    server = await startFakeApiServer({
      objects,
      events: [],
      newerEvents: [],
      logs: {},
      podMetrics: [],
      nodeMetrics: [],
    });
  });
  afterEach(() => server.close());

  it.each([
    "Why does deployment checkout in namespace shop keep restarting?",
    "Why does checkout keep restarting?",
  ])("%s reads that, what belongs to it and what it uses, each once", async (question) => {
    const { librarian, close } = createK8sLibrarian({ kubeconfig: server.kubeconfig });
    const { answer } = await librarian(question);
    await close?.(AbortSignal.timeout(1_000));

    const urls = server.requests.map(({ url }) => decodeURIComponent(url));
    expect(answer).toContain("OOMKilled");
    expect(new Set(urls).size).toBe(urls.length);
    const lists = urls.filter((url) => /\/(?:pods|replicasets|events)\?/.test(url));
    expect(lists.length).toBeGreaterThan(0);
    expect(lists.filter((url) => !/(?:label|field)Selector=/.test(url))).toEqual([]);
    expect(urls.filter((url) => /\/configmaps/.test(url))).toEqual([
      "/api/v1/namespaces/shop/configmaps/settings",
    ]);
  });

  it("is answered from everything where the name is only a part of one", async () => {
    const { librarian, close } = createK8sLibrarian({ kubeconfig: server.kubeconfig });
    const { answer } = await librarian("Why does check in shop keep restarting?");
    await close?.(AbortSignal.timeout(1_000));

    expect(answer).toContain("OOMKilled");
    expect(server.requests.some(({ url }) => /\/pods\?limit/.test(url))).toBe(true);
  });
});
