import { describe, expect, it } from "vitest";
import { ago, crashing, event, namespace, node, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, logs, now, partial: true });
  const { answer = "", metadata, error } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly {
    readonly signal_type: string;
    readonly resource_name: string;
  }[];
  const [first] = facts;
  return { answer, first: `${first?.signal_type ?? error?.code} ${first?.resource_name}` };
}

const notReady = (message: string) => ({
  conditions: [{ type: "Ready", status: "False", reason: "Failed", message }],
});

describe("what a controller reports of its own resource", () => {
  it("leads to the pod behind the Service that it could not call, with that pod's log", async () => {
    const labels = { app: "queue" };
    const { first, answer } = await ask(
      "scaledobject worker does not scale",
      [
        namespace("shop"),
        node("n1"),
        {
          apiVersion: "keda.sh/v1alpha1",
          kind: "ScaledObject",
          metadata: { name: "worker", namespace: "shop" },
          spec: { scaleTargetRef: { name: "worker" } },
          status: notReady("triggers are not working correctly"),
        },
        event(
          "ScaledObject",
          "worker",
          "KEDAScalerFailed",
          "dial tcp 10.96.0.7:9092: connect: connection refused",
        ),
        {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "queue", namespace: "shop" },
          spec: { clusterIP: "10.96.0.7", selector: labels, ports: [{ port: 9092 }] },
        },
        pod({ name: "queue-0", labels, container: crashing }),
      ],
      { "shop/queue-0/web#previous": "ERROR No space left on device\n" },
    );

    expect(first).toBe("CrashLoopBackOff queue-0");
    expect(answer).toContain("No space left");
  });

  it("is a right that its account lacks, with what its role allows", async () => {
    const { first, answer } = await ask("cluster main of shop has no pods", [
      namespace("shop"),
      {
        apiVersion: "cache.example.org/v1",
        kind: "CacheCluster",
        metadata: { name: "main", namespace: "shop" },
        spec: {},
        status: notReady(
          'statefulsets.apps is forbidden: User "system:serviceaccount:ops:cache-operator" cannot create resource "statefulsets" in API group "apps" in the namespace "shop"',
        ),
      },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRole",
        metadata: { name: "cache-operator" },
        rules: [{ apiGroups: ["apps"], resources: ["statefulsets"], verbs: ["get", "list"] }],
      },
      {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "ClusterRoleBinding",
        metadata: { name: "cache-operator" },
        roleRef: { kind: "ClusterRole", name: "cache-operator" },
        subjects: [{ kind: "ServiceAccount", name: "cache-operator", namespace: "ops" }],
      },
    ]);

    expect(first).toBe("RBACDenied main");
    expect(answer).toContain("create");
  });
});

describe("a volume that cannot be attached", () => {
  it("is found by its attachment, where neither the node nor its pod was recorded", async () => {
    const { first, answer } = await ask(
      "why does the disk of orders-db hang in attaching on data-4?",
      [
        {
          apiVersion: "storage.k8s.io/v1",
          kind: "VolumeAttachment",
          metadata: { name: "csi-41c0" },
          spec: {
            attacher: "disk.example.com",
            nodeName: "data-4",
            source: { persistentVolumeName: "pvc-orders-db" },
          },
          status: {
            attached: false,
            attachError: { time: ago(3), message: "the disk is being detached" },
          },
        },
      ],
    );

    expect(first).toBe("FailedAttachVolume csi-41c0");
    expect(answer).toContain("being detached");
  });
});

describe("a pod that was preempted", () => {
  it("is answered with the pod that took its place", async () => {
    const uid = "4ed86d79-e502-43cf-a8d2-39f90112a3a3";
    const taker = pod({
      name: "live-1",
      namespace: "live",
      spec: { priorityClassName: "live-critical" },
    });
    const { answer } = await ask("why was pod batch-1 preempted?", [
      namespace("shop"),
      node("n1"),
      { ...taker, metadata: { name: "live-1", namespace: "live", uid } },
      event("Pod", "batch-1", "Preempted", `Preempted by pod ${uid} on node n1`, {
        type: "Normal",
      }),
    ]);

    expect(answer).toContain("pod live/live-1, of priority class live-critical");
  });
});

describe("a call from outside a mesh", () => {
  it("is cut off by a STRICT PeerAuthentication of the namespace that it goes to", async () => {
    const labels = { app: "stock" };
    const { first } = await ask(
      "importer in namespace legacy cannot talk to stock any more, connection resets",
      [
        namespace("legacy"),
        namespace("stock"),
        node("n1"),
        pod({ name: "importer", namespace: "legacy" }),
        pod({
          name: "stock-1",
          namespace: "stock",
          labels,
          spec: { containers: [{ name: "web" }, { name: "istio-proxy" }] },
        }),
        {
          apiVersion: "v1",
          kind: "Service",
          metadata: { name: "stock", namespace: "stock" },
          spec: { selector: labels, ports: [{ port: 8080 }] },
        },
        {
          apiVersion: "security.istio.io/v1",
          kind: "PeerAuthentication",
          metadata: { name: "default", namespace: "stock" },
          spec: { mtls: { mode: "STRICT" } },
        },
      ],
      { "legacy/importer/web": "ERROR GET http://stock.stock:8080/items: read ECONNRESET\n" },
    );

    expect(first).toBe("MeshPolicyDenied default");
  });
});
