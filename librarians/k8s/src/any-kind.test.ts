import { describe, expect, it } from "vitest";
import { ago, deployment, event, node, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(question: string, objects: readonly unknown[]) {
  const reader = createInMemoryReader({ objects, now, partial: true });
  const {
    answer = "",
    metadata,
    confidence,
    error,
  } = await createK8sLibrarian({
    reader,
  }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return { answer, confidence, signal: facts[0]?.signal_type ?? error?.code ?? "nothing" };
}

const custom = (apiVersion: string, kind: string, name: string, status: object, spec = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: "shop" },
  spec,
  status,
});
const waiting = (reason: string, message = "") => ({
  phase: "Pending",
  containerStatuses: [
    { name: "web", ready: false, restartCount: 0, state: { waiting: { reason, message } } },
  ],
});

describe("resources of kinds that no detector knows", () => {
  it.each([
    [
      "a condition that is False, with its reason and message",
      "why is the external secret db not synced?",
      custom("external-secrets.io/v1", "ExternalSecret", "db", {
        conditions: [
          { type: "Ready", status: "False", reason: "SyncError", message: "AccessDenied by vault" },
        ],
      }),
      ["MissingReference", "Ready is False (SyncError)", "AccessDenied by vault"],
    ],
    [
      "a phase, with whatever says why",
      "what is wrong in namespace shop?",
      custom("db.example.org/v1", "Cluster", "pg", {
        phase: "Failed",
        phaseReason: "disk is full",
      }),
      ["ReplicasUnavailable", "shop/Cluster/pg", "disk is full"],
    ],
    [
      "a flag and the message of an error",
      "is the snapshot nightly ok?",
      custom("snapshot.storage.k8s.io/v1", "VolumeSnapshot", "nightly", {
        readyToUse: false,
        error: { message: "quota of snapshots reached", time: ago(5) },
      }),
      ["PVFailed", "quota of snapshots reached"],
    ],
  ])("reads %s", async (_, question, object, expected) => {
    const { signal, answer } = await ask(question, [object]);

    expect(signal).toBe(expected[0]);
    for (const text of expected.slice(1)) expect(answer).toContain(text);
  });

  it("says of one in a good phase that nothing is wrong", async () => {
    const { signal } = await ask("is the rabbit queue ok?", [
      custom("mq.example.org/v1", "Queue", "rabbit", {
        phase: "Running",
        conditions: [
          { type: "Ready", status: "True" },
          { type: "Degraded", status: "False" },
        ],
      }),
    ]);

    expect(signal).toBe("Healthy");
  });

  it("keeps what a resource reports and names, and no other value", async () => {
    const reader = createInMemoryReader({
      objects: [
        custom(
          "db.example.org/v1",
          "Cluster",
          "pg",
          { phase: "Failed", adminPassword: "hunter2", history: [{ token: "hunter3" }] },
          { secretRef: { name: "pg-admin" }, password: "hunter4", replicas: 3 },
        ),
      ],
      now,
    });
    const { items } = await reader.list("CustomResource");

    expect(items[0]).toMatchObject({
      spec: { secretRef: { name: "pg-admin" }, replicas: 3 },
      status: { phase: "Failed" },
    });
    expect(JSON.stringify(items)).not.toContain("hunter");
  });

  it("names a reference of a resource that leads nowhere", async () => {
    const { answer } = await ask("does the cluster pg reference anything that is missing?", [
      custom(
        "db.example.org/v1",
        "Cluster",
        "pg",
        { phase: "Running" },
        { bootstrap: { configMapRef: { name: "pg-init" } } },
      ),
      { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "other", namespace: "shop" } },
    ]);

    expect(answer).toContain("ConfigMap pg-init does not exist");
  });
});

