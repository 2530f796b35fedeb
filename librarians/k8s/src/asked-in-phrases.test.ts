import { completeFollowUp } from "@constellation/nlu";
import { describe, expect, it } from "vitest";
import {
  ago,
  crashing,
  deployment,
  namespace,
  node,
  now,
  pod,
  service,
  shop,
} from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const claim = (name: string, storageClassName: string, phase: string) => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name, namespace: "shop" },
  spec: {
    storageClassName,
    accessModes: ["ReadWriteOnce"],
    resources: { requests: { storage: "20Gi" } },
  },
  status: { phase, ...(phase === "Bound" && { capacity: { storage: "20Gi" } }) },
});

const objects = [
  node("n1"),
  namespace("shop"),
  ...deployment("quote-engine"),
  ...deployment("notifier"),
  pod({
    name: "quote-engine-5d9-a",
    owner: ["ReplicaSet", "quote-engine-5d9"],
    labels: { app: "quote-engine" },
    spec: {
      nodeName: "n1",
      initContainers: [{ name: "mesh-agent", image: "mesh:2", restartPolicy: "Always" }],
      containers: [
        {
          name: "web",
          image: "shop/quotes:4",
          ports: [{ containerPort: 8080 }],
          envFrom: [{ secretRef: { name: "quote-login" } }],
        },
      ],
    },
  }),
  service("quote-engine", { app: "quote-engine" }),
  claim("data-ledger-0", "fast", "Bound"),
  claim("scans", "slow", "Pending"),
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "fast" },
    provisioner: "disk.example",
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "statement", namespace: "shop" },
    spec: { schedule: "30 1 * * *", jobTemplate: {} },
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: { name: "merge-2024", namespace: "shop" },
    spec: {},
    status: {
      failed: 1,
      startTime: ago(3_000),
      conditions: [
        {
          type: "Failed",
          status: "True",
          reason: "BackoffLimitExceeded",
          lastTransitionTime: ago(2_880),
        },
      ],
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "Ingress",
    metadata: { name: "front", namespace: "shop" },
    spec: {
      ingressClassName: "edge",
      rules: [
        {
          host: "quotes.shop.example",
          http: {
            paths: [
              { path: "/", backend: { service: { name: "quote-engine", port: { number: 80 } } } },
            ],
          },
        },
      ],
      tls: [{ hosts: ["quotes.shop.example"], secretName: "front-tls" }],
    },
  },
  {
    apiVersion: "networking.k8s.io/v1",
    kind: "IngressClass",
    metadata: { name: "edge" },
    spec: { controller: "k8s.io/ingress-nginx" },
  },
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "scaler", namespace: "shop" },
    rules: [{ apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch", "update"] }],
  },
  {
    apiVersion: "scheduling.k8s.io/v1",
    kind: "PriorityClass",
    metadata: { name: "playback" },
    value: 1_000,
  },
  {
    apiVersion: "autoscaling/v2",
    kind: "HorizontalPodAutoscaler",
    metadata: { name: "quote-engine", namespace: "shop" },
    spec: {
      minReplicas: 2,
      maxReplicas: 9,
      scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "quote-engine" },
    },
    status: { currentReplicas: 3, desiredReplicas: 3 },
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata: { name: "ledger", namespace: "shop" },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: "ledger" } },
      template: { metadata: { labels: { app: "ledger" } }, spec: { containers: [] } },
      volumeClaimTemplates: [{ metadata: { name: "data" } }],
    },
    status: { replicas: 1, readyReplicas: 1 },
  },
];

