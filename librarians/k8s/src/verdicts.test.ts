import { describe, expect, it } from "vitest";
import { ago, crashing, deployment, namespace, node, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const job = (name: string, status: object) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name, namespace: "shop" },
  spec: { completions: 1 },
  status,
});

const objects = [
  namespace("shop"),
  namespace("shop-uat"),
  node("n1"),
  ...deployment("web"),
  pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" } }),
  service("web", { app: "web" }),
  ...deployment("cart", { ready: 0 }),
  pod({
    name: "cart-5d9-a",
    owner: ["ReplicaSet", "cart-5d9"],
    labels: { app: "cart" },
    container: crashing,
  }),
  job("import", {
    startTime: ago(60),
    completionTime: ago(54),
    succeeded: 1,
    conditions: [{ type: "Complete", status: "True", lastTransitionTime: ago(54) }],
  }),
  job("export", { startTime: ago(10), active: 1 }),
  pod({
    name: "import-x1",
    owner: ["Job", "import"],
    phase: "Succeeded",
    container: { ready: false, state: { terminated: { exitCode: 0, reason: "Completed" } } },
  }),
];

async function firstLine(query: string, given: readonly unknown[] = objects): Promise<string> {
  const { answer = "" } = await createK8sLibrarian({
    reader: createInMemoryReader({ objects: given, now }),
  }).librarian(query);
  return answer.split("\n")[0] ?? "";
}

describe("a question that yes or no answers", () => {
  it.each([
    ["is web ready?", "Yes", "shop/Deployment/web is ready: 1/1 ready"],
    ["is cart ready?", "No", "shop/Deployment/cart is not ready: 0/1 ready"],
    ["is cart up", "No", "shop/Deployment/cart is not running"],
    ["is web ok?", "Yes", "nothing is wrong with shop/Deployment/web"],
    ["cart broken??", "Yes", "shop/Deployment/cart keeps crashing (CrashLoopBackOff)"],
    ["is anything broken in shop", "Yes", "shop/Deployment/cart keeps crashing (CrashLoopBackOff)"],
    ["did the import go through?", "Yes", "completed 11:06 UTC, after 6 min; 1 succeeded"],
    ["did the import job fail?", "No", "has not failed: completed"],
    [
      "has the export finished?",
      "No",
      "has not completed: started 11:50 UTC, 10 min ago, 1 active",
    ],
    ["was cart oomkilled", "No", "was not OOMKilled: the last run of container web ended with"],
    ["is node n1 ready", "Yes", "Node/n1 is ready: condition Ready=True"],
    ["are all nodes ready?", "Yes", "Node/n1 is ready: condition Ready=True"],
    ["are all pods ready?", "No", "1 of 2 pods is ready (shop/Pod/cart-5d9-a"],
    ["any pending pods?", "No", "0 of 3 pods in the cluster are pending"],
    ["oom anywhere?", "No", "0 of 3 pods are OOMKilled"],
  ])("%s", async (query, verdict, text) => {
    const line = await firstLine(query);

    expect(line.startsWith(`**${verdict}**: `), line).toBe(true);
    expect(line).toContain(text);
  });

  it("leaves one that asks why, what or how to its own answer", async () => {
    for (const query of ["why is cart not ready?", "what is wrong with cart?", "how is web?"])
      expect(await firstLine(query)).not.toMatch(/^\*\*(?:Yes|No)\*\*/);
  });

  it("sets aside what is wrong beside the thing it names", async () => {
    const { answer = "", metadata } = await createK8sLibrarian({
      reader: createInMemoryReader({
        objects,
        now,
        logs: { "shop/cart-5d9-a/web": "panic: nil map" },
      }),
    }).librarian("is n1 ok?");

    expect(answer.split("\n")[0]).toContain("**Yes**: nothing is wrong with Node/n1");
    expect(metadata?.facts).toMatchObject([{ signal_type: "Healthy" }]);
    expect(answer).toContain("Found elsewhere: ");
  });

  it("looks in the namespace that a word of its name means", async () => {
    const uat = [
      ...objects,
      ...deployment("web", { ready: 0 }).map((one) => ({
        ...one,
        metadata: { ...(one as { metadata: object }).metadata, namespace: "shop-uat" },
      })),
    ];

    expect(await firstLine("is web ready in uat?", uat)).toContain(
      "shop-uat/Deployment/web is not ready",
    );
  });
});

describe("a question with more than one clause", () => {
  const ask = async (query: string, partial = false) =>
    (
      await createK8sLibrarian({
        reader: createInMemoryReader({ objects, now, partial, logs: {} }),
      }).librarian(query)
    ).answer ?? "";

  it("answers how something is and what is looked up beside it", async () => {
    const answer = await ask("is web ok and which image does it run?");

    expect(answer).toContain("**Yes**: nothing is wrong with shop/Deployment/web");
    expect(answer).toContain("runs shop/web:1");
  });

  it("answers both of two look-ups", async () => {
    const answer = await ask("which image does cart run, and which node does it run on?");

    expect(answer).toContain("shop/Deployment/cart runs shop/web:1");
    expect(answer).toContain("pod cart-5d9-a runs on node n1");
  });

  it("leaves out what is said before the question", async () => {
    expect(await ask("before I touch it: how many pods are in shop?")).toContain("3 pods");
  });

  it("does not take a sentence about what fails for a look-up", async () => {
    expect(await ask("pod cart-5d9-a keeps crashing without any event")).toContain(
      "CrashLoopBackOff",
    );
  });
});

