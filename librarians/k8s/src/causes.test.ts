import { describe, expect, it } from "vitest";
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
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

interface Asked {
  readonly signals: readonly string[];
  readonly answer: string;
  readonly sources: readonly string[];
  readonly code: string | undefined;
}

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
): Promise<Asked> {
  const { librarian } = createK8sLibrarian({
    reader: createInMemoryReader({ objects, logs, now }),
  });
  const { answer = "", metadata, sources = [], error } = await librarian(question);
  const facts = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return {
    answer,
    signals: facts.map(({ signal_type }) => signal_type),
    sources: sources.map(({ name }) => name),
    code: error?.code,
  };
}

const waiting = (reason: string, message: string) => ({
  ready: false,
  restartCount: 0,
  state: { waiting: { reason, message } },
});

describe("causes above what they look like", () => {
  it("OOMKilled over CrashLoopBackOff and missing replicas, said once for sibling pods", async () => {
    const { signals, answer, sources } = await ask("Why does checkout keep restarting?", shop());

    expect(signals[0]).toBe("OOMKilled");
    expect(signals.filter((one) => one === "OOMKilled")).toHaveLength(1);
    expect(signals).toContain("ReplicasUnavailable");
    expect(signals).not.toContain("CrashLoopBackOff");
    expect(answer).toContain("512Mi");
    expect(sources).toContain("shop/Deployment/checkout");
    expect(sources).toContain("shop/Pod/checkout-5d9-a");
  });

  it("a missing ConfigMap over a pod that does not start", async () => {
    const objects = [
      ...deployment("api", { ready: 0 }),
      pod({
        name: "api-5d9-a",
        owner: ["ReplicaSet", "api-5d9"],
        container: waiting("CreateContainerConfigError", 'configmap "api-config" not found'),
        phase: "Running",
      }),
    ];

    const { signals, answer } = await ask("Why is deployment api not available?", objects);

    expect(signals[0]).toBe("MissingReference");
    expect(answer).toContain("api-config");
  });

  it("a quota over pods that do not exist", async () => {
    const message =
      'pods "api-5d9-x" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=2, limited: pods=2';
    const condition = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message };
    const quota = {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "compute", namespace: "shop" },
      status: { hard: { pods: "2" }, used: { pods: "2" } },
    };

    const { signals, answer } = await ask("Why does api have no pods?", [
      ...deployment("api", { ready: 0, rsConditions: [condition], conditions: [condition] }),
      quota,
      event("ReplicaSet", "api-5d9", "FailedCreate", message),
    ]);

    expect(signals[0]).toBe("QuotaExceeded");
    expect(signals).toContain("ReplicasUnavailable");
    expect(answer).toContain("pods 2 of 2 used");
  });

  it("a quota that wants limits is not a used up quota", async () => {
    const condition = {
      type: "ReplicaFailure",
      status: "True",
      reason: "FailedCreate",
      message: "failed quota: compute: must specify limits.memory",
    };

    const { signals } = await ask(
      "Why does api have no pods?",
      deployment("api", { ready: 0, rsConditions: [condition] }),
    );

    expect(signals[0]).toBe("FailedCreate");
  });

  it("labels that differ over empty endpoints", async () => {
    const endpoints = {
      apiVersion: "v1",
      kind: "Endpoints",
      metadata: { name: "web", namespace: "shop" },
      subsets: [],
    };

    const { signals, answer } = await ask("Why does service web not answer?", [
      service("web", { app: "website" }),
      endpoints,
      pod({ name: "web-1", labels: { app: "web" } }),
    ]);

    expect(signals[0]).toBe("ServiceNoEndpoints");
    expect(answer).toContain("app=website");
    expect(answer).toContain("shop/Pod/web-1");
  });

  it("a class that does not exist over a pod that cannot be scheduled", async () => {
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data-db-0", namespace: "shop" },
      spec: { storageClassName: "fast" },
      status: { phase: "Pending" },
    };
    const db = pod({
      name: "db-0",
      phase: "Pending",
      node: "",
      spec: { volumes: [{ persistentVolumeClaim: { claimName: "data-db-0" } }] },
      status: {
        conditions: [
          {
            type: "PodScheduled",
            status: "False",
            reason: "Unschedulable",
            message: "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.",
          },
        ],
      },
    });
    const standard = {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "standard" },
      provisioner: "x",
    };

    const { signals, answer } = await ask("Why is db-0 pending?", [
      claim,
      db,
      standard,
      node("n1"),
    ]);

    expect(signals.slice(0, 2)).toEqual(["PVCPending", "FailedScheduling"]);
    expect(answer).toContain("fast");
  });

  it("a node that is gone over the pods that were on it", async () => {
    const lost = pod({
      name: "api-5d9-a",
      owner: ["ReplicaSet", "api-5d9"],
      node: "n2",
      status: { conditions: [{ type: "Ready", status: "False" }] },
    });

    const { signals } = await ask("Why is api not available?", [
      node("n1"),
      node("n2", { Ready: "Unknown" }),
      ...deployment("api", { ready: 0 }),
      lost,
    ]);

    expect(signals[0]).toBe("NodeNotReady");
    expect(signals).toContain("ReplicasUnavailable");
  });

  it("an image that cannot be pulled over a rollout that stands still, and why it cannot", async () => {
    const message =
      'Failed to pull image "shop/web:2": rpc error: code = NotFound desc = manifest unknown';
    const stuck = {
      type: "Progressing",
      status: "False",
      reason: "ProgressDeadlineExceeded",
      message: "timed out",
    };

    const { signals, answer } = await ask("Why is the rollout of web stuck?", [
      ...deployment("web", { ready: 0, conditions: [stuck] }),
      pod({
        name: "web-5d9-a",
        owner: ["ReplicaSet", "web-5d9"],
        container: waiting("ImagePullBackOff", "Back-off pulling image"),
        phase: "Running",
      }),
      event("Pod", "web-5d9-a", "Failed", message, { minutes: 6 }),
      event("Pod", "web-5d9-a", "BackOff", "Back-off pulling image", { minutes: 1, count: 143 }),
    ]);

    expect(signals[0]).toBe("ImagePullBackOff");
    expect(signals).toContain("RolloutStuck");
    expect(answer).toContain("was not found");
  });

  it("a claim whose class does not exist, said once for the set that made it", async () => {
    const missing = { storageClassName: "fast", resources: { requests: { storage: "50Gi" } } };
    const { signals, answer } = await ask("Why is db pending?", [
      {
        apiVersion: "apps/v1",
        kind: "StatefulSet",
        metadata: { name: "db", namespace: "shop", uid: "uid-db" },
        spec: {
          replicas: 1,
          serviceName: "",
          volumeClaimTemplates: [{ metadata: { name: "data" }, spec: missing }],
        },
        status: { replicas: 1, readyReplicas: 0 },
      },
      {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name: "db-0",
          namespace: "shop",
          ownerReferences: [{ kind: "StatefulSet", name: "db", uid: "uid-db" }],
        },
        spec: {
          containers: [{ name: "db" }],
          volumes: [{ name: "data", persistentVolumeClaim: { claimName: "data-db-0" } }],
        },
        status: { phase: "Pending" },
      },
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "data-db-0", namespace: "shop" },
        spec: missing,
        status: { phase: "Pending" },
      },
      {
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name: "standard" },
        provisioner: "csi",
      },
    ]);

    expect(signals).not.toContain("MissingReference");
    expect(signals[0]).toBe("PVCPending");
    expect(answer.match(/storage class fast does not exist/g)).toHaveLength(1);
  });

  it("the log of the run before shows why a container ends", async () => {
    const { signals, answer, sources } = await ask(
      "Why is api crashing?",
      [
        ...deployment("api", { ready: 0 }),
        pod({ name: "api-5d9-a", owner: ["ReplicaSet", "api-5d9"], container: crashing }),
      ],
      {
        "shop/api-5d9-a/web#previous":
          "starting\nFATAL: could not connect to db:5432: connection refused\n",
        "shop/api-5d9-a/web": "starting\n",
      },
    );

    expect(signals[0]).toBe("CrashLoopBackOff");
    expect(answer).toContain("could not connect to db:5432");
    expect(sources).toContain("shop/Pod/api-5d9-a/log/web#previous:2");
  });

  it("a call that access control refuses over the crash it ends in", async () => {
    const { signals } = await ask(
      "Why is api crashing?",
      [
        ...deployment("api", { ready: 0 }),
        pod({ name: "api-5d9-a", owner: ["ReplicaSet", "api-5d9"], container: crashing }),
      ],
      {
        "shop/api-5d9-a/web#previous":
          'Error: configmaps is forbidden: User "system:serviceaccount:shop:api" cannot list resource "configmaps"',
      },
    );

    expect(signals.slice(0, 2)).toEqual(["RBACDenied", "CrashLoopBackOff"]);
  });

  it("a port that a Service does not have over the status that callers get", async () => {
    const front = {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "front", namespace: "shop" },
      spec: {
        ingressClassName: "nginx",
        rules: [
          {
            host: "shop.example.com",
            http: { paths: [{ backend: { service: { name: "web", port: { number: 8081 } } } }] },
          },
        ],
      },
    };
    const { signals, answer } = await ask("shop.example.com returns a 503 since it was edited", [
      front,
      { apiVersion: "networking.k8s.io/v1", kind: "IngressClass", metadata: { name: "nginx" } },
      service("web", { app: "web" }),
    ]);

    expect(signals[0]).toBe("IngressBackendMissing");
    expect(answer).toContain("service web has no port 8081");
  });

  it("what kept the pods of a failed Job from running, after they are gone", async () => {
    const failed = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "load-7", namespace: "shop" },
      spec: { backoffLimit: 2 },
      status: {
        failed: 3,
        conditions: [{ type: "Failed", status: "True", reason: "BackoffLimitExceeded" }],
      },
    };
    const { signals, answer } = await ask("why did job load-7 fail?", [
      failed,
      event(
        "Pod",
        "load-7-k2x9q",
        "Failed",
        'Error: failed to start: exec: "/bin/lod": no such file or directory',
        { minutes: 9 },
      ),
    ]);

    expect(signals[0]).toBe("JobFailed");
    expect(answer).toContain("/bin/lod");
  });

  it("a heap that fills the memory limit is named with its flag, a small one is not", async () => {
    const java = (flag: string) => [
      ...deployment("java", { ready: 0 }),
      pod({
        name: "java-5d9-a",
        owner: ["ReplicaSet", "java-5d9"],
        labels: { app: "java" },
        container: oomKilled,
        containerSpec: {
          resources: { limits: { memory: "512Mi" } },
          args: ["java", `-Xms64m ${flag} -jar app.jar`],
        },
      }),
    ];
    const full = await ask("why is java killed?", java("-Xmx512m"));
    const small = await ask("why is java killed?", java("-Xmx128m"));

    expect(full.answer).toContain(
      "a heap of as much as the limit of 512Mi or more (-Xmx512m in args)",
    );
    expect(small.answer).not.toContain("Xmx");
  });

  it("a policy whose block of addresses leaves out the one that is called", async () => {
    const calling = (cidr: string, except: readonly string[] = []) =>
      ask(
        "why does web not reach the bank?",
        [
          node("n1"),
          ...deployment("web"),
          pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" } }),
          {
            apiVersion: "networking.k8s.io/v1",
            kind: "NetworkPolicy",
            metadata: { name: "bank", namespace: "shop" },
            spec: {
              podSelector: { matchLabels: { app: "web" } },
              policyTypes: ["Egress"],
              egress: [{ to: [{ ipBlock: { cidr, except } }], ports: [{ port: 443 }] }],
            },
          },
        ],
        { "shop/web-5d9-a/web": "level=error dial tcp 203.0.113.140:443: i/o timeout" },
      );

    const left = await calling("203.0.113.0/25");
    expect(left.signals[0]).toBe("NetworkPolicyBlocking");
    expect(left.answer).toContain("not to 203.0.113.140:443 outside the cluster");
    expect((await calling("203.0.113.0/24", ["203.0.113.128/26"])).signals[0]).toBe(
      "NetworkPolicyBlocking",
    );
    expect((await calling("203.0.113.0/24")).signals).not.toContain("NetworkPolicyBlocking");
    expect((await calling("2001:db8::/130")).signals).not.toContain("NetworkPolicyBlocking");
  });

  it("an autoscaler that may not grow, where it measures too much", async () => {
    const scaler = (now: number, selectPolicy: string) => ({
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web", namespace: "shop" },
      spec: {
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "web" },
        minReplicas: 1,
        maxReplicas: 9,
        behavior: { scaleUp: { selectPolicy } },
        metrics: [
          {
            type: "Resource",
            resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 70 } },
          },
        ],
      },
      status: {
        currentReplicas: 2,
        desiredReplicas: 2,
        conditions: [{ type: "ScalingActive", status: "True", reason: "ValidMetricFound" }],
        currentMetrics: [
          { type: "Resource", resource: { name: "cpu", current: { averageUtilization: now } } },
        ],
      },
    });
    const about = (now: number, selectPolicy: string) =>
      ask("why does hpa web not scale up?", [
        node("n1"),
        ...deployment("web", { wanted: 2, ready: 2 }),
        pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" } }),
        scaler(now, selectPolicy),
      ]);

    const kept = await about(188, "Disabled");
    expect(kept.signals[0]).toBe("HPAUnableToScale");
    expect(kept.answer).toContain('"selectPolicy":"Max"');
    expect((await about(50, "Disabled")).signals).not.toContain("HPAUnableToScale");
    expect((await about(188, "Max")).signals).not.toContain("HPAUnableToScale");
  });

  it("several causes are listed, none hides another", async () => {
    const { signals } = await ask("What is wrong in namespace shop?", [
      ...shop(),
      ...deployment("mail", { ready: 0 }),
      pod({
        name: "mail-5d9-a",
        owner: ["ReplicaSet", "mail-5d9"],
        container: waiting("ErrImagePull", "not found"),
        phase: "Running",
      }),
    ]);

    expect(signals).toContain("OOMKilled");
    expect(signals).toContain("ImagePullBackOff");
  });
});

