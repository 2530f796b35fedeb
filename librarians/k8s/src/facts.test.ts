import { testContext } from "@constellation/testing";
import { describe, expect, it, vi } from "vitest";
import {
  ago,
  crashing,
  deployment,
  event,
  memoryLimit,
  namespace,
  node,
  now,
  oomKilled,
  pod,
  service,
  shop,
} from "../test/objects.js";
import type { Usage } from "./cluster/cluster-reader.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { parseResource, printResource, toComponentName } from "./diagnosis/object-id.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

type Facts = readonly Readonly<Record<string, unknown>>[];

interface Given {
  readonly objects?: readonly unknown[];
  readonly logs?: Readonly<Record<string, string>>;
  readonly usage?: readonly Usage[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

async function factsOf(question: string, { metadata, ...given }: Given = {}): Promise<Facts> {
  const reader = createInMemoryReader({ objects: shop(), now, ...given });
  const response = await createK8sLibrarian({ reader }).librarian(
    question,
    testContext({ ...(metadata !== undefined && { metadata }) }),
  );
  return (response.metadata?.facts ?? []) as Facts;
}

const question = "Why does checkout keep restarting?";
const withSignal = async (signal: object) => {
  const [first] = await factsOf(question, { metadata: { signal } });
  return (first?.signal ?? {}) as Readonly<Record<string, unknown>>;
};

describe("metadata.facts", () => {
  it("K8S-001 hold what was read, likeliest cause first", async () => {
    const [first] = await factsOf(question);

    expect(first).toMatchObject({
      signal_type: "OOMKilled",
      target_resource: "shop/Pod/checkout-5d9-a",
      component: "pod",
      container: "web",
      exit_code: 137,
      restart_count: 12,
      termination_reason: "OOMKilled",
      memory_limit: "512Mi",
    });
  });

  it("have what the pods use: claims, ConfigMaps and their only container", async () => {
    const volumes = [
      { name: "data", persistentVolumeClaim: { claimName: "orders" } },
      { name: "conf", configMap: { name: "checkout-conf" } },
      { name: "token", projected: { sources: [{ configMap: { name: "kube-root-ca.crt" } }] } },
    ];
    const used = pod({
      name: "checkout-5d9-a",
      owner: ["ReplicaSet", "checkout-5d9"],
      labels: { app: "checkout" },
      container: oomKilled,
      containerSpec: memoryLimit,
      spec: { volumes },
    });
    const objects = [namespace("shop"), ...deployment("checkout", { ready: 0 }), used];
    const [first] = await factsOf(question, { objects });

    expect(first).toMatchObject({ claims: ["orders"], config_maps: ["checkout-conf"] });
  });

  it("have the likeliest of two causes with one signal, and no change that mends the other", async () => {
    const web = pod({
      name: "api-1",
      labels: { app: "api" },
      containerSpec: { ports: [{ name: "http", containerPort: 8080 }] },
    });
    const api = {
      ...service("api", { app: "api" }),
      spec: {
        type: "LoadBalancer",
        selector: { app: "api" },
        ports: [{ port: 443, targetPort: 8443 }],
      },
    };
    const failed = event("Service", "api", "SyncLoadBalancerFailed", "no free address");
    const facts = await factsOf("is service api ok?", {
      objects: [namespace("shop"), api, web, failed],
    });
    const [first, ...others] = facts.filter((one) => one.signal_type === "ServiceNoEndpoints");

    expect(first?.finding).toContain("its load balancer is pending: no free address");
    expect(first).not.toHaveProperty("change");
    expect(others).toEqual([]);
  });

  it("K8S-002 repeat the failed action: type, target, namespace", async () => {
    const action = {
      failed_action_type: "restart",
      failed_action_target: "pod",
      namespace: "production",
    };

    expect(await withSignal(action)).toEqual(action);
  });

  it("K8S-003 K8S-006 give reasons and messages as Kubernetes reported them, with their evidence", async () => {
    const container = {
      ...oomKilled,
      lastState: {
        terminated: {
          reason: "OOMKilled",
          exitCode: 137,
          message: "Container exceeded memory limit",
        },
      },
    };
    const [first] = await factsOf("what is wrong with pod api-1?", {
      objects: [pod({ name: "api-1", container })],
    });

    expect(first).toMatchObject({
      signal_type: "OOMKilled",
      termination_reason: "OOMKilled",
      error_message: "Container exceeded memory limit",
      waiting_reason: "CrashLoopBackOff",
    });
    expect(JSON.stringify(first?.evidence)).toContain("reason OOMKilled");
    expect(await factsOf("is cart healthy?")).toEqual([
      expect.objectContaining({ signal_type: "Healthy" }),
    ]);
  });

  it("K8S-004 repeat the cluster context", async () => {
    const context = {
      cluster_name: "eu-1",
      namespace: "shop",
      priority: "P0",
      signal_source: "prometheus-adapter",
      signal_labels: { alertname: "HighMemory", team: "shop" },
    };

    expect(await withSignal(context)).toEqual(context);
  });

  it("K8S-005 take environment and priority from the caller or a namespace's labels, never from a name", async () => {
    const objects = (labels: Readonly<Record<string, string>>) => [
      namespace("production", labels),
      ...deployment("api", { ready: 0, namespace: "production" }),
    ];
    const ask = async (given: Given) => (await factsOf("why is api down?", given))[0];

    expect(await ask({ objects: objects({}) })).not.toHaveProperty("environment");
    expect(await ask({ objects: objects({ environment: "staging" }) })).toHaveProperty(
      "environment",
      "staging",
    );
    expect(await ask({ objects: objects({ stage: "qa" }) })).toMatchObject({
      namespace_labels: { environment: "qa" },
    });
    // Where labels differ, both are reported.
    expect(await ask({ objects: objects({ env: "dev", environment: "prod" }) })).toMatchObject({
      namespace_labels: { environment: ["dev", "prod"] },
    });
    expect(
      await ask({ objects: objects({}), metadata: { environment: "qa", priority: "P2" } }),
    ).toMatchObject({ environment: "qa", priority: "P2" });
    expect(
      await ask({
        objects: objects({
          "acme.io/environment": "production",
          "risk-tolerance": "low",
          team: "a",
        }),
        metadata: { environment: "qa", signal: { environment: "test" } },
      }),
    ).toMatchObject({
      environment: "test",
      namespace_labels: { environment: "production", risk_tolerance: "low" },
    });
  });

  it("K8S-007 give counts of attempts as numbers", async () => {
    const counts = { recovery_attempts: 2, max_attempts: 3, timeout_seconds: 300 };

    expect(await withSignal(counts)).toEqual(counts);
  });

  it("K8S-008 K8S-009 K8S-010 K8S-011 K8S-012 hold no conclusion, advice, confidence or risk", async () => {
    const text = JSON.stringify(await factsOf("what is wrong in shop?"));

    expect(text).not.toMatch(
      /root cause|because|due to|unstable|severe\b|symptom|should|recommend|workflow|confidence|risk|kubectl/i,
    );
  });

  it("K8S-013 leave out past remediations and patterns", async () => {
    expect(
      await withSignal({
        signal_type: "OOMKilled",
        previous_remediation_ref: "rr-1",
        historical_pattern: "weekly",
      }),
    ).toEqual({ signal_type: "OOMKilled" });
  });

  it("K8S-014 repeat error details, times unchanged", async () => {
    const details = {
      error_message: "Container exceeded memory limit",
      description: "memory",
      firing_time: "2026-03-01T11:00:00+01:00",
      received_time: "2026-03-01T10:00:05Z",
    };

    expect(await withSignal(details)).toEqual(details);
  });

  it("K8S-015 K8S-016 repeat deduplication with its window, worded as present since", async () => {
    const seen = {
      is_duplicate: true,
      first_seen: "2026-03-01T10:00:00Z",
      last_seen: "2026-03-01T10:04:00Z",
      occurrence_count: 4,
    };

    const signal = await withSignal(seen);

    expect(signal).toMatchObject({ ...seen, deduplication_window: "5m" });
    expect(signal.occurrence).toMatch(/since 2026-03-01T10:00:00Z/);
    expect(signal.occurrence).not.toMatch(/failed|attempt/);
  });

  it("K8S-017 repeat a storm whole, nothing of it when there is none, and refuse an unknown type", async () => {
    const storm = {
      is_storm: true,
      storm_type: "rate",
      storm_window: "5m",
      storm_alert_count: 12,
      affected_resources: ["shop/Pod/a"],
    };
    const { librarian } = createK8sLibrarian({
      reader: createInMemoryReader({ objects: shop(), now }),
    });

    expect(await withSignal(storm)).toEqual(storm);
    expect(await withSignal({ ...storm, is_storm: false })).toEqual({ is_storm: false });
    const { error } = await librarian(
      question,
      testContext({ metadata: { signal: { is_storm: true, storm_type: "burst" } } }),
    );
    expect(error).toMatchObject({ code: "INVALID_QUERY" });
    expect(error?.message).toContain("burst");
  });

  it("K8S-018 have phase, last event and last log lines of a crashing pod", async () => {
    const objects = [
      ...shop(),
      pod({ name: "api-1", container: crashing, phase: "Running" }),
      {
        apiVersion: "v1",
        kind: "Event",
        metadata: { name: "api-1.1", namespace: "shop" },
        involvedObject: { kind: "Pod", name: "api-1", namespace: "shop" },
        type: "Warning",
        reason: "BackOff",
        message: "Back-off restarting failed container",
        lastTimestamp: ago(1),
      },
    ];

    const [first] = await factsOf("why does pod api-1 crash?", {
      objects,
      logs: { "shop/api-1/web#previous": "boot\npanic: no config\n" },
    });

    expect(first).toMatchObject({
      phase: "Running",
      last_event: "BackOff: Back-off restarting failed container",
      last_seen: ago(1),
    });
    expect(first?.last_log_lines).toContain("panic: no config");
  });

  it("K8S-019 have usage and limit side by side, with units", async () => {
    const usage = [
      {
        kind: "Pod",
        name: "checkout-5d9-a",
        namespace: "shop",
        container: "web",
        memory: "580Mi",
        cpu: "20m",
      },
    ] as const;

    expect((await factsOf("why is checkout OOMKilled?", { usage }))[0]).toMatchObject({
      memory_usage: "580Mi",
      memory_limit: "512Mi",
    });
  });

  it("K8S-020 have a node's conditions, and its name", async () => {
    const facts = await factsOf("what is wrong with node n7?", {
      objects: [node("n7", { Ready: "True", MemoryPressure: "True" })],
    });

    expect(facts[0]).toMatchObject({
      signal_type: "NodePressure",
      target_resource: "Node/n7",
      node_conditions: expect.arrayContaining(["MemoryPressure=True"]),
    });
  });

  it("K8S-021 read metrics only where the signal's source has them", async () => {
    const reader = createInMemoryReader({ objects: shop(), now });
    const usage = vi.fn(reader.usage);
    const { librarian } = createK8sLibrarian({ reader: { ...reader, usage } });
    const from = (signal_source: string) =>
      librarian(
        "why is checkout OOMKilled?",
        testContext({ metadata: { signal: { signal_source } } }),
      );

    await from("kubernetes-event-adapter");
    expect(usage).not.toHaveBeenCalled();
    await from("prometheus-adapter");
    expect(usage).toHaveBeenCalledTimes(1);
  });

  it("K8S-022 write resources as namespace/kind/name, cluster-scoped ones as kind/name, others with their group", async () => {
    for (const text of [
      "production/Deployment/payment-service",
      "Node/worker-node-3",
      "production/apps/StatefulSet/database",
    ]) {
      const parsed = parseResource(text);
      expect(parsed === undefined ? "" : printResource(parsed)).toBe(text);
    }
    expect(["Deployment", "Node", "apps/v1/StatefulSet"].map(toComponentName)).toEqual([
      "deployment",
      "node",
      "statefulset",
    ]);
    const facts = await factsOf("why is api down?", { objects: deployment("api", { ready: 0 }) });
    expect(facts[0]?.target_resource).toBe("shop/apps/Deployment/api");
  });

  it("K8S-023 name the controller that owns a pod", async () => {
    expect((await factsOf(question))[0]?.owner).toBe("shop/apps/Deployment/checkout");
  });

  it("K8S-024 leave out what is missing, without a placeholder", async () => {
    const [first] = await factsOf("what is wrong with pod bare?", {
      objects: [
        {
          kind: "Pod",
          metadata: { name: "bare", namespace: "shop" },
          status: { phase: "Running", containerStatuses: [{ ready: false, restartCount: 1 }] },
        },
      ],
    });

    for (const key of [
      "last_log_lines",
      "node",
      "memory_limit",
      "owner",
      "exit_code",
      "first_seen",
    ])
      expect(first).not.toHaveProperty(key);
    expect(JSON.stringify(first)).not.toMatch(/unknown|n\/a|null|undefined/i);
    expect(memoryLimit).toBeDefined();
  });
});
