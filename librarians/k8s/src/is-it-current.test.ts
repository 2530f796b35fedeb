import { describe, expect, it } from "vitest";
import { ago, deployment, event, namespace, node, now, pod } from "../test/objects.js";
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
    readonly is_current?: boolean;
  }[];
  return { answer, signal: facts[0]?.signal_type, isCurrent: facts[0]?.is_current !== false };
}

const running = pod({
  name: "web-5d9-a",
  owner: ["ReplicaSet", "web-5d9"],
  labels: { app: "web" },
});
const evicted = pod({
  name: "web-5d9-old",
  owner: ["ReplicaSet", "web-5d9"],
  phase: "Failed",
  status: {
    reason: "Evicted",
    message: "The node was low on resource: ephemeral-storage.",
    startTime: ago(60 * 24 * 5),
    containerStatuses: [],
  },
});

describe("what is over", () => {
  it("is a pod that was evicted and replaced: history, and nothing that is wrong now", async () => {
    const objects = [namespace("shop"), node("n1"), ...deployment("web"), running, evicted];

    expect((await ask("is web down? there are evicted pods", objects)).signal).toBe("Healthy");
    const { signal, isCurrent } = await ask("why was web-5d9-old evicted?", objects);
    expect([signal, isCurrent]).toEqual(["Evicted", false]);
  });

  it("is not a pod that was evicted and has no one in its place", async () => {
    const { signal, isCurrent } = await ask("is web down?", [
      namespace("shop"),
      node("n1"),
      ...deployment("web", { ready: 0 }),
      evicted,
    ]);

    expect([signal, isCurrent]).toEqual(["Evicted", true]);
  });

  it("are the events of a pod that its workload has replaced", async () => {
    const { signal } = await ask("is web still crashing?", [
      namespace("shop"),
      node("n1"),
      ...deployment("web"),
      running,
      event(
        "Pod",
        "web-7c4-z",
        "BackOff",
        "Back-off restarting failed container web in pod web-7c4-z",
      ),
    ]);

    expect(signal).toBe("Healthy");
  });
});

describe("what has only just begun", () => {
  const starting = (seconds: number) => ({
    ...(pod({ name: "web-9f1-b", owner: ["ReplicaSet", "web-5d9"], phase: "Pending" }) as object),
    metadata: {
      name: "web-9f1-b",
      namespace: "shop",
      creationTimestamp: new Date(now - seconds * 1_000).toISOString(),
      ownerReferences: [{ kind: "ReplicaSet", name: "web-5d9", controller: true }],
    },
  });
  const [object, set] = deployment("web");
  const rollout = {
    ...object,
    status: { replicas: 2, readyReplicas: 1, availableReplicas: 1, unavailableReplicas: 1 },
  };

  it.each([
    [20, "Healthy"],
    [600, "ReplicasUnavailable"],
  ])("a pod of a rollout that is %i s old", async (seconds, expected) => {
    const { signal } = await ask("is deployment web ok?", [
      namespace("shop"),
      node("n1"),
      rollout,
      set,
      running,
      starting(seconds),
    ]);

    expect(signal).toBe(expected);
  });
});

describe("a status that is older than its spec", () => {
  it("is a finding, although every count in it is as wanted", async () => {
    const [object, set] = deployment("web");
    const stale = {
      ...object,
      metadata: { name: "web", namespace: "shop", uid: "uid-web", generation: 7 },
      status: { observedGeneration: 6, replicas: 1, readyReplicas: 1, availableReplicas: 1 },
    };
    const { signal, answer } = await ask("deployment web still runs the old image, why?", [
      namespace("shop"),
      node("n1"),
      stale,
      set,
      running,
    ]);

    expect(signal).toBe("RolloutStuck");
    expect(answer).toContain("generation 6 of 7");
  });
});