describe("what is not wrong", () => {
  it("is said plainly, in one fact", async () => {
    const { signals, answer } = await ask("Is deployment cart healthy?", shop());

    expect(signals).toEqual(["Healthy"]);
    expect(answer).toMatch(/nothing is wrong/i);
    expect(answer).toContain("1/1 ready");
  });

  it("is said of a name alone that is asked about", async () => {
    const { signals } = await ask("Is cart healthy?", shop());

    expect(signals).toEqual(["Healthy"]);
  });

  it("an old kill of a container that runs well again is not reported as current", async () => {
    const recovered = {
      ready: true,
      restartCount: 1,
      state: { running: { startedAt: ago(600) } },
      lastState: { terminated: { reason: "OOMKilled", exitCode: 137, finishedAt: ago(601) } },
    };

    expect(
      (await ask("What is wrong with pod api-1?", [pod({ name: "api-1", container: recovered })]))
        .signals,
    ).toEqual(["Healthy"]);
    expect(
      (await ask("Why did pod api-1 restart?", [pod({ name: "api-1", container: recovered })]))
        .answer,
    ).toContain("earlier");
  });

  it("restarts of days ago, where it is asked how something is now, are history", async () => {
    const again = (minutes: number) => [
      ...deployment("web", { ready: 1 }),
      pod({
        name: "web-5d9-a",
        owner: ["ReplicaSet", "web-5d9"],
        labels: { app: "web" },
        container: {
          ready: true,
          restartCount: 14,
          state: { running: { startedAt: ago(minutes) } },
          lastState: { terminated: { reason: "Error", exitCode: 1, finishedAt: ago(minutes) } },
        },
      }),
    ];
    const question = "is web alright? one of its pods shows 14 restarts";
    const old = await ask(question, again(8 * 1_440));

    expect(old.signals).toEqual(["Healthy"]);
    expect(old.answer).toContain("restarted 14 times, the last time 2026-02-21 12:00 UTC");
    expect((await ask(question, again(20))).signals).toEqual(["CrashLoopBackOff"]);
    expect((await ask("why did web restart?", again(8 * 1_440))).signals).toEqual([
      "CrashLoopBackOff",
    ]);
  });

  it("a workload that its autoscaler, or a person, has sent to rest", async () => {
    const [resting = {}] = deployment("web", { wanted: 0, ready: 0 }) as readonly {
      readonly metadata?: object;
    }[];
    const deactivated = event(
      "Deployment",
      "web",
      "KEDAScaleTargetDeactivated",
      "Deactivated apps/v1.Deployment shop/web from 2 to 0",
    );
    const closed = {
      ...resting,
      metadata: { ...resting.metadata, annotations: { "shop.example/season": "opens in May" } },
    };
    const question = "web has no pods, is it down?";

    expect((await ask(question, [node("n1"), resting, deactivated])).signals).toEqual(["Healthy"]);
    expect((await ask(question, [node("n1"), closed])).signals).toEqual(["Healthy"]);
    expect((await ask(question, [node("n1"), resting])).signals).toEqual(["ScaledToZero"]);
  });

  it("a job that failed weeks ago, unless it is named", async () => {
    const job = (days: number) => ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "import", namespace: "shop" },
      status: {
        failed: 1,
        conditions: [
          {
            type: "Failed",
            status: "True",
            reason: "BackoffLimitExceeded",
            lastTransitionTime: ago(days * 1_440),
          },
        ],
      },
    });
    const around = [namespace("shop"), node("n1"), pod({ name: "api-1" })];

    const old = await ask("Is anything wrong?", [...around, job(20)]);
    expect(old.signals).toEqual(["Healthy"]);
    expect(old.answer).toContain("import");
    expect((await ask("Is anything wrong?", [...around, job(1)])).signals[0]).toBe("JobFailed");
    expect((await ask("why did job import fail?", [...around, job(20)])).signals[0]).toBe(
      "JobFailed",
    );
  });

  it("a warning about a node that is ready, for what runs there", async () => {
    const objects = [
      node("n1"),
      pod({ name: "api-1" }),
      event("Node", "n1", "MaintenanceScheduled", "The host is replaced on Sunday"),
    ];

    expect((await ask("is api-1 slow because of its node?", objects)).signals).not.toContain(
      "NodePressure",
    );
  });

  it("cannot be said of a namespace in which nothing runs", async () => {
    const { answer, signals } = await ask("what is wrong in payroll?", [
      namespace("payroll"),
      namespace("shop"),
      node("n1"),
      pod({ name: "api-1" }),
    ]);

    expect(signals).toEqual([]);
    expect(answer).toContain("nothing that runs in namespace payroll");
  });

  it("a CronJob that a person has suspended, and said why", async () => {
    const campaign = (annotations?: object) => ({
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "campaign", namespace: "shop", annotations },
      spec: { schedule: "0 9 * * 1", suspend: true },
      status: { lastScheduleTime: ago(40 * 1_440) },
    });
    const question = "why did campaign not run this week? is it broken?";
    const noted = { "shop.example/comment": "suspended on purpose: the campaign is over" };

    expect((await ask(question, [node("n1"), campaign()])).signals[0]).toBe("CronJobSuspended");
    const meant = await ask(question, [node("n1"), campaign(noted)]);
    expect(meant.signals).not.toContain("CronJobSuspended");
    expect(meant.answer).toContain("suspended");
  });

  it("a stale event of a pod that has a node since", async () => {
    const objects = [
      pod({ name: "api-1" }),
      event("Pod", "api-1", "FailedScheduling", "0/3 nodes are available"),
    ];

    expect((await ask("Is pod api-1 healthy?", objects)).signals).toEqual(["Healthy"]);
  });

  it("a job that completed after a retry, and a pod that ended well", async () => {
    const job = {
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name: "mail", namespace: "shop" },
      spec: {},
      status: { failed: 1, succeeded: 1, conditions: [{ type: "Complete", status: "True" }] },
    };
    const ended = pod({
      name: "mail-x",
      owner: ["Job", "mail"],
      phase: "Succeeded",
      container: { ready: false, state: { terminated: { exitCode: 255, reason: "Error" } } },
    });

    expect((await ask("Did job mail fail?", [job, ended])).signals).toEqual(["Healthy"]);
  });

  it("a condition of a node that is well as it is, and a claim that waits for its first pod", async () => {
    const claim = {
      apiVersion: "v1",
      kind: "PersistentVolumeClaim",
      metadata: { name: "data", namespace: "shop" },
      spec: { storageClassName: "local" },
      status: { phase: "Pending" },
    };
    const local = {
      apiVersion: "storage.k8s.io/v1",
      kind: "StorageClass",
      metadata: { name: "local" },
      volumeBindingMode: "WaitForFirstConsumer",
    };

    expect(
      (await ask("Is node n1 healthy?", [node("n1", { Ready: "True", EtcdIsVoter: "True" })]))
        .signals,
    ).toEqual(["Healthy"]);
    expect((await ask("What is wrong in the cluster?", [claim, local])).signals).toEqual([
      "Healthy",
    ]);
  });
});

