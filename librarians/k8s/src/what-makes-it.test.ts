import { describe, expect, it } from "vitest";
import { ago, crashing, deployment, event, namespace, node, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, logs, now, partial: true });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly {
    readonly signal_type: string;
    readonly resource_name: string;
  }[];
  return { answer, first: `${facts[0]?.signal_type} ${facts[0]?.resource_name}` };
}

/** A pod that waits for a Secret. */
const waiting = [
  namespace("shop"),
  node("n1"),
  ...deployment("web", { ready: 0 }),
  pod({
    name: "web-5d9-a",
    owner: ["ReplicaSet", "web-5d9"],
    phase: "Pending",
    spec: { volumes: [{ name: "tls", secret: { secretName: "web-tls" } }] },
    status: {
      containerStatuses: [
        {
          name: "web",
          ready: false,
          restartCount: 0,
          state: { waiting: { reason: "ContainerCreating" } },
        },
      ],
    },
  }),
  event(
    "Pod",
    "web-5d9-a",
    "FailedMount",
    'MountVolume.SetUp failed for volume "tls" : secret "web-tls" not found',
  ),
];
const notReady = (reason: string, message: string) => ({
  conditions: [{ type: "Ready", status: "False", reason, message }],
});

describe("a Secret that an extension should have made", () => {
  it("leads to the issuer of its Certificate", async () => {
    const { first, answer } = await ask("why does web not start?", [
      ...waiting,
      {
        apiVersion: "cert-manager.io/v1",
        kind: "Certificate",
        metadata: { name: "web-cert", namespace: "shop" },
        spec: { secretName: "web-tls", issuerRef: { name: "internal", kind: "ClusterIssuer" } },
        status: notReady("DoesNotExist", "Issuing certificate as Secret does not exist"),
      },
      {
        apiVersion: "cert-manager.io/v1",
        kind: "ClusterIssuer",
        metadata: { name: "internal" },
        spec: { vault: {} },
        status: notReady("VaultError", "403 permission denied"),
      },
    ]);

    expect(first).toBe("CertificateNotReady internal");
    expect(answer).toContain("permission denied");
  });

  it("leads to the resource that names it as its target, and to what its event says", async () => {
    const { first, answer } = await ask("why does web not start?", [
      ...waiting,
      {
        apiVersion: "external-secrets.io/v1",
        kind: "ExternalSecret",
        metadata: { name: "tls-from-store", namespace: "shop" },
        spec: { target: { name: "web-tls" } },
        status: notReady("SecretSyncedError", "could not get secret data from provider"),
      },
      event(
        "ExternalSecret",
        "tls-from-store",
        "UpdateFailed",
        "AccessDeniedException: not authorized to read prod/web",
      ),
    ]);

    expect(first).toBe("MissingReference tls-from-store");
    expect(answer).toContain("AccessDeniedException");
  });
});

describe("an init container that does not end", () => {
  it("leads to the Job that it names, with the log of the Job's pods", async () => {
    const { first, answer } = await ask(
      "web hangs in Init",
      [
        namespace("shop"),
        node("n1"),
        ...deployment("web", { ready: 0 }),
        pod({
          name: "web-5d9-a",
          owner: ["ReplicaSet", "web-5d9"],
          phase: "Pending",
          spec: {
            initContainers: [{ name: "wait", image: "wait:1", args: ["job", "migrate-31"] }],
          },
          status: {
            initContainerStatuses: [
              {
                name: "wait",
                ready: false,
                restartCount: 0,
                state: { running: { startedAt: ago(30) } },
              },
            ],
          },
        }),
        {
          apiVersion: "batch/v1",
          kind: "Job",
          metadata: { name: "migrate-31", namespace: "shop" },
          spec: { backoffLimit: 0 },
          status: {
            failed: 1,
            conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }],
          },
        },
        pod({
          name: "migrate-31-x",
          owner: ["Job", "migrate-31"],
          phase: "Failed",
          container: { ready: false, state: { terminated: { exitCode: 1, reason: "Error" } } },
        }),
      ],
      { "shop/migrate-31-x/web": 'ERROR: column "isbn" already exists\n' },
    );

    expect(first).toBe("JobFailed migrate-31");
    expect(answer).toContain("already exists");
    expect(answer).toContain("init container wait of pod web-5d9-a waits for it");
  });
});

