import { describe, expect, it } from "vitest";
import {
  ago,
  crashing,
  deployment,
  event,
  namespace,
  node,
  now,
  oomKilled,
  pod,
  service,
} from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

async function ask(question: string, objects: readonly unknown[]) {
  const reader = createInMemoryReader({ objects, now });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly Readonly<Record<string, unknown>>[];
  return { answer, facts };
}

/** A workload whose only pod crashes since so many minutes. */
function broken(name: string, place: string, minutes: number, container: object = crashing) {
  return [
    ...deployment(name, { namespace: place, ready: 0 }),
    pod({
      name: `${name}-5d9-a`,
      namespace: place,
      owner: ["ReplicaSet", `${name}-5d9`],
      labels: { app: name },
      container,
      status: {
        conditions: [{ type: "Ready", status: "False", lastTransitionTime: ago(minutes) }],
      },
    }),
  ];
}

const rowsOf = (answer: string) => answer.split("\n").filter((line) => /^\| \d/.test(line));

describe("the board of a cluster", () => {
  it("has every cause once, with since when and what it takes down, and counts them", async () => {
    const names = Array.from({ length: 30 }, (_, index) => `app-${index}`);
    const objects = [
      node("n1"),
      namespace("shop"),
      ...names.flatMap((name, index) => broken(name, "shop", index + 5)),
    ];

    const { answer, facts } = await ask("What is wrong in the cluster right now?", objects);

    expect(rowsOf(answer)).toHaveLength(30);
    for (const name of names) expect(answer).toContain(`\`shop/${name}\``);
    expect(answer).toContain("Found 30, shown 30.");
    expect(answer.length).toBeLessThanOrEqual(4_000);
    for (const name of names)
      expect(facts.some((fact) => fact.owner === `shop/apps/Deployment/${name}`)).toBe(true);
  });

  it("says of each cause why it is so, also of one that may be wrong and of what a finalizer keeps", async () => {
    const killed = {
      ...oomKilled,
      lastState: { terminated: { reason: "Error", exitCode: 137, finishedAt: ago(3) } },
    };
    const done = {
      ...oomKilled,
      lastState: { terminated: { reason: "Completed", exitCode: 0, finishedAt: ago(3) } },
    };
    const { answer } = await ask("What is wrong in every namespace? checkout users complain", [
      node("n1"),
      namespace("shop"),
      namespace("pay"),
      ...broken("checkout", "shop", 5, killed),
      event("Pod", "checkout-5d9-a", "Unhealthy", "Liveness probe failed: no answer"),
      ...broken("once", "pay", 5, done),
      ...deployment("whole", { namespace: "pay", ready: 1 }),
      pod({
        name: "whole-5d9-a",
        namespace: "pay",
        owner: ["ReplicaSet", "whole-5d9"],
        labels: { app: "whole" },
        containerSpec: { ports: [{ containerPort: 9000 }] },
      }),
      service("whole", { app: "whole" }, "pay"),
      {
        ...pod({ name: "left-1", namespace: "pay", owner: ["ReplicaSet", "whole-5d9"] }),
        metadata: {
          name: "left-1",
          namespace: "pay",
          finalizers: ["example.com/keep"],
          deletionTimestamp: ago(60),
          ownerReferences: [{ kind: "ReplicaSet", name: "whole-5d9", controller: true }],
        },
      },
    ]);

    const rows = rowsOf(answer);
    const rowOf = (name: string) => rows.find((row) => row.includes(name));
    expect(rowOf("shop/Deployment/checkout")).toContain("Liveness probe failed");
    expect(rowOf("pay/Deployment/once")).toContain("exit code 0");
    expect(rowOf("StuckTerminating")).toContain("finalizer");
    expect(rowOf("pay/Service/whole")).toMatch(/targetPort 8080.*\| \.46 \|$/);
  });

  it("is of all of the cluster where a word of grammar stands behind the one for a namespace", async () => {
    const { answer } = await ask("full list of outages, grouped by namespace if you can", [
      node("n1"),
      namespace("shop"),
      namespace("pay"),
      ...broken("checkout", "shop", 5),
      ...broken("ledger", "pay", 5),
    ]);

    expect(rowsOf(answer)).toHaveLength(2);
  });

  it("is of all of the cluster where that has a name like one of its namespaces", async () => {
    const failing = (place: string) => [
      namespace(place),
      pod({
        name: `bot-${place}`,
        namespace: place,
        container: {
          ready: false,
          restartCount: 9,
          state: { waiting: { reason: "CrashLoopBackOff" } },
        },
      }),
    ];
    const { answer } = await ask(
      "which things in the shop cluster are broken right now, with the cause of each?",
      [...failing("shop-prd"), ...failing("till")],
    );
    expect(answer).toContain("bot-till");
  });

  it("says how many rows it leaves out, and the facts have them", async () => {
    const names = Array.from({ length: 90 }, (_, index) => `application-number-${index}`);
    const objects = [
      node("n1"),
      namespace("shop"),
      ...names.flatMap((name) => broken(name, "shop", 30)),
    ];

    const { answer, facts } = await ask("What is wrong?", objects);

    const shown = rowsOf(answer).length;
    expect(shown).toBeLessThan(90);
    expect(answer).toContain(`Found 90, shown ${shown}, the rest in metadata.facts.`);
    expect(new Set(facts.map((fact) => fact.owner)).size).toBeGreaterThanOrEqual(90);
  });

  it("puts an outage that users see first, and old trouble of a sandbox last", async () => {
    const ingress = {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "site", namespace: "shop" },
      spec: {
        rules: [
          {
            host: "shop.example.com",
            http: {
              paths: [{ path: "/", backend: { service: { name: "site", port: { number: 80 } } } }],
            },
          },
        ],
      },
    };
    const objects = [
      node("n1"),
      namespace("shop"),
      namespace("play", { env: "sandbox" }),
      ...broken("old", "play", 60 * 24 * 30, oomKilled),
      ...broken("worker", "shop", 20),
      ...broken("site", "shop", 20),
      service("site", { app: "site" }),
      ingress,
    ];

    const { answer } = await ask("What is wrong in the cluster?", objects);

    const rows = rowsOf(answer);
    const [first = ""] = rows;
    const last = rows.at(-1) ?? "";
    expect(first).toContain("shop/Deployment/site");
    expect(first).toContain("1 pod, Service site, shop.example.com");
    expect(last).toContain("play/Deployment/old");
    expect(last).toContain("(not production)");
  });
});