describe("what the cluster itself reports, whatever its name", () => {
  it.each([
    ["OutOfcpu", "Node didn't have enough resource: cpu"],
    ["UnexpectedAdmissionError", "Allocate failed due to no devices"],
    ["SysctlForbidden", "forbidden sysctl: kernel.shm"],
  ])("quotes why a pod failed with reason %s", async (reason, message) => {
    const { signal, answer } = await ask("why did api-1 fail?", [
      pod({
        name: "api-1",
        phase: "Failed",
        status: { phase: "Failed", reason, message, containerStatuses: [] },
      }),
    ]);

    expect(signal).toBe("PodFailed");
    expect(answer.split("\n")[0]).toContain(message);
  });

  it("quotes a reason to wait that is not in any list", async () => {
    const { answer } = await ask("what is wrong with api-1?", [
      pod({ name: "api-1", status: waiting("ResizeDeferred", "node has no room for 4 CPUs") }),
    ]);

    expect(answer).toContain("ResizeDeferred");
    expect(answer.split("\n")[0]).toContain("node has no room for 4 CPUs");
  });

  it.each([
    ["FailedPrepareDynamicResources", "NodePrepareResources failed for claim gpu"],
    ["FailedToStartIPAM", "no free addresses in range 10.0.0.0/24"],
  ])("quotes warning %s of a pod whose containers are not made", async (reason, message) => {
    const { signal, answer } = await ask("why does api-1 not start?", [
      pod({ name: "api-1", status: waiting("ContainerCreating") }),
      event("Pod", "api-1", reason, message),
    ]);

    expect(signal).toBe("PodNotReady");
    expect(answer.split("\n")[0]).toContain(message);
  });

  it("does not call healthy what a warning of an unknown reason is about, and is not sure of it", async () => {
    const { signal, answer, confidence } = await ask("is api-1 healthy?", [
      pod({ name: "api-1" }),
      event("Pod", "api-1", "PolicyViolation", "policy require-limits: limits are required"),
    ]);

    expect(signal).not.toBe("Healthy");
    expect(answer).toContain("limits are required");
    expect(confidence).toBeLessThan(0.6);
  });

  it.each([
    ["Unhealthy", "Readiness probe failed: connection refused"],
    ["FailedMount", "MountVolume.SetUp failed for volume x: timed out"],
  ])("leaves out warning %s, which a pod that is ready now has passed", async (reason, message) => {
    const { signal } = await ask("is api-1 healthy?", [
      pod({ name: "api-1" }),
      event("Pod", "api-1", reason, message, { minutes: 20 }),
    ]);

    expect(signal).toBe("Healthy");
  });

  it("names the readiness gate that holds a pod back", async () => {
    const { answer } = await ask("why is api-1 not ready?", [
      pod({
        name: "api-1",
        status: {
          conditions: [
            { type: "ContainersReady", status: "True" },
            { type: "Ready", status: "False", reason: "ReadinessGatesNotReady" },
            {
              type: "example.com/load-balancer",
              status: "False",
              reason: "Registering",
              message: "the target is being registered",
            },
          ],
        },
      }),
    ]);

    expect(answer).toContain("example.com/load-balancer is False (Registering)");
    expect(answer).toContain("the target is being registered");
  });

  it("reports a condition that others add to a node, and not one that is well", async () => {
    const sick = await ask("is node n1 ok?", [
      node("n1", { Ready: "True", KernelDeadlock: "True" }),
    ]);
    const well = await ask("is node n1 ok?", [
      node("n1", { Ready: "True", KernelDeadlock: "False", EtcdIsVoter: "True" }),
      pod({ name: "api-1" }),
    ]);

    expect([sick.signal, well.signal]).toEqual(["NodePressure", "Healthy"]);
    expect(sick.answer).toContain("KernelDeadlock=True");
  });

  it("quotes a warning about a Service that has endpoints", async () => {
    const { answer, signal } = await ask("is service api ok?", [
      service("api", { app: "api" }),
      pod({ name: "api-1", labels: { app: "api" } }),
      event("Service", "api", "SyncLoadBalancerFailed", "quota of addresses reached"),
    ]);

    expect(signal).not.toBe("Healthy");
    expect(answer).toContain("quota of addresses reached");
  });
});

describe("lists of what is unhealthy", () => {
  const volume = (name: string, phase: string) => ({
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name },
    spec: { storageClassName: "standard" },
    status: { phase },
  });

  it("holds everything of the kind that is in a bad phase", async () => {
    const { signal, answer } = await ask("Which volumes are unhealthy?", [
      volume("pv-a", "Bound"),
      volume("pv-b", "Failed"),
      volume("pv-c", "Pending"),
    ]);

    expect(signal).toBe("PVFailed");
    expect(answer).toContain("pv-b");
    expect(answer).toContain("pv-c");
    expect(answer).not.toContain("pv-a");
  });

  it("says why a DaemonSet has no pod on a node", async () => {
    const { answer } = await ask("why is there no agent pod on node n2?", [
      {
        apiVersion: "apps/v1",
        kind: "DaemonSet",
        metadata: { name: "agent", namespace: "shop" },
        spec: { selector: { matchLabels: { app: "agent" } }, template: { spec: {} } },
        status: { desiredNumberScheduled: 1, currentNumberScheduled: 1, numberReady: 1 },
      },
      pod({ name: "agent-x", owner: ["DaemonSet", "agent"], labels: { app: "agent" } }),
      node("n1"),
      {
        ...node("n2"),
        spec: { taints: [{ key: "gpu", value: "true", effect: "NoSchedule" }] },
      },
    ]);

    expect(answer).toContain(
      "node n2: its template does not tolerate the taint gpu=true:NoSchedule",
    );
  });

  it("names a cordoned node as cordoned, and says that it is ready", async () => {
    const { signal, answer } = await ask("is node n1 ready?", [
      { ...node("n1"), spec: { unschedulable: true } },
      ...deployment("api"),
    ]);

    expect(signal).toBe("NodeCordoned");
    expect(answer).toContain("it is Ready");
  });
});