describe("a resource that a plugin offers", () => {
  it("leads to the plugin that fails on the node without it", async () => {
    const offering = (name: string, count: string) => ({
      ...node(name),
      status: {
        allocatable: { "example.com/gpu": count },
        conditions: [{ type: "Ready", status: "True" }],
      },
    });
    const { first, answer } = await ask("pod render-1 waits for a gpu", [
      namespace("shop"),
      offering("n1", "1"),
      offering("n2", "0"),
      pod({
        name: "render-1",
        phase: "Pending",
        node: "",
        container: {},
        containerSpec: { resources: { limits: { "example.com/gpu": "1" } } },
        status: {
          conditions: [
            {
              type: "PodScheduled",
              status: "False",
              reason: "Unschedulable",
              message: "0/2 nodes are available: 2 Insufficient example.com/gpu.",
            },
          ],
        },
      }),
      {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "example-gpu-plugin", namespace: "gpu" },
        spec: {},
        status: { desiredNumberScheduled: 2, numberReady: 1 },
      },
      pod({
        name: "example-gpu-plugin-a",
        namespace: "gpu",
        owner: ["DaemonSet", "example-gpu-plugin"],
      }),
      pod({
        name: "example-gpu-plugin-b",
        namespace: "gpu",
        node: "n2",
        owner: ["DaemonSet", "example-gpu-plugin"],
        container: crashing,
      }),
    ]);

    expect(first).toBe("CrashLoopBackOff example-gpu-plugin-b");
    expect(answer).toContain("node n2 offers no example.com/gpu");
  });
});

describe("a route of a mesh to a subset", () => {
  it("without pods leads to the workload that is scaled to zero", async () => {
    const labels = { app: "web", version: "v2" };
    const { first, answer } = await ask("service web gives 503", [
      namespace("shop"),
      node("n1"),
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web", namespace: "shop" },
        spec: { selector: { app: "web" }, ports: [{ port: 80 }] },
      },
      pod({ name: "web-v1-a", labels: { app: "web", version: "v1" } }),
      {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata: { name: "web-v2", namespace: "shop" },
        spec: {
          replicas: 0,
          selector: { matchLabels: labels },
          template: { metadata: { labels } },
        },
        status: {},
      },
      {
        apiVersion: "networking.istio.io/v1",
        kind: "DestinationRule",
        metadata: { name: "web", namespace: "shop" },
        spec: { host: "web", subsets: [{ name: "v2", labels: { version: "v2" } }] },
      },
      {
        apiVersion: "networking.istio.io/v1",
        kind: "VirtualService",
        metadata: { name: "web", namespace: "shop" },
        spec: {
          hosts: ["web"],
          http: [{ route: [{ destination: { host: "web", subset: "v2" } }] }],
        },
      },
    ]);

    expect(first).toBe("ScaledToZero web-v2");
    expect(answer).toContain("subset v2 of web has no pods");
  });
});

describe("a node", () => {
  const lost = node("n3", { Ready: "Unknown" });

  it("that is lost explains the pod on it that does not end", async () => {
    const going = pod({ name: "db-0", node: "n3", labels: { app: "db" } });
    const { first } = await ask("db-0 hangs in Terminating", [
      namespace("shop"),
      lost,
      {
        ...going,
        metadata: { name: "db-0", namespace: "shop", deletionTimestamp: ago(30) },
      },
    ]);

    expect(first).toBe("NodeNotReady n3");
  });

  it("is left for the pods on it, where a question speaks of them", async () => {
    const { first } = await ask("new pods on n1 do not start", [
      namespace("shop"),
      node("n1"),
      pod({
        name: "web-1",
        phase: "Pending",
        status: {
          containerStatuses: [
            {
              name: "web",
              ready: false,
              restartCount: 0,
              state: { waiting: { reason: "ContainerCreating" } },
            },
          ],
        },
      }),
      event(
        "Pod",
        "web-1",
        "FailedMount",
        'MountVolume.SetUp failed for volume "s" : driver name secrets-store.csi.k8s.io not found in the list of registered CSI drivers',
      ),
    ]);

    expect(first).toBe("FailedMount web-1");
  });
});
