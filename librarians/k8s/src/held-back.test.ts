import { describe, expect, it } from "vitest";
import {
  ago,
  crashing,
  deployment,
  event,
  namespace,
  node,
  now,
  pod,
  service,
} from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({
    objects: [namespace("shop"), namespace("tools"), node("n1"), ...objects],
    now,
    logs,
  });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const [fact] = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return { answer, signal: fact?.signal_type };
}

const labels = { app: "web" };
const owner = ["ReplicaSet", "web-5d9"] as const;

describe("what holds a workload back", () => {
  it("is a warning about its pod beside the failure, whatever its reason", async () => {
    const failing = [
      ...deployment("web", { ready: 0 }),
      pod({ name: "web-5d9-a", owner, labels, container: crashing }),
    ];
    const said = "Keys [2ND_DB] from the EnvFrom configMap shop/web-env were skipped";
    const { answer } = await ask("why does web crash?", [
      ...failing,
      event("Pod", "web-5d9-a", "InvalidEnvironmentVariableNames", said),
    ]);
    const passed = await ask("why does web crash?", [
      ...failing,
      event("Pod", "web-5d9-a", "FailedMount", "configmap not yet synchronised"),
    ]);

    expect(answer).toContain(said);
    expect(passed.answer).not.toContain("not yet synchronised");
  });

  it("is a sidecar that has not started, with its log", async () => {
    const waiting = (started: boolean) => [
      ...deployment("web", { ready: 0 }),
      pod({
        name: "web-5d9-a",
        owner,
        labels,
        phase: "Pending",
        spec: { initContainers: [{ name: "agent", image: "agent:1", restartPolicy: "Always" }] },
        status: {
          initContainerStatuses: [
            {
              name: "agent",
              ready: started,
              started,
              restartCount: 0,
              state: { running: { startedAt: ago(40) } },
            },
          ],
        },
      }),
    ];
    const log = { "shop/web-5d9-a/agent": "ERROR token audience not accepted" };
    const held = await ask("why is web not ready?", waiting(false), log);
    const other = await ask("why is web not ready?", waiting(true), log);

    expect(held.signal).toBe("InitContainerFailed");
    expect(held.answer).toContain("container agent of pod web-5d9-a has been running since");
    expect(held.answer).toContain("token audience not accepted");
    expect(other.signal).not.toBe("InitContainerFailed");
  });

  it("are pods to run beside that are in another namespace", async () => {
    const apart = (place: string) => {
      const affinity = {
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { labelSelector: { matchLabels: { app: "cache" } }, topologyKey: "zone" },
          ],
        },
      };
      const message = "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.";
      return [
        ...deployment("web", { ready: 0 }),
        pod({ name: "cache-1", namespace: place, labels: { app: "cache" } }),
        pod({
          name: "web-5d9-a",
          owner,
          labels,
          phase: "Pending",
          node: "",
          spec: { affinity },
          status: {
            conditions: [
              { type: "PodScheduled", status: "False", reason: "Unschedulable", message },
            ],
          },
        }),
      ];
    };
    const elsewhere = await ask("why is web pending?", apart("tools"));
    const beside = await ask("why is web pending?", apart("shop"));

    expect(elsewhere.answer).toContain("asks for a pod with app=cache in namespace shop");
    expect(elsewhere.answer).toContain("there are some in tools");
    expect(beside.answer).not.toContain("asks for a pod");
  });

  it("are two disruption budgets of one pod", async () => {
    const budget = (name: string, app: string) => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name, namespace: "shop" },
      spec: { selector: { matchLabels: { app } }, maxUnavailable: 1 },
      status: { disruptionsAllowed: 1, expectedPods: 1, currentHealthy: 1, desiredHealthy: 0 },
    });
    const running = [...deployment("web"), pod({ name: "web-5d9-a", owner, labels })];
    const two = await ask("what keeps n1 from being drained?", [
      ...running,
      budget("web", "web"),
      budget("all", "web"),
    ]);
    const one = await ask("what keeps n1 from being drained?", [
      ...running,
      budget("web", "web"),
      budget("other", "other"),
    ]);

    expect(two.answer).toContain("cannot be evicted");
    expect(one.answer).not.toContain("cannot be evicted");
  });

  it("is a label that no node has, of a DaemonSet", async () => {
    const agent = (nodeSelector: object) => ({
      apiVersion: "apps/v1",
      kind: "DaemonSet",
      metadata: { name: "agent", namespace: "shop" },
      spec: {
        selector: { matchLabels: { app: "agent" } },
        template: {
          metadata: { labels: { app: "agent" } },
          spec: { nodeSelector, containers: [] },
        },
      },
      status: { desiredNumberScheduled: 0, currentNumberScheduled: 0, numberReady: 0 },
    });
    const none = await ask("why does agent not run?", [agent({ disk: "ssd" })]);
    const any = await ask("why does agent not run?", [agent({})]);

    expect(none.answer).toContain("no node has the label disk=ssd");
    expect(any.answer).not.toContain("no node has");
  });

  it("is a port that is declared for another protocol", async () => {
    const clock = (protocol: string) => [
      ...deployment("web"),
      pod({
        name: "web-5d9-a",
        owner,
        labels,
        containerSpec: { ports: [{ containerPort: 8080, protocol }] },
      }),
      service("web", labels),
    ];
    const wrong = await ask("why does service web not answer?", clock("UDP"));
    const right = await ask("why does service web not answer?", clock("TCP"));

    expect(wrong.answer).toContain("8080/TCP");
    expect(right.answer).not.toContain("targetPort");
  });

  it("is the next run of a CronJob that replaces each before it is done", async () => {
    const counts = (lastSuccess: number) => ({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "count", namespace: "shop", creationTimestamp: ago(9_000) },
      spec: { schedule: "*/15 * * * *", concurrencyPolicy: "Replace" },
      status: {
        lastScheduleTime: ago(2),
        lastSuccessfulTime: ago(lastSuccess),
        active: [{ kind: "Job", name: "count-2" }],
      },
    });
    const never = await ask("why does count not finish?", [counts(3_000)]);
    const once = await ask("why does count not finish?", [counts(20)]);

    expect(never.signal).toBe("CronJobNotRunning");
    expect(never.answer).toContain("concurrencyPolicy is Replace");
    expect(once.answer).not.toContain("is deleted by the next one");
  });

  it("is a call of a running pod that is denied, on a board, and no other error in its log", async () => {
    const running = [...deployment("web"), pod({ name: "web-5d9-a", owner, labels })];
    const denial =
      'jobs.batch is forbidden: User "system:serviceaccount:shop:default" cannot list resource "jobs" in API group "batch" in the namespace "shop"';
    const denied = await ask("what is wrong in the cluster?", running, {
      "shop/web-5d9-a/web": denial,
    });
    const noisy = await ask("what is wrong in the cluster?", running, {
      "shop/web-5d9-a/web": "ERROR could not parse header of request 17",
    });

    expect(denied.signal).toBe("RBACDenied");
    expect(noisy.signal).toBe("Healthy");
  });

  it.each([
    [{ hostAliases: [{ ip: "10.9.9.9", hostnames: ["db.tools.svc"] }] }, "send that to 10.9.9.9"],
    [{ dnsPolicy: "None", dnsConfig: { nameservers: ["10.9.9.9"] } }, "its dnsPolicy is None"],
    [{}, undefined],
  ])("is what its own spec says of names: %j", async (spec, said) => {
    const { answer } = await ask(
      "why does web crash?",
      [
        ...deployment("web", { ready: 0 }),
        pod({ name: "web-5d9-a", owner, labels, container: crashing, spec }),
      ],
      { "shop/web-5d9-a/web#previous": "dial tcp: lookup db.tools.svc: no such host" },
    );

    if (said === undefined) expect(answer).not.toMatch(/hostAliases|dnsPolicy/);
    else expect(answer).toContain(said);
  });
});