describe("a pod that others have replaced", () => {
  const crash = event(
    "Pod",
    "web-7c4-z",
    "BackOff",
    "Back-off restarting failed container web in pod web-7c4-z",
  );
  const crashing = pod({
    name: "web-5d9-b",
    owner: ["ReplicaSet", "web-5d9"],
    labels: { app: "web" },
    container: {
      ready: false,
      restartCount: 9,
      state: { waiting: { reason: "CrashLoopBackOff" } },
      lastState: { terminated: { reason: "Error", exitCode: 1, finishedAt: ago(1) } },
    },
  });
  const cluster = (...more: readonly unknown[]) => [
    namespace("shop"),
    node("n1"),
    ...deployment("web"),
    ...more,
  ];

  it("is named as over, and not as what is wrong", async () => {
    const { answer, signal } = await ask("is web ok?", cluster(running, crash));

    expect(signal).toBe("Healthy");
    expect(answer).toContain("Over: CrashLoopBackOff of `shop/Pod/web-7c4-z`");
  });

  it("is the answer to a question after what was", async () => {
    const found = await ask("why did web-7c4-z crash?", cluster(running, crash));

    expect([found.signal, found.isCurrent]).toEqual(["CrashLoopBackOff", false]);
  });

  it("is not the answer to a question after what is, whatever that says of before", async () => {
    const { signal } = await ask(
      "what is going on with web, it was fine yesterday?",
      cluster(running, crash),
    );

    expect(signal).toBe("Healthy");
  });

  it("is not one of a workload whose pods were not read", async () => {
    expect((await ask("is web ok?", cluster(crash))).signal).toBe("CrashLoopBackOff");
  });

  it("is one that is being deleted, and not one that stays", async () => {
    const leaving = {
      ...crashing,
      metadata: {
        ...(crashing as { readonly metadata: object }).metadata,
        deletionTimestamp: ago(0.2),
        deletionGracePeriodSeconds: 30,
      },
    };

    expect((await ask("is web ok?", cluster(running, leaving))).signal).toBe("Healthy");
    expect((await ask("is web ok?", cluster(running, crashing))).signal).toBe("CrashLoopBackOff");
  });

  it("is one that was evicted, where another runs in its place and crashes", async () => {
    const found = await ask(
      "some evicted pods of web, otherwise fine?",
      cluster(crashing, evicted),
    );

    expect(found.signal).toBe("CrashLoopBackOff");
    expect(found.answer).toContain("Over: Evicted");
  });
});

describe("a pod within the limits of its probes", () => {
  const born = (minutes: number, more: object = {}) => {
    const made = pod({
      name: "web-5d9-a",
      owner: ["ReplicaSet", "web-5d9"],
      labels: { app: "web" },
      container: {
        ready: false,
        started: true,
        state: { running: { startedAt: ago(minutes) } },
        ...more,
      },
      containerSpec: { readinessProbe: { initialDelaySeconds: 240, periodSeconds: 10 } },
    }) as { readonly metadata: object };
    return { ...made, metadata: { ...made.metadata, creationTimestamp: ago(minutes) } };
  };
  const asked = (one: object, ...more: readonly unknown[]) =>
    ask("is web broken? it is at 0/1", [
      namespace("shop"),
      node("n1"),
      ...deployment("web", { ready: 0 }),
      one,
      ...more,
    ]);

  it("cannot be judged yet, and is not called healthy", async () => {
    const { answer, signal } = await asked(born(3));

    expect(signal).toBeUndefined();
    expect(answer).toContain("too early to say");
    expect(answer).toContain("its readinessProbe gives it 270 s");
  });

  it("fails when they have passed", async () => {
    expect((await asked(born(5))).signal).toBe("ReadinessProbeFailed");
  });

  it("fails within them when it was restarted", async () => {
    const restarted = born(3, {
      restartCount: 3,
      lastState: { terminated: { reason: "Error", exitCode: 1, finishedAt: ago(3) } },
    });

    expect((await asked(restarted)).signal).toBe("CrashLoopBackOff");
  });

  it.each([
    [
      "that no node takes",
      { node: "", phase: "Pending" },
      "FailedScheduling",
      "0/3 nodes are available: 3 Insufficient cpu.",
    ],
    [
      "whose volume fails",
      { phase: "Pending" },
      "FailedMount",
      "MountVolume.SetUp failed for volume data: exit status 32",
    ],
  ])("is no reason to wait for one %s", async (_, parts, reason, message) => {
    const made = pod({
      name: "web-5d9-a",
      owner: ["ReplicaSet", "web-5d9"],
      labels: { app: "web" },
      ...parts,
    }) as { readonly metadata: object };
    const young = { ...made, metadata: { ...made.metadata, creationTimestamp: ago(0.3) } };
    const { signal } = await asked(
      young,
      event("Pod", "web-5d9-a", reason, message, { minutes: 0.1 }),
    );

    expect(signal).toBe(reason);
  });

  it("explains no crash of what it serves", async () => {
    const { signal } = await asked(
      born(3),
      pod({
        name: "web-5d9-c",
        owner: ["ReplicaSet", "web-5d9"],
        labels: { app: "web" },
        container: {
          ready: false,
          restartCount: 4,
          state: { waiting: { reason: "CrashLoopBackOff" } },
        },
      }),
    );

    expect(signal).toBe("CrashLoopBackOff");
  });
});

