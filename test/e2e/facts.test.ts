import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { printTree } from "@constellation/authoring";
import { createRouter } from "@constellation/core";
import { createK8sLibrarian } from "@constellation/librarian-k8s";
import {
  createMemoryCatalog,
  createWorkflowSelectorLibrarian,
  factSchema,
} from "@constellation/librarian-workflow-selector";
import { describe, expect, it, onTestFinished } from "vitest";

const namespace = {
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name: "shop",
    labels: {
      "kubernaut.io/environment": "production",
      "kubernaut.io/priority": "P0",
      "kubernaut.io/risk-tolerance": "low",
    },
  },
};
const owned = (kind: string, name: string) => ({
  ownerReferences: [{ apiVersion: "apps/v1", kind, name, controller: true }],
});
const labels = { app: "checkout" };
const deployment = {
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "checkout", namespace: "shop", labels },
  spec: { replicas: 1, selector: { matchLabels: labels } },
  status: { replicas: 1, readyReplicas: 0, unavailableReplicas: 1 },
};
const replicaSet = {
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "checkout-5d9", namespace: "shop", labels, ...owned("Deployment", "checkout") },
  spec: { replicas: 1 },
};
const pod = (name: string, container: object, more: object = {}) => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "shop", labels, ...owned("ReplicaSet", "checkout-5d9") },
  spec: {
    nodeName: "n1",
    containers: [{ name: "web", image: "shop/web:1", resources: { limits: { memory: "512Mi" } } }],
  },
  status: {
    phase: "Running",
    containerStatuses: [{ name: "web", ready: false, restartCount: 12, ...container }],
  },
  ...more,
});
const oomKilled = pod("checkout-5d9-x", {
  state: { waiting: { reason: "CrashLoopBackOff" } },
  lastState: {
    terminated: { reason: "OOMKilled", exitCode: 137, finishedAt: "2026-03-01T11:58:00Z" },
  },
});
const event = {
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "checkout.1", namespace: "shop" },
  involvedObject: { kind: "Pod", name: "checkout-5d9-x", namespace: "shop" },
  type: "Warning",
  reason: "BackOff",
  message: "Back-off restarting failed container",
  count: 7,
  firstTimestamp: "2026-03-01T11:30:00Z",
  lastTimestamp: "2026-03-01T11:59:00Z",
};
const shop = [namespace, deployment, replicaSet, oomKilled, event];
const running = pod("checkout-5d9-x", {
  ready: true,
  restartCount: 0,
  state: { running: { startedAt: "2026-03-01T09:00:00Z" } },
});
const node = {
  apiVersion: "v1",
  kind: "Node",
  metadata: { name: "n1" },
  status: { conditions: [{ type: "Ready", status: "True" }] },
};
const well = [
  namespace,
  { ...deployment, status: { replicas: 1, readyReplicas: 1, availableReplicas: 1 } },
  { ...replicaSet, status: { replicas: 1, readyReplicas: 1 } },
  { ...running, status: { ...running.status, conditions: [{ type: "Ready", status: "True" }] } },
  node,
];

/** States of a cluster, each with other keys in its facts. */
const states: Readonly<Record<string, readonly object[]>> = {
  "a container that was OOMKilled": shop,
  "an image that cannot be pulled": [
    namespace,
    pod("checkout-5d9-x", {
      state: { waiting: { reason: "ImagePullBackOff", message: "manifest unknown" } },
    }),
  ],
  "a pod that cannot be scheduled": [
    namespace,
    pod(
      "checkout-5d9-x",
      {},
      {
        status: {
          phase: "Pending",
          conditions: [
            {
              type: "PodScheduled",
              status: "False",
              reason: "Unschedulable",
              message: "0/3 nodes are available: 3 Insufficient memory.",
            },
          ],
        },
      },
    ),
  ],
  "a claim that is not bound": [
    namespace,
    {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace: "shop" },
      spec: { storageClassName: "fast", resources: { requests: { storage: "8Gi" } } },
      status: { phase: "Pending" },
    },
  ],
  "a node that is not ready": [
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n1" },
      spec: { unschedulable: true },
      status: {
        conditions: [
          {
            type: "Ready",
            status: "False",
            reason: "KubeletNotReady",
            message: "PLEG is not healthy",
          },
        ],
      },
    },
  ],
  "an autoscaler at its limit": [
    namespace,
    deployment,
    {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "checkout", namespace: "shop" },
      spec: {
        minReplicas: 1,
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "checkout" },
      },
      status: {
        currentReplicas: 3,
        desiredReplicas: 3,
        conditions: [
          {
            type: "ScalingLimited",
            status: "True",
            reason: "TooManyReplicas",
            message: "the desired replica count is more than the maximum replica count",
          },
        ],
      },
    },
  ],
  "a cluster in which nothing is wrong": well,
};