describe("names in questions", () => {
  it("are found misspelt, in part and by label", async () => {
    for (const question of [
      "why is chekcout restarting?",
      "why does the checkout service restart?",
      "what is wrong with app=checkout?",
      "what is wrong with shop/Deployment/checkout?",
    ]) {
      expect((await ask(question, shop())).signals[0], question).toBe("OOMKilled");
    }
  });

  it("that fit several things are asked back, with the candidates", async () => {
    const objects = [
      ...shop(),
      namespace("staging"),
      ...deployment("checkout", { namespace: "staging" }),
    ];
    const { librarian } = createK8sLibrarian({ reader: createInMemoryReader({ objects, now }) });

    const { error } = await librarian("how is deployment checkout?");

    expect(error).toMatchObject({
      code: "INVALID_QUERY",
      details: { candidates: ["shop/Deployment/checkout", "staging/Deployment/checkout"] },
    });
    expect((await librarian("why does deployment checkout restart in shop?")).answer).toContain(
      "OOMKilled",
    );
  });

  it("that fit several things mean the one that fails, and the others are named", async () => {
    const staging = deployment("checkout", { namespace: "staging" });

    for (const question of ["why does checkout restart?", "what is wrong with checkout?"]) {
      const { signals, answer } = await ask(question, [...shop(), ...staging]);

      expect(signals[0], question).toBe("OOMKilled");
      expect(answer).toContain("The same name, and nothing wrong: `staging/Deployment/checkout`.");
    }
  });

  it("of kinds that are not ready have whatever keeps them from it", async () => {
    for (const question of ["Which pods are not ready?", "Which deployments are unavailable?"]) {
      expect((await ask(question, shop())).signals, question).toContain("OOMKilled");
    }
  });

  it("that fit several things that fail are asked back", async () => {
    const staging = deployment("checkout", { namespace: "staging", ready: 0 });

    const { code } = await ask("why does checkout restart?", [...shop(), ...staging]);

    expect(code).toBe("INVALID_QUERY");
  });

  it("that nothing has are not found, with names like it", async () => {
    const { librarian } = createK8sLibrarian({
      reader: createInMemoryReader({ objects: shop(), now }),
    });

    const { error } = await librarian("what is wrong with pod checkoutx-99?");

    expect(error).toMatchObject({ code: "NOT_FOUND", details: { reason: "no-information" } });
  });

  it("a kind narrows a question about everything", async () => {
    const { signals } = await ask("Which nodes are not ready?", [
      ...shop(),
      node("n2", { Ready: "False" }),
    ]);

    expect(signals[0]).toBe("NodeNotReady");
    expect(signals).not.toContain("OOMKilled");
  });

  it("a namespace that does not exist is not found", async () => {
    expect((await ask("What is wrong in namespace nosuch?", shop())).code).toBe("NOT_FOUND");
  });

  it("a question after a list is not answered with something else", async () => {
    const { signals, answer } = await ask("Which pods are pending?", shop());

    expect(signals).toEqual([]);
    expect(answer).toMatch(/0 of \d pods in the cluster are pending/);
    expect(answer).not.toContain("OOMKilled");
  });

  it("a drain is decided by the budgets of the pods on a node, a connection by the policies of both ends", async () => {
    const labels = { app: "api" };
    const budget = {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name: "api-budget", namespace: "shop" },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
      status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    };
    const policy = {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "closed", namespace: "shop" },
      spec: { podSelector: { matchLabels: labels }, policyTypes: ["Ingress"] },
    };
    const objects = [
      node("n1"),
      ...deployment("api"),
      pod({ name: "api-5d9-a", owner: ["ReplicaSet", "api-5d9"], labels }),
      ...deployment("web"),
      budget,
      policy,
    ];

    expect((await ask("Why can node n1 not be drained?", objects)).signals[0]).toBe("PDBBlocking");
    expect((await ask("Why can web not connect to api?", objects)).signals[0]).toBe(
      "NetworkPolicyBlocking",
    );
  });

  it("Succeeded does not hide that memory ran out", async () => {
    const ended = pod({
      name: "batch-1",
      phase: "Succeeded",
      containerSpec: memoryLimit,
      container: {
        ready: false,
        state: { terminated: { exitCode: 0, reason: "OOMKilled", finishedAt: ago(5) } },
      },
    });

    expect((await ask("What happened to pod batch-1?", [ended])).signals[0]).toBe("OOMKilled");
    expect(oomKilled).toBeDefined();
  });
});