describe("a change of a moment ago", () => {
  const edited = (seconds: number, status: object) => ({
    apiVersion: "cert-manager.io/v1",
    kind: "Certificate",
    metadata: {
      name: "web-tls",
      namespace: "shop",
      generation: 3,
      managedFields: [{ manager: "kubectl", time: new Date(now - seconds * 1_000).toISOString() }],
    },
    spec: { secretName: "web-tls" },
    status,
  });

  it.each([
    ["the status", { observedGeneration: 2 }],
    ["its conditions", { conditions: [{ type: "Ready", status: "True", observedGeneration: 2 }] }],
  ])("that %s does not speak of yet cannot be judged", async (_, status) => {
    const { answer, signal } = await ask("is certificate web-tls ok?", [
      namespace("shop"),
      edited(5, { conditions: [{ type: "Ready", status: "True" }], ...status }),
    ]);

    expect(signal).toBeUndefined();
    expect(answer).toContain("observed generation 2 of 3");
  });

  it("is a finding when it has waited for long", async () => {
    const { signal } = await ask("is certificate web-tls ok?", [
      namespace("shop"),
      edited(900, { conditions: [{ type: "Ready", status: "True" }], observedGeneration: 2 }),
    ]);

    expect(signal).toBe("CertificateNotReady");
  });
});

describe("what was asked for", () => {
  const [object] = deployment("preview", { wanted: 0, ready: 0 });
  const objects = [namespace("shop"), node("n1"), ...deployment("web"), running, object];

  it("is named beside the answer of a question that names nothing", async () => {
    const { answer, signal } = await ask("any problems in namespace shop?", objects);

    expect(signal).toBe("Healthy");
    expect(answer).toContain("As asked for: ScaledToZero of `shop/Deployment/preview`");
  });

  it("is the answer where it is asked about", async () => {
    expect((await ask("why does preview not run?", objects)).signal).toBe("ScaledToZero");
  });
});

describe("a Job that failed", () => {
  const run = (name: string, minutes: number, status: object) => ({
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      name,
      namespace: "shop",
      creationTimestamp: ago(minutes),
      ownerReferences: [{ kind: "CronJob", name: "dump", controller: true }],
    },
    spec: {},
    status,
  });
  const cron = {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "dump", namespace: "shop" },
    spec: { schedule: "0 * * * *" },
    status: { lastScheduleTime: ago(30) },
  };
  const failed = { failed: 3, conditions: [{ type: "Failed", status: "True" }] };
  const complete = {
    succeeded: 1,
    completionTime: ago(25),
    conditions: [{ type: "Complete", status: "True" }],
  };

  it.each([
    ["over when a later run completed", [90, 30], "Healthy"],
    ["not over when an earlier one did", [30, 90], "JobFailed"],
  ] as const)("is %s", async (_, [failedAgo, completedAgo], expected) => {
    const { signal } = await ask("cronjob dump failed, is it fine now?", [
      namespace("shop"),
      running,
      cron,
      run("dump-1", failedAgo, failed),
      run("dump-2", completedAgo, complete),
    ]);

    expect(signal).toBe(expected);
  });
});

describe("a pod of a Job that failed", () => {
  const run = (name: string, minutes: number, type: "Failed" | "Complete") => [
    {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: {
        name,
        namespace: "shop",
        creationTimestamp: ago(minutes),
        ownerReferences: [{ kind: "CronJob", name: "dump", controller: true }],
      },
      spec: {},
      status: { conditions: [{ type, status: "True" }] },
    },
    pod({
      name: `${name}-x`,
      owner: ["Job", name],
      phase: type === "Failed" ? "Failed" : "Succeeded",
      container: {
        ready: false,
        state: { terminated: { exitCode: type === "Failed" ? 1 : 0, reason: "Error" } },
      },
    }),
  ];

  it("is over after a later run, also where the CronJob was not read", async () => {
    const { answer, signal } = await ask("dump has a pod in Error, do we have to do something?", [
      namespace("shop"),
      node("n1"),
      ...run("dump-1", 300, "Failed"),
      ...run("dump-2", 60, "Complete"),
    ]);

    expect(signal === undefined || signal === "Healthy").toBe(true);
    expect(answer).toContain("Over: ");
  });
});

describe("a kind that was not read", () => {
  it("leaves open whether an Ingress has its Service", async () => {
    const { answer, signal } = await ask("does ingress web work?", [
      namespace("shop"),
      ...deployment("web"),
      running,
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "web", namespace: "shop" },
        spec: {
          ingressClassName: "nginx",
          defaultBackend: { service: { name: "web", port: { number: 80 } } },
        },
      },
    ]);

    expect(signal).toBeUndefined();
    expect(answer).toContain("services were not read");
  });
});

describe("a word in a log that begins like the number of an error", () => {
  it("is not an error", async () => {
    const { signal } = await ask(
      "web fails now and then, is pod web-5d9-a well?",
      [namespace("shop"), node("n1"), ...deployment("web"), running],
      { "shop/web-5d9-a/web": "queue empty\nevery event was sent\n" },
    );

    expect(signal).not.toBe("ApplicationError");
  });
});
