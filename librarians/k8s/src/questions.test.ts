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
  query: string,
  objects: readonly unknown[],
  { logs = {}, partial = false }: { logs?: Record<string, string>; partial?: boolean } = {},
) {
  const reader = createInMemoryReader({ objects, logs, now, partial });
  const {
    answer = "",
    metadata,
    sources = [],
    error,
    confidence,
    partial: isPartial,
  } = await createK8sLibrarian({
    reader,
  }).librarian(query);
  const facts = (metadata?.facts ?? []) as readonly {
    readonly signal_type: string;
    readonly caused_by?: { readonly signal_type: string };
  }[];
  return {
    answer,
    facts,
    signals: facts.map(({ signal_type }) => signal_type),
    sources: sources.map(({ name }) => name),
    error,
    confidence,
    isPartial,
    metadata,
  };
}

const workload = (name: string, container?: object) => [
  ...deployment(name, { ready: container === undefined ? 1 : 0 }),
  pod({
    name: `${name}-5d9-a`,
    owner: ["ReplicaSet", `${name}-5d9`],
    labels: { app: name },
    ...(container !== undefined && { container }),
  }),
];

describe("requests that reading cannot meet", () => {
  it.each([
    "delete all pods in shop",
    "please scale checkout to 3",
    "can you restart the checkout deployment?",
    "checkout is broken, restart it",
    "drain node n1",
  ])("%j is answered with what this librarian does, before anything else", async (query) => {
    const { answer, metadata } = await ask(query, workload("checkout", crashing));

    expect(answer).toMatch(/^\*\*This librarian only reads/);
    expect(metadata).toMatchObject({ facts: [], refused: "change" });
  });

  it.each(["show me the secret db-password", "what is the password of the database?"])(
    "%j is refused, because Secrets are never read",
    async (query) => {
      expect((await ask(query, workload("checkout"))).answer).toMatch(
        /^\*\*This librarian never reads or shows/,
      );
    },
  );

  it.each(["why does checkout restart?", "what is the restart count of checkout?"])(
    "%j asks for no change",
    async (query) => {
      const { answer } = await ask(query, workload("checkout", crashing));

      expect(answer).toContain("CrashLoopBackOff");
    },
  );
});

