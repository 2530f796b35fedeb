/** What a cluster in tests holds. */
export interface FakeCluster {
  readonly objects: readonly unknown[];
  /** As core/v1 shows them. */
  readonly events: readonly unknown[];
  /** As events.k8s.io/v1 shows them. */
  readonly newerEvents: readonly unknown[];
  /** By `namespace/pod/container`, with `#previous`. */
  readonly logs: Readonly<Record<string, string>>;
  readonly podMetrics: readonly unknown[];
  readonly nodeMetrics: readonly unknown[];
}

/** What no reader may ever give. */
export const hiddenValue = "hunter2";

function pod(namespace: string, name: string): unknown {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid: `uid-${namespace}-${name}`,
      labels: { app: "api" },
      annotations: {
        "kubectl.kubernetes.io/last-applied-configuration": `{"password":"${hiddenValue}"}`,
        team: "shop",
      },
      managedFields: [{ manager: "kubelet", time: "2026-05-01T10:00:00Z" }],
      creationTimestamp: "2026-05-01T09:00:00Z",
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "api-7f", uid: "rs" }],
    },
    spec: {
      containers: [
        {
          name: "web",
          image: "api:1",
          env: [
            { name: "DB_PASSWORD", value: hiddenValue },
            { name: "LEVEL", value: "info" },
          ],
        },
      ],
    },
    status: { phase: "Running", startTime: "2026-05-01T09:00:05Z" },
  };
}

const involvedObject = { kind: "Pod", namespace: "shop", name: "api-1", uid: "uid-shop-api-1" };

/** Two namespaces, two nodes, a Secret, a ConfigMap, events of both APIs, logs and usage. */
export const fakeCluster: FakeCluster = {
  objects: [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "shop" } },
    { apiVersion: "v1", kind: "Namespace", metadata: { name: "bank" } },
    { apiVersion: "v1", kind: "Node", metadata: { name: "n1" } },
    { apiVersion: "v1", kind: "Node", metadata: { name: "n2" } },
    ...[1, 2, 3, 4, 5, 6, 7].map((number) => pod("shop", `api-${number}`)),
    pod("bank", "ledger-1"),
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "db", namespace: "shop" },
      stringData: { password: hiddenValue },
    },
    {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "settings", namespace: "shop" },
      data: { dsn: `postgres://app:${hiddenValue}@db/shop` },
    },
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "api", namespace: "shop" },
      spec: { replicas: 7 },
    },
  ],
  events: [
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "api-1.1", namespace: "shop", uid: "e1" },
      involvedObject,
      type: "Warning",
      reason: "BackOff",
      message: "Back-off restarting failed container",
      count: 5,
      firstTimestamp: "2026-05-01T09:10:00Z",
      lastTimestamp: "2026-05-01T09:50:00Z",
      source: { component: "kubelet" },
    },
    {
      apiVersion: "v1",
      kind: "Event",
      metadata: { name: "api-2.2", namespace: "shop", uid: "e2" },
      involvedObject: { kind: "Pod", namespace: "shop", name: "api-2" },
      type: "Warning",
      reason: "FailedScheduling",
      message: "0/2 nodes are available",
      firstTimestamp: null,
      lastTimestamp: null,
      eventTime: "2026-05-01T09:20:00.123456Z",
      series: { count: 9, lastObservedTime: "2026-05-01T09:55:00.654321Z" },
      reportingComponent: "default-scheduler",
    },
  ],
  newerEvents: [
    {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "api-1.1", namespace: "shop", uid: "e1" },
      regarding: involvedObject,
      type: "Warning",
      reason: "BackOff",
      note: "Back-off restarting failed container",
      deprecatedCount: 5,
      deprecatedFirstTimestamp: "2026-05-01T09:10:00Z",
      deprecatedLastTimestamp: "2026-05-01T09:50:00Z",
    },
    {
      apiVersion: "events.k8s.io/v1",
      kind: "Event",
      metadata: { name: "api-2.2", namespace: "shop", uid: "e2" },
      regarding: { kind: "Pod", namespace: "shop", name: "api-2" },
      type: "Warning",
      reason: "FailedScheduling",
      note: "0/2 nodes are available",
      eventTime: "2026-05-01T09:20:00.123456Z",
      series: { count: 9, lastObservedTime: "2026-05-01T09:55:00.654321Z" },
      deprecatedCount: null,
      deprecatedFirstTimestamp: null,
      deprecatedLastTimestamp: null,
      reportingController: "default-scheduler",
    },
  ],
  logs: {
    "shop/api-1/web": "one\ntwo\nthree\n",
    "shop/api-1/web#previous": "panic: out of cheese\n",
  },
  podMetrics: [
    {
      kind: "PodMetrics",
      apiVersion: "metrics.k8s.io/v1beta1",
      metadata: { name: "api-1", namespace: "shop" },
      timestamp: "2026-05-01T09:58:00Z",
      containers: [{ name: "web", usage: { cpu: "250m", memory: "580Mi" } }],
    },
  ],
  nodeMetrics: [
    {
      kind: "NodeMetrics",
      apiVersion: "metrics.k8s.io/v1beta1",
      metadata: { name: "n1" },
      timestamp: "2026-05-01T09:58:00Z",
      usage: { cpu: "2", memory: "3Gi" },
    },
  ],
};
