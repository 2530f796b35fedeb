/** Objects of a cluster for tests: what a real one would give, and no more than a test needs. */

export const now = Date.parse("2026-03-01T12:00:00Z");

/** RFC 3339, so many minutes before `now`. */
export function ago(minutes: number): string {
  return new Date(now - minutes * 60_000).toISOString();
}

export interface PodParts {
  readonly name: string;
  readonly namespace?: string;
  readonly owner?: readonly [kind: string, name: string];
  readonly labels?: Readonly<Record<string, string>>;
  readonly phase?: string;
  readonly node?: string;
  readonly spec?: object;
  readonly status?: object;
  readonly container?: object;
  readonly containerSpec?: object;
}

export function pod(parts: PodParts): object {
  const {
    name,
    namespace = "shop",
    owner,
    labels = {},
    phase = "Running",
    node = "n1",
    spec,
    status,
    container,
    containerSpec,
  } = parts;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      labels,
      uid: `uid-${name}`,
      ...(owner !== undefined && {
        ownerReferences: [
          { apiVersion: "apps/v1", kind: owner[0], name: owner[1], controller: true },
        ],
      }),
    },
    spec: {
      ...(node !== "" && { nodeName: node }),
      containers: [{ name: "web", image: "shop/web:1", ...containerSpec }],
      ...spec,
    },
    status: {
      phase,
      conditions: [{ type: "PodScheduled", status: node === "" ? "False" : "True" }],
      ...(phase !== "Pending" && {
        containerStatuses: [
          {
            name: "web",
            ready: true,
            started: true,
            restartCount: 0,
            state: { running: { startedAt: ago(600) } },
            ...container,
          },
        ],
      }),
      ...status,
    },
  };
}

/** A Deployment with its ReplicaSet. */
export function deployment(
  name: string,
  {
    wanted = 1,
    ready = 1,
    namespace = "shop",
    conditions = [] as readonly object[],
    rsConditions = [] as readonly object[],
  } = {},
): readonly object[] {
  const labels = { app: name };
  const template = {
    metadata: { labels },
    spec: { containers: [{ name: "web", image: "shop/web:1" }] },
  };
  const status = {
    replicas: wanted,
    readyReplicas: ready,
    availableReplicas: ready,
    unavailableReplicas: wanted - ready,
  };
  return [
    {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name, namespace, labels, uid: `uid-${name}` },
      spec: { replicas: wanted, selector: { matchLabels: labels }, template },
      status: { ...status, conditions },
    },
    {
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name: `${name}-5d9`,
        namespace,
        labels,
        uid: `uid-${name}-5d9`,
        ownerReferences: [
          { apiVersion: "apps/v1", kind: "Deployment", name, uid: `uid-${name}`, controller: true },
        ],
      },
      spec: { replicas: wanted, selector: { matchLabels: labels }, template },
      status: { ...status, conditions: rsConditions },
    },
  ];
}

export function node(
  name: string,
  conditions: Readonly<Record<string, string>> = { Ready: "True" },
): object {
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name },
    spec: {},
    status: {
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        reason: `${type}Reason`,
        lastTransitionTime: ago(10),
      })),
    },
  };
}

export function service(name: string, selector: object, namespace = "shop"): object {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name, namespace },
    spec: { selector, ports: [{ port: 80, targetPort: 8080 }] },
  };
}

let events = 0;

export function event(
  kind: string,
  name: string,
  reason: string,
  message: string,
  { type = "Warning", minutes = 2, count = 1, namespace = "shop" } = {},
): object {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: `${name}.${events++}`, namespace },
    involvedObject: { kind, name, ...(kind !== "Node" && { namespace }) },
    type,
    reason,
    message,
    count,
    firstTimestamp: ago(minutes + 10),
    lastTimestamp: ago(minutes),
  };
}

export function namespace(name: string, labels: Readonly<Record<string, string>> = {}): object {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels },
    status: { phase: "Active" },
  };
}

/** Waits for its next start after it was killed for its memory. */
export const oomKilled: object = {
  ready: false,
  started: false,
  restartCount: 12,
  state: {
    waiting: { reason: "CrashLoopBackOff", message: "back-off 5m0s restarting failed container" },
  },
  lastState: {
    terminated: { reason: "OOMKilled", exitCode: 137, startedAt: ago(5), finishedAt: ago(3) },
  },
};

/** Waits for its next start after it ended with an error. */
export const crashing: object = {
  ...oomKilled,
  lastState: {
    terminated: { reason: "Error", exitCode: 1, startedAt: ago(4), finishedAt: ago(3) },
  },
};

export const memoryLimit: object = {
  resources: { limits: { memory: "512Mi" }, requests: { memory: "256Mi" } },
};

/** The shop, in which checkout is killed for its memory. */
export function shop(): readonly object[] {
  return [
    namespace("shop"),
    node("n1", { Ready: "True", MemoryPressure: "False" }),
    ...deployment("checkout", { wanted: 2, ready: 0 }),
    ...["checkout-5d9-a", "checkout-5d9-b"].map((name) =>
      pod({
        name,
        owner: ["ReplicaSet", "checkout-5d9"],
        labels: { app: "checkout" },
        container: oomKilled,
        containerSpec: memoryLimit,
      }),
    ),
    service("checkout", { app: "checkout" }),
    ...deployment("cart"),
    pod({ name: "cart-5d9-a", owner: ["ReplicaSet", "cart-5d9"], labels: { app: "cart" } }),
    event(
      "Pod",
      "checkout-5d9-a",
      "BackOff",
      "Back-off restarting failed container web in pod checkout-5d9-a",
      { count: 40 },
    ),
  ];
}