describe("questions that look something up", () => {
  const revision = (name: string, number: number, image: string, minutes: number) => ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name,
      namespace: "shop",
      creationTimestamp: ago(minutes),
      annotations: { "deployment.kubernetes.io/revision": String(number) },
      ownerReferences: [{ kind: "Deployment", name: "web", controller: true }],
    },
    spec: { replicas: 1, template: { spec: { containers: [{ name: "web", image }] } } },
    status: { replicas: 1, readyReplicas: 1 },
  });
  const [web] = deployment("web", { ready: 1 });

  it("what changed names the revision, and what differs from the one before", async () => {
    const { answer, signals, sources } = await ask("What changed in the last hour in shop?", [
      namespace("shop"),
      web,
      revision("web-1", 1, "web:1", 9_000),
      revision("web-2", 2, "web:2", 25),
    ]);

    expect(answer).toContain("1 change in the last 60 min, the newest 25 min ago");
    expect(answer).toContain("11:35 UTC: `shop/Deployment/web`: revision 2 after 1");
    expect(answer).toContain("image of web from web:1 to web:2");
    expect(signals).toEqual([]);
    expect(sources).toContain("shop/Deployment/web");
  });

  it.each([
    ["which image does web run?", "runs shop/web:1"],
    ["how many pods run in shop?", "1 of 1 pod in namespace shop is running"],
    ["list the deployments in shop", "`shop/Deployment/web`: 1/1 ready"],
    ["which pods restarted since 11:00?", "0 of 1 pod in the cluster restarted in the last 60 min"],
  ])("%j is answered from what was read", async (query, expected) => {
    const { answer, error } = await ask(query, [namespace("shop"), ...workload("web")]);

    expect(error).toBeUndefined();
    expect(answer).toContain(expected);
  });

  it("what changed has both values of a limit", async () => {
    const limited = (name: string, number: number, memory: string, minutes: number) => {
      const set = revision(name, number, "web:1", minutes);
      const container = { name: "web", image: "web:1", resources: { limits: { memory } } };
      return { ...set, spec: { replicas: 1, template: { spec: { containers: [container] } } } };
    };
    const { answer } = await ask("What changed in the last hour in shop?", [
      namespace("shop"),
      web,
      limited("web-1", 1, "512Mi", 9_000),
      limited("web-2", 2, "256Mi", 25),
    ]);

    expect(answer).toContain("memory limit of web from 512Mi to 256Mi");
  });

  it("lists Services of one type only", async () => {
    const typed = (name: string, type: string) => ({
      apiVersion: "v1",
      kind: "Service",
      metadata: { name, namespace: "shop" },
      spec: { type, ports: [{ port: 80 }] },
    });
    const { answer } = await ask("list every service of type LoadBalancer", [
      typed("front", "LoadBalancer"),
      typed("inner", "ClusterIP"),
    ]);

    expect(answer).toContain("1 of 2 services in the cluster (LoadBalancer)");
    expect(answer).toContain("`shop/Service/front`");
    expect(answer).not.toContain("inner");
  });

  it("which Jobs failed since a time leaves out those that failed before it", async () => {
    const failed = (name: string, minutes: number) => ({
      apiVersion: "batch/v1",
      kind: "Job",
      metadata: { name, namespace: "shop" },
      spec: {},
      status: {
        failed: 1,
        conditions: [{ type: "Failed", status: "True", lastTransitionTime: ago(minutes) }],
      },
    });
    const jobs = [namespace("shop"), failed("load-early", 300), failed("load-late", 30)];
    const since = await ask("which jobs failed since 10:00 in shop?", jobs);
    const before = await ask("which jobs failed since 11:50 in shop?", jobs);

    expect(since.answer).toContain("load-late");
    expect(since.answer).not.toContain("load-early");
    expect((await ask("which jobs failed in shop?", jobs)).answer).toContain("load-early");
    expect(before.answer).toContain("0 of 2 jobs in namespace shop failed in the last");
  });

  it("does not follow a count with what is wrong", async () => {
    const { answer } = await ask("how many pods run in shop?", workload("web", crashing));

    expect(answer).toContain("0 of 1 pod in namespace shop are running");
    expect(answer).not.toContain("CrashLoopBackOff");
  });
});

describe("names", () => {
  it("one that lives in another namespace is found there, which is said first", async () => {
    const { answer, sources } = await ask("why is payments in namespace app-12 failing?", [
      namespace("app-12"),
      namespace("shop"),
      ...workload("payments"),
    ]);

    expect(answer).toMatch(/^Deployment \S+ was not found in namespace app-12; it is in shop\./);
    expect(sources).toContain("shop/Deployment/payments");
  });

  it("one beside its kind that does not exist is NOT_FOUND, with the nearest", async () => {
    const { error } = await ask("why is deployment paymnts failing?", workload("payments"));

    expect(error).toMatchObject({ code: "NOT_FOUND" });
    expect(error?.suggestion).toContain("shop/Deployment/payments");
  });

  it("a host name leads to its Ingress, Service and pods", async () => {
    const front = {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "front", namespace: "shop" },
      spec: {
        ingressClassName: "nginx",
        rules: [
          {
            host: "app.example.com",
            http: { paths: [{ backend: { service: { name: "web", port: { number: 80 } } } }] },
          },
        ],
      },
    };
    const { signals } = await ask("nobody can reach app.example.com", [
      front,
      { apiVersion: "networking.k8s.io/v1", kind: "IngressClass", metadata: { name: "nginx" } },
      service("web", { app: "web" }),
      ...workload("web", crashing),
    ]);

    expect(signals[0]).toBe("CrashLoopBackOff");
  });

  it("pods of one workload are one subject", async () => {
    const pods = ["a", "b", "c"].map((at) =>
      pod({
        name: `web-5d9-${at}`,
        owner: ["ReplicaSet", "web-5d9"],
        labels: { app: "web" },
        container: crashing,
      }),
    );

    const { answer } = await ask("why does the web pod fail?", [
      ...deployment("web", { wanted: 3, ready: 0 }),
      ...pods,
    ]);

    expect(answer).toMatch(
      /^\*\*shop\/Deployment\/web keeps crashing \(CrashLoopBackOff\) on 3 of 3 pods/,
    );
  });
});