const store = createMemoryCatalog([
  {
    workflow_id: "increase-memory-limits",
    version: "1.0.0",
    description: "Increases the memory limits of a deployment whose containers are OOMKilled",
    labels: {
      environment: ["production"],
      priority: "*",
      risk_tolerance: "low",
      component: ["apps/v1/Deployment"],
    },
    parameters: [
      "TARGET_RESOURCE_KIND",
      "TARGET_RESOURCE_NAME",
      "TARGET_RESOURCE_NAMESPACE",
      "CONTAINER",
      "CURRENT_MEMORY_LIMIT",
    ].map((name) => ({ name, type: "string", required: true })),
  },
  {
    workflow_id: "raise-memory-in-staging",
    version: "1.0.0",
    description: "Increases the memory limits of a deployment whose containers are OOMKilled",
    labels: { environment: ["staging"], priority: "*", risk_tolerance: "low" },
  },
]);

/** Writes what `kubectl get -o json` prints. */
async function snapshotOf(objects: readonly object[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "facts-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, "cluster.json");
  await writeFile(file, JSON.stringify({ apiVersion: "v1", kind: "List", items: objects }));
  return file;
}

describe("the facts of librarian-k8s", () => {
  it.each(Object.keys(states))("are what the workflow selector reads: %s", async (state) => {
    const { librarian } = createK8sLibrarian({ snapshot: await snapshotOf(states[state] ?? []) });
    const signal = {
      signal_type: "KubePodCrashLooping",
      environment: "production",
      priority: "P0",
      occurrence_count: 3,
    };

    const { metadata } = await librarian("What is wrong in the cluster?", { metadata: { signal } });
    const facts = metadata?.facts as readonly unknown[]; // what librarian-k8s promises

    expect(facts.length).toBeGreaterThan(0);
    expect(facts.map((fact) => factSchema.safeParse(fact).error?.issues ?? [])).toEqual(
      facts.map(() => []),
    );
  });

  it("reach the selector through a router, by the capability kubernetes.facts", async () => {
    const router = createRouter({ entry: "workflow-selector" });
    router.register(createK8sLibrarian({ snapshot: await snapshotOf(shop) }));
    router.register(createWorkflowSelectorLibrarian({ store }));

    const run = router.start("Which workflow helps against the OOMKilled pods of checkout?");
    const { metadata, error, partial } = await run.response;
    const record = run.explain();

    expect(error).toBeUndefined();
    expect(partial).toBeUndefined();
    expect(printTree(record)).toMatch(/workflow-selector[\s\S]*k8s/);
    expect(metadata?.workflowSearch).toMatchObject({
      query: {
        incident_type: "OOMKilled",
        labels: { priority: "P0" },
        component: "Pod",
      },
    });
    expect(metadata?.workflowSelection).toMatchObject({
      strategies: [
        {
          workflow_id: "increase-memory-limits",
          parameters: {
            TARGET_RESOURCE_KIND: "Deployment",
            TARGET_RESOURCE_NAME: "checkout",
            TARGET_RESOURCE_NAMESPACE: "shop",
            CONTAINER: "web",
            CURRENT_MEMORY_LIMIT: "512Mi",
          },
        },
      ],
    });
  });

  it("make the selector propose nothing for a cluster that is well", async () => {
    const router = createRouter({ entry: "workflow-selector" });
    router.register(createK8sLibrarian({ snapshot: await snapshotOf(well) }));
    router.register(createWorkflowSelectorLibrarian({ store }));

    const { error, metadata } = await router.ask("Is there an incident in the cluster?");

    expect(error?.code).toBe("NOT_FOUND");
    expect(metadata?.workflowSelection).toMatchObject({
      strategies: [],
      warnings: [
        "Looked at: k8s observed it.",
        "Nothing wrong was observed. Needed: what shows the trouble, such as a metric or a log.",
      ],
    });
  });
});