describe("a look-up", () => {
  const ask = async (query: string, partial = false) =>
    createK8sLibrarian({
      reader: createInMemoryReader({ objects, now, partial, logs: { "shop/cart-5d9-a/web": "x" } }),
    }).librarian(query);

  it.each([
    ["show po in shop", "3 pods (2 Running, 1 Succeeded) in namespace shop"],
    ["list deploy -n shop", "2 deployments (1 ready) in namespace shop"],
    ["services in shop?", "1 service in namespace shop: web"],
    ["how many restarts does cart have", "1 pod of shop/Deployment/cart has 12 restarts in total"],
    ["when did import finish?", "shop/Job/import completed 11:06 UTC"],
    ["how long did import take", "after 6 min"],
    ["cart logs", "lines of 1 log"],
  ])("understands %s", async (query, text) => {
    expect((await ask(query)).answer).toContain(text);
  });

  it("does not count what was not read", async () => {
    const { answer, confidence } = await ask("any hpa in shop?", true);

    expect(answer).toContain("cannot be told: horizontalpodautoscalers were not read");
    expect(confidence).toBeLessThan(0.5);
  });
});

describe("what a question is about", () => {
  const labelled = (name: string, zone: string) => ({
    ...node(name),
    metadata: { name, labels: { "topology.kubernetes.io/zone": zone } },
  });
  const uat = [
    namespace("shop-fx"),
    ...deployment("fx", { ready: 0 }).map((one) => ({
      ...one,
      metadata: { ...(one as { metadata: object }).metadata, namespace: "shop-fx" },
    })),
    pod({
      name: "fx-5d9-a",
      namespace: "shop-fx",
      owner: ["ReplicaSet", "fx-5d9"],
      container: crashing,
    }),
  ];
  const more = [
    ...objects,
    ...uat,
    labelled("n2", "fra-2"),
    labelled("n3", "fra-1"),
    ...deployment("db"),
    pod({ name: "db-5d9-a", owner: ["ReplicaSet", "db-5d9"], labels: { app: "db" } }),
    { ...service("db", { app: "db" }), spec: { selector: { app: "db" }, ports: [{ port: 5432 }] } },
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "db-from-web", namespace: "shop" },
      spec: {
        podSelector: { matchLabels: { app: "db" } },
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ podSelector: { matchLabels: { app: "web" } } }] }],
      },
    },
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "front", namespace: "shop" },
      spec: {
        rules: [
          {
            host: "files.example.org",
            http: {
              paths: [{ path: "/", backend: { service: { name: "db", port: { number: 5432 } } } }],
            },
          },
        ],
      },
    },
  ];

  it.each([
    [
      "can web reach db on 5432?",
      "**Yes**: NetworkPolicies that were read allow shop/Pod/web-5d9-a",
    ],
    [
      "can cart reach db?",
      "**No**: pod cart-5d9-a: it calls db.shop.svc, and NetworkPolicy db-from-web",
    ],
    ["does anything keep cart from reaching db?", "**Yes**: pod cart-5d9-a"],
    ["are shop-uat and shop-fx ok?", "**No**: shop-fx/Deployment/fx keeps crashing"],
    ["which nodes are in zone fra-2?", "1 of 3 nodes in the cluster (zone, fra-2)"],
    ["I want to patch n1 tonight. what is running there?", "2 of 5 pods of Node/n1 are running"],
    ["which service answers for files.example.org, and on which port?", "Service db port 5432"],
    ["which workloads run an image with tag latest?", "(latest)"],
    ["how many pods are pending cluster-wide?", "0 of 5 pods in the cluster are pending"],
  ])("%s", async (query, text) => {
    const { answer, error } = await createK8sLibrarian({
      reader: createInMemoryReader({ objects: more, now }),
    }).librarian(query);

    expect(answer ?? error?.message).toContain(text);
  });
});