async function ask(question: string, more: readonly object[] = []) {
  const reader = createInMemoryReader({ objects: [...objects, ...more], now });
  const { answer = "", error, metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const [first = ""] = answer.split("\n");
  return { answer, error, first, lookup: metadata?.lookup };
}

describe("a phrase without a verb", () => {
  it.each([
    ["size of data-ledger-0", "20Gi"],
    ["node of quote-engine-5d9-a?", "n1"],
    ["image & port of quote-engine-5d9-a", "8080"],
    ["image & port of quote-engine-5d9-a", "shop/quotes:4"],
    ["restart policy of the init container mesh-agent", "Always"],
    ["all ingress hosts", "quotes.shop.example"],
    ["cron jobs + schedule", "30 1 * * *"],
    ["min and max replicas of hpa quote-engine", "maxReplicas 9"],
    ["min and max replicas of hpa quote-engine", "minReplicas 2"],
    ["verbs in role scaler", "patch"],
    ["deployments in shop", "2 deployments"],
    ["deployments running here", "2 of 2 deployments in the cluster are running"],
    ["which priority classes are there", "playback"],
  ])("asks for a property or a list: %s", async (question, expected) => {
    const { answer, lookup } = await ask(question);

    expect(answer).toContain(expected);
    expect(lookup).toBeDefined();
  });

  it.each(["port 8080 refused on quote-engine", "host quotes.shop.example unreachable"])(
    "that reports a failure asks for none: %s",
    async (question) => {
      expect((await ask(question)).lookup).toBeUndefined();
    },
  );
});

describe("what is asked", () => {
  it("is denied with or without an apostrophe", async () => {
    for (const question of ["which pvcs arent bound", "which pvcs aren’t bound"]) {
      const { answer } = await ask(question);

      expect(answer, question).toContain("shop/PersistentVolumeClaim/scans");
      expect(answer, question).not.toContain("data-ledger-0");
    }
  });

  it("is counted over what names the thing, where nothing belongs to it", async () => {
    expect((await ask("how many claims of class fast")).first).toContain("1 persistentvolumeclaim");
  });

  it("is the moment of a failure, and not its cause", async () => {
    const { first, lookup } = await ask("when did merge-2024 fail?");

    expect(first).toContain("merge-2024 failed 2026-02-27 12:00 UTC");
    expect(lookup).toMatchObject({ kind: "fields" });
  });

  it("is about a workload that is called in the plural, or by what it is to create", async () => {
    expect((await ask("quotes fine again?")).first).toContain("quote-engine");
    expect((await ask("what keeps data-ledger-1 from being made?")).answer).toContain(
      "shop/StatefulSet/ledger",
    );
  });

  it("is how two things are alike", async () => {
    expect((await ask("do quote-engine and notifier use the same update strategy?")).error).toBe(
      undefined,
    );
    expect((await ask("do quote-engine and notifier run the same replicas?")).first).toContain(
      "**Yes**: all 2 deployments have the same replicas",
    );
  });
});

describe("a name in several namespaces", () => {
  const staging = deployment("notifier", { namespace: "staging" });

  it("is judged in each of them where its health is asked, and asked back where a property is", async () => {
    const healthy = await ask("is notifier ok?", staging);

    expect(healthy.first).toContain("shop/Deployment/notifier, staging/Deployment/notifier");
    expect((await ask("which image does deployment notifier run?", staging)).error?.code).toBe(
      "INVALID_QUERY",
    );
  });

  it("is the one that fails, whether it is asked for as ok or as down", async () => {
    const failing = [
      ...deployment("notifier", { namespace: "staging", ready: 0 }),
      pod({
        name: "notifier-5d9-a",
        namespace: "staging",
        owner: ["ReplicaSet", "notifier-5d9"],
        labels: { app: "notifier" },
        container: crashing,
      }),
    ];
    for (const question of ["is notifier ok?", "is notifier down?"])
      expect((await ask(question, failing)).answer, question).toContain(
        "staging/Deployment/notifier",
      );
  });
});

describe("a Secret", () => {
  it.each([
    "does the password in quote-login still work?",
    "which keys does secret quote-login have?",
  ])("is not read, and what uses it is named: %s", async (question) => {
    const { first, answer } = await ask(question);

    expect(first).toContain(
      "What is in Secret quote-login, and whether it still works, cannot be told",
    );
    expect(answer).toContain("quote-engine");
  });

  it("is listed by what names it", async () => {
    const { first, answer } = await ask("which secrets are in shop, names only");

    expect(first).toContain("Secrets are never read");
    expect(answer).toContain("`front-tls`");
  });
});

describe("a certificate that an Ingress serves from a Secret", () => {
  const controller = pod({
    name: "front-door-1",
    namespace: "edge",
    spec: { containers: [{ name: "proxy", image: "registry.k8s.io/ingress-nginx/controller:v1" }] },
  });
  const line =
    'W1109 07:01:00.5 Unexpected error validating SSL certificate "shop/front-tls" for server "quotes.shop.example": x509: certificate has expired';

  const isAutoscaler = (one: object) =>
    "kind" in one && /Autoscaler|StatefulSet/.test(String(one.kind));

  it.each([
    "https://quotes.shop.example/upload cert warning",
    "is the cert of quotes.shop.example expired?",
    "when did front-tls run out",
  ])("is judged by the log of what serves it: %s", async (question) => {
    const reader = createInMemoryReader({
      objects: [...objects.filter((one) => !isAutoscaler(one)), namespace("edge"), controller],
      now,
      logs: { "edge/front-door-1/proxy": line },
    });
    const { answer, metadata } = await createK8sLibrarian({ reader }).librarian(question);

    expect(answer).toContain("certificate has expired");
    expect(metadata?.facts).toMatchObject([{ signal_type: "CertificateNotReady" }]);
  });
});

const failing = [
  ...deployment("pager", { ready: 0 }),
  pod({
    name: "pager-5d9-a",
    owner: ["ReplicaSet", "pager-5d9"],
    labels: { app: "pager" },
    container: crashing,
  }),
];

describe("how to repair something", () => {
  it("is answered by what is wrong with it", async () => {
    expect((await ask("how do i get pager running again", failing)).first).toContain("pager");
  });

  it("is out of domain where nothing is wrong, and where another librarian has procedures of it", async () => {
    expect((await ask("how do i get notifier running again", failing)).error).toMatchObject({
      details: { reason: "out-of-domain" },
    });
    const reader = createInMemoryReader({ objects: [...objects, ...failing], now });
    const docs = { id: "docs", description: "Runbooks: how to get the pager running again." };

    const { delegate } = await createK8sLibrarian({ reader }).librarian(
      "how do i get pager running again",
      { availableDelegates: [docs] },
    );

    expect(delegate).toMatchObject({ to: "docs" });
  });
});

describe("a follow-up", () => {
  const cluster = [
    ...shop(),
    {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: { name: "nightly", namespace: "shop", creationTimestamp: ago(20_000) },
      spec: { schedule: "0 1 * * *", suspend: true, jobTemplate: {} },
      status: { lastScheduleTime: ago(10_000) },
    },
    ...failing,
  ];
  const reader = createInMemoryReader({
    objects: cluster,
    now,
    logs: { "shop/pager-5d9-a/web#previous": "fatal: no port" },
  });
  const { librarian } = createK8sLibrarian({ reader });
  const follow = async (question: string, text: string) =>
    await librarian(completeFollowUp(text, [{ question, librarian: "k8s" }]).whole);

  it.each(["show the logs", "logs?", "and the logs?"])("asks for the log: %s", async (text) => {
    const { answer, metadata } = await follow("why does pager crash?", text);

    expect(answer).toContain("fatal: no port");
    expect(metadata?.lookup).toMatchObject({ kind: "logs" });
  });

  it.each(["why", "why?", "since when?"])("stays with the finding: %s", async (text) => {
    expect((await follow("is pager ok?", text)).answer).toContain("CrashLoopBackOff");
  });

  it("asks for another of several findings", async () => {
    const { metadata } = await follow("what is wrong in shop?", "and the other one");

    expect((await librarian("what is wrong in shop?")).headline).toContain("checkout");
    expect(metadata?.facts).toMatchObject([
      { resource_name: "pager-5d9-a" },
      { resource_name: "pager" },
    ]);
  });

  it.each(["how do I fix it", "what do I need to change so that it runs?"])(
    "asks what to change, which is said first: %s",
    async (text) => {
      const { answer } = await follow("why does nightly never run?", text);

      expect(answer).toMatch(/^\*\*To repair shop\/CronJob\/nightly: spec.suspend is true/);
      expect(answer).toContain("(not run)");
    },
  );
});

describe("the first sentence", () => {
  it("has at most 25 words, whatever a program logged", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `w${index}`).join(" ");
    const reader = createInMemoryReader({
      objects: [
        ...deployment("pager", { ready: 0 }),
        pod({
          name: "pager-5d9-a",
          owner: ["ReplicaSet", "pager-5d9"],
          labels: { app: "pager" },
          container: crashing,
        }),
      ],
      now,
      logs: { "shop/pager-5d9-a/web#previous": `2026-03-01T11:59:00.123Z fatal: ${words}` },
    });

    const { headline = "" } = await createK8sLibrarian({ reader }).librarian(
      "why does pager crash?",
    );

    expect(headline).toContain("fatal: w0 w1");
    expect(headline).not.toContain("2026-03-01T");
    expect(headline.split(" ").length).toBeLessThanOrEqual(25);
  });
});