describe("what was not recorded", () => {
  it("of another namespace is never said to be absent", async () => {
    const refused = event(
      "ReplicaSet",
      "api-5d9",
      "FailedCreate",
      'failed calling webhook "x.mesh.io": Post "https://injector.mesh.svc:443/x": no endpoints available for service "injector"',
    );
    const { answer, signals } = await ask(
      "why does api in shop create no pods?",
      [
        ...deployment("api", { ready: 0 }),
        refused,
        service("injector", { app: "injector" }, "mesh"),
      ],
      { partial: true },
    );

    expect(signals[0]).toBe("WebhookUnavailable");
    expect(answer).not.toContain("there is no Service");
  });

  it("of an autoscaler's target does not hide the maximum that it reports itself", async () => {
    const scaler = {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "web", namespace: "shop" },
      spec: { maxReplicas: 6, scaleTargetRef: { kind: "Deployment", name: "web" } },
      status: {
        currentReplicas: 6,
        conditions: [{ type: "ScalingLimited", status: "True", reason: "TooManyReplicas" }],
      },
    };
    const { signals, answer } = await ask(
      "why does the autoscaler of web not scale up?",
      [scaler],
      { partial: true },
    );

    expect(signals[0]).toBe("HPAMaxedOut");
    expect(answer).toContain("maximum of 6 replicas");
  });

  it("is no reason to call anything healthy", async () => {
    const { answer, signals, isPartial } = await ask(
      "is everything ok in shop?",
      [namespace("shop")],
      {
        partial: true,
      },
    );

    expect(answer).toContain("cannot be judged: pods were not read");
    expect(signals).toEqual([]);
    expect(isPartial).toBe(true);
  });

  it("leaves events and logs of a pod, which are evidence", async () => {
    const [web] = deployment("web", { ready: 1 });
    const gone = event("Pod", "web-5d9-gone", "Preempted", "Preempted by pod x on node n1");

    const { signals, sources } = await ask("what happened to pod web-5d9-gone?", [web, gone], {
      partial: true,
    });

    expect(signals[0]).toBe("Preempted");
    expect(sources).toContain("shop/Pod/web-5d9-gone");
  });

  it("leaves owners to be found by name", async () => {
    const [web] = deployment("web", { ready: 0 });
    const { signals, sources } = await ask(
      "why is web down?",
      [web, pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], container: crashing })],
      { partial: true },
    );

    expect(signals[0]).toBe("CrashLoopBackOff");
    expect(sources).toContain("shop/Pod/web-5d9-a");
  });
});