describe("what fails again and again", () => {
  const running = pod({
    name: "web-5d9-a",
    owner: ["ReplicaSet", "web-5d9"],
    labels: { app: "web" },
  });
  const base = [namespace("shop"), node("n1"), ...deployment("web"), running];
  const evicted = (minutes: number) =>
    pod({
      name: `web-5d9-e${minutes}`,
      owner: ["ReplicaSet", "web-5d9"],
      phase: "Failed",
      status: {
        reason: "Evicted",
        message: "The node was low on resource: memory.",
        startTime: ago(minutes),
        containerStatuses: [],
      },
    });

  it("is a workload whose pods were evicted four times, the last a moment ago", async () => {
    const { answer, facts } = await ask("is web ok?", [
      ...base,
      ...[310, 200, 110, 12].map(evicted),
    ]);

    expect(facts[0]).toMatchObject({
      signal_type: "Evicted",
      recurrence: "4 times in 5 h, the last 12 min ago, likely again",
    });
    expect(answer).not.toContain("Healthy");
  });

  it("is not one that was evicted twice last week", async () => {
    const { facts } = await ask("is web ok?", [...base, ...[10_000, 9_900].map(evicted)]);

    expect(facts[0]).toMatchObject({ signal_type: "Healthy" });
  });

  const restarted = (minutes: number) => [
    namespace("shop"),
    node("n1"),
    ...deployment("web"),
    pod({
      name: "web-5d9-a",
      owner: ["ReplicaSet", "web-5d9"],
      labels: { app: "web" },
      status: { startTime: ago(1_440) },
      container: {
        restartCount: 12,
        state: { running: { startedAt: ago(minutes) } },
        lastState: {
          terminated: {
            reason: "OOMKilled",
            exitCode: 137,
            startedAt: ago(minutes + 110),
            finishedAt: ago(minutes),
          },
        },
      },
    }),
  ];

  it("is a container that runs now and was killed every two hours since its pod began", async () => {
    const { facts } = await ask("is web healthy?", restarted(70));

    expect(facts[0]).toMatchObject({ signal_type: "OOMKilled" });
    expect(facts[0]?.recurrence).toMatch(/^12 times in 23 h, the last 70 min ago/);
  });

  it("is not a container that has run for many times as long as before", async () => {
    const { facts } = await ask("is web healthy?", restarted(900));

    expect(facts[0]).toMatchObject({ signal_type: "Healthy" });
  });

  it("is a node that lost its kubelet several times and is ready now, but not one that did so once", async () => {
    const lost = (count: number) => [
      namespace("shop"),
      node("n1"),
      event("Node", "n1", "NodeNotReady", "Node n1 status is now: NodeNotReady", {
        type: "Normal",
        count,
      }),
    ];

    expect((await ask("is node n1 ok?", lost(4))).facts[0]).toMatchObject({
      signal_type: "NodeNotReady",
    });
    expect((await ask("is node n1 ok?", lost(1))).facts[0]).toMatchObject({
      signal_type: "Healthy",
    });
  });

  it("is a pod whose readiness probe fails all the time, and not one whose probe failed as it began", async () => {
    const probes = (count: number) => [
      ...base,
      event("Pod", "web-5d9-a", "Unhealthy", "Readiness probe failed: HTTP probe failed: 503", {
        count,
      }),
    ];

    expect((await ask("is web ok?", probes(40))).facts[0]).toMatchObject({
      signal_type: "ReadinessProbeFailed",
    });
    expect((await ask("is web ok?", probes(3))).facts[0]).toMatchObject({ signal_type: "Healthy" });
  });
});