describe("a property, by the name of its field", () => {
  const claim = {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "media", namespace: "shop" },
    spec: { volumeName: "pv-1", storageClassName: "fast" },
    status: { phase: "Bound" },
  };
  const volume = {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "pv-1" },
    spec: {
      persistentVolumeReclaimPolicy: "Retain",
      claimRef: { name: "media", namespace: "shop" },
    },
    status: { phase: "Bound" },
  };
  const front = {
    ...service("front", { app: "web" }),
    spec: {
      type: "NodePort",
      selector: { app: "web" },
      healthCheckNodePort: 30_122,
      ports: [{ port: 80, nodePort: 30_080 }],
    },
  };
  const given = [...objects, claim, volume, front];

  it.each([
    [
      "what is the reclaim policy of the volume behind claim media?",
      "persistentVolumeReclaimPolicy Retain",
    ],
    ["what is the health check node port of service front?", "spec.healthCheckNodePort 30122"],
    ["how many replicas are ready in web?", "has 1 ready replica"],
    ["services of type NodePort in shop", "1 of 2 services in namespace shop (NodePort)"],
    ["what's running in shop?", "1 of 2 deployments"],
    ["who may reach web?", "no NetworkPolicy that was read selects its pods"],
  ])("%s", async (query, text) => {
    const { answer, error } = await createK8sLibrarian({
      reader: createInMemoryReader({ objects: given, now }),
    }).librarian(query);

    expect(answer ?? error?.message).toContain(text);
  });

  it("says that a list is not sorted by a word that nothing has, and does not deny that there is anything", async () => {
    const { answer, error } = await createK8sLibrarian({
      reader: createInMemoryReader({ objects: given, now }),
    }).librarian("how many pods are multi-az?");

    expect(error).toBeUndefined();
    expect(answer).toContain('I could not tell what "multi-az"');
  });
});

describe("a question whether anything applies to a thing", () => {
  const hpa = {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "scaler", namespace: "shop" },
    spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas: 3 },
    status: { currentReplicas: 1, desiredReplicas: 1 },
  };

  it.each([
    ["does web have an hpa?", "**Yes**: shop/HorizontalPodAutoscaler/scaler is there for it"],
    ["is there an ingress for web?", "**No**: no Ingress was found for shop/Deployment/web"],
  ])("%s", async (query, text) => {
    expect(await firstLine(query, [...objects, hpa])).toContain(text);
  });
});

describe("words around a question", () => {
  it.each([
    ["are web and cart ok?", "shop/Deployment/cart keeps crashing (CrashLoopBackOff)"],
    ["pls tell me which node web is on", "pod web-5d9-a runs on node n1"],
    ["cart keeps dying, what changed?", "**CrashLoopBackOff**"],
  ])("%s", async (query, text) => {
    const { answer } = await createK8sLibrarian({
      reader: createInMemoryReader({ objects, now }),
    }).librarian(query);

    expect(answer).toContain(text);
  });
});

describe("what is said once", () => {
  const failing = [
    ...deployment("cart", { ready: 0 }),
    pod({
      name: "cart-5d9-a",
      owner: ["ReplicaSet", "cart-5d9"],
      labels: { app: "cart" },
      container: crashing,
    }),
    service("cart", { app: "cart" }),
  ];
  const lines = async (question: string, objects: readonly object[]) => {
    const reader = createInMemoryReader({ objects, now });
    const { answer = "" } = await createK8sLibrarian({ reader }).librarian(question);
    return answer.split("\n").filter((line) => line !== "");
  };

  it("is whether anything is wrong, together with what", async () => {
    const [first = "", second = ""] = await lines("is cart ok?", failing);

    expect(first).toMatch(/^\*\*No\*\*: shop\/Deployment\/cart keeps crashing/);
    expect(second).toMatch(/^\*\*CrashLoopBackOff\*\*/);
  });

  it("is that nothing is wrong", async () => {
    const answer = await lines("is cart ok?", deployment("cart"));

    expect(answer[0]).toBe(
      "**Yes**: nothing is wrong with shop/Deployment/cart: 1/1 ready (Healthy).",
    );
    expect(answer.filter((line) => line.includes("nothing is wrong"))).toHaveLength(1);
  });

  it("is what has one name", async () => {
    const cart = pod({
      name: "cart-5d9-a",
      owner: ["ReplicaSet", "cart-5d9"],
      labels: { app: "cart" },
    });
    const objects = [...deployment("cart"), cart, service("cart", { app: "cart" })];

    expect((await lines("what is wrong with cart?", objects))[0]).not.toContain("Service/cart");
  });
});

it("which of two is older is answered with it", async () => {
  const made = (name: string, minutes: number) =>
    deployment(name).map((one) => ({
      ...one,
      metadata: {
        ...("metadata" in one ? (one.metadata as object) : {}),
        creationTimestamp: ago(minutes),
      },
    }));
  const reader = createInMemoryReader({ objects: [...made("cart", 900), ...made("web", 90)], now });

  const { headline } = await createK8sLibrarian({ reader }).librarian(
    "cart vs web, which is older",
  );

  expect(headline).toMatch(/^shop\/Deployment\/cart is the older of 2 deployments, 15 h old/);
});

it("a namespace with the name of a kind is a namespace", async () => {
  const objects = [namespace("claims"), ...deployment("desk", { namespace: "claims" })];
  const reader = createInMemoryReader({ objects, now });

  const { headline } = await createK8sLibrarian({ reader }).librarian("deployments in claims");

  expect(headline).toContain("1 deployment (all ready) in namespace claims");
});