describe("the cause one step further", () => {
  it("is in the pods that a failing program calls", async () => {
    const { facts } = await ask(
      "why does checkout crash?",
      [
        ...workload("checkout", crashing),
        ...workload("db", {
          ...crashing,
          lastState: { terminated: { reason: "OOMKilled", exitCode: 137 } },
        }),
        service("db", { app: "db" }),
      ],
      {
        logs: {
          "shop/checkout-5d9-a/web#previous": "FATAL dial tcp: connect db:80: connection refused",
        },
      },
    );

    expect(facts[0]).toMatchObject({
      signal_type: "OOMKilled",
      target_resource: "shop/Pod/db-5d9-a",
    });
    const crash = facts.find(({ signal_type }) => signal_type === "CrashLoopBackOff");
    expect(crash?.caused_by).toMatchObject({ signal_type: "OOMKilled" });
  });

  it("is the issuer of the certificate that a call does not accept", async () => {
    const condition = (reason: string) => ({
      conditions: [{ type: "Ready", status: "False", reason, message: "" }],
    });
    const custom = (kind: string, name: string, spec: object, status: object) => ({
      apiVersion: "cert-manager.io/v1",
      kind,
      metadata: { name, namespace: "shop" },
      spec,
      status,
    });
    const { signals, answer } = await ask(
      "why does web crash?",
      [
        namespace("shop"),
        ...workload("web", crashing),
        service("keys", { app: "keys" }),
        custom(
          "Certificate",
          "keys-tls",
          { dnsNames: ["keys.shop.svc"], issuerRef: { name: "own-ca", kind: "Issuer" } },
          { notAfter: ago(600), ...condition("Expired") },
        ),
        custom("Certificate", "other-tls", { dnsNames: ["other.shop.svc"] }, condition("Failed")),
        custom("Issuer", "own-ca", {}, condition("ErrGetKeyPair")),
      ],
      {
        logs: {
          "shop/web-5d9-a/web#previous":
            'fatal: Get "https://keys.shop.svc/jwks": x509: certificate has expired or is not yet valid',
        },
      },
    );

    expect(signals[0]).toBe("CertificateNotReady");
    expect(answer).toContain("Issuer own-ca");
    expect(answer).toContain("shop/Certificate/keys-tls");
    expect(answer).not.toContain("**CertificateNotReady**: Certificate other-tls");
  });

  it("is the pods behind a name that an init container waits for", async () => {
    const { signals } = await ask(
      "why does web not start?",
      [
        ...workload("keys", {
          ready: false,
          state: { waiting: { reason: "ImagePullBackOff", message: "Back-off pulling image" } },
        }),
        service("keys", { app: "keys" }),
        ...deployment("web", { ready: 0 }),
        pod({
          name: "web-5d9-a",
          owner: ["ReplicaSet", "web-5d9"],
          labels: { app: "web" },
          phase: "Pending",
          spec: { initContainers: [{ name: "wait", image: "busybox:1" }] },
          status: {
            initContainerStatuses: [
              { name: "wait", ready: false, state: { running: { startedAt: ago(90) } } },
            ],
          },
        }),
      ],
      { logs: { "shop/web-5d9-a/wait": "nc: bad address 'keys.shop:8443'" } },
    );

    expect(signals[0]).toBe("ImagePullBackOff");
  });

  it("is the policy that lets no name be resolved", async () => {
    const policy = {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "lock", namespace: "shop" },
      spec: { podSelector: {}, policyTypes: ["Egress"], egress: [{ ports: [{ port: 443 }] }] },
    };
    const ask53 = (egress: unknown) =>
      ask(
        "crawler cannot resolve any name",
        [...workload("crawler"), { ...policy, spec: { ...policy.spec, egress } }],
        { logs: { "shop/crawler-5d9-a/web": "getaddrinfo EAI_AGAIN example.com" } },
      );

    expect((await ask53(policy.spec.egress)).signals[0]).toBe("NetworkPolicyBlocking");
    expect((await ask53([{ ports: [{ protocol: "UDP", port: 53 }] }])).signals[0]).toBe(
      "ApplicationError",
    );
  });

  it("is the role that does not grant a denied call", async () => {
    const { answer, signals } = await ask(
      "why does operator fail?",
      [
        ...workload("operator", crashing),
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "Role",
          metadata: { name: "reader", namespace: "shop" },
          rules: [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get"] }],
        },
        {
          apiVersion: "rbac.authorization.k8s.io/v1",
          kind: "RoleBinding",
          metadata: { name: "reads", namespace: "shop" },
          roleRef: { kind: "Role", name: "reader" },
          subjects: [{ kind: "ServiceAccount", name: "default", namespace: "shop" }],
        },
      ],
      {
        logs: {
          "shop/operator-5d9-a/web#previous":
            'pods is forbidden: User "system:serviceaccount:shop:default" cannot list resource "pods" in API group "" in the namespace "shop"',
        },
      },
    );

    expect(signals[0]).toBe("RBACDenied");
    expect(answer).toContain("bound to reader, which does not grant list on pods");
  });

  it("is the node that was lost", async () => {
    const lost = {
      restartCount: 1,
      lastState: { terminated: { reason: "Unknown", exitCode: 255, finishedAt: ago(30) } },
      state: { running: { startedAt: ago(29) } },
    };
    const { signals } = await ask("why did cache restart?", [
      ...workload("cache", lost),
      node("n1"),
    ]);

    expect(signals[0]).toBe("NodeRestart");
  });
});
