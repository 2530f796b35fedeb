import { describe, expect, it } from "vitest";
import { ago, crashing, deployment, event, namespace, node, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, logs, now, partial: true });
  const { answer = "", metadata, error } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly {
    readonly signal_type: string;
    readonly resource_name: string;
  }[];
  const [first] = facts;
  return {
    answer,
    signals: facts.map(({ signal_type: type }) => type),
    first:
      first === undefined
        ? (error?.code ?? "nothing")
        : `${first.signal_type} ${first.resource_name}`,
  };
}

const waiting = [
  namespace("shop"),
  namespace("nfs"),
  node("n1"),
  {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name: "shared" },
    provisioner: "cluster.local/nfs-client-provisioner",
  },
  {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name: "data", namespace: "shop", creationTimestamp: ago(60) },
    spec: { storageClassName: "shared" },
    status: { phase: "Pending" },
  },
  event(
    "PersistentVolumeClaim",
    "data",
    "ExternalProvisioning",
    "Waiting for a volume to be created either by the external provisioner 'cluster.local/nfs-client-provisioner' or manually",
    { type: "Normal" },
  ),
];

describe("a controller that does not run, behind what waits for it", () => {
  it("is the cause of a claim in another namespace, with its log", async () => {
    const { first, signals, answer } = await ask(
      "why is claim data in namespace shop pending?",
      [
        ...waiting,
        ...deployment("nfs-client-provisioner", { ready: 0, namespace: "nfs" }),
        pod({
          name: "nfs-client-provisioner-5d9-x",
          namespace: "nfs",
          owner: ["ReplicaSet", "nfs-client-provisioner-5d9"],
          container: crashing,
        }),
      ],
      { "nfs/nfs-client-provisioner-5d9-x/web#previous": "error: mount 10.0.0.9: access denied\n" },
    );

    expect(first).toBe("CrashLoopBackOff nfs-client-provisioner-5d9-x");
    expect(signals).toContain("PVCPending");
    expect(answer).toContain("access denied");
    expect(answer).toContain("waits for it");
  });

  it("does not stand behind a claim while one of its pods is ready", async () => {
    const { first, answer } = await ask("why is claim data in namespace shop pending?", [
      ...waiting,
      ...deployment("nfs-client-provisioner", { wanted: 2, ready: 1, namespace: "nfs" }),
      pod({
        name: "nfs-client-provisioner-5d9-x",
        namespace: "nfs",
        owner: ["ReplicaSet", "nfs-client-provisioner-5d9"],
        container: crashing,
      }),
      pod({
        name: "nfs-client-provisioner-5d9-y",
        namespace: "nfs",
        owner: ["ReplicaSet", "nfs-client-provisioner-5d9"],
      }),
    ]);

    expect(first).toBe("PVCPending data");
    expect(answer).toContain("cluster.local/nfs-client-provisioner");
  });

  it("is the cause of an extension's resource that has no status", async () => {
    const { first } = await ask("certificate web-tls is not issued", [
      namespace("shop"),
      {
        apiVersion: "cert-manager.io/v1",
        kind: "Certificate",
        metadata: { name: "web-tls", namespace: "shop", creationTimestamp: ago(300) },
        spec: { secretName: "web-tls", issuerRef: { name: "ca" } },
        status: {},
      },
      ...deployment("cert-manager", { wanted: 0, ready: 0, namespace: "cert-manager" }),
    ]);

    expect(first).toBe("ScaledToZero cert-manager");
  });

  it("is the cause of an Ingress whose backends are ready", async () => {
    const labels = { app: "web" };
    const { first, answer } = await ask("web.example.com is not reachable", [
      namespace("shop"),
      node("n1"),
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "IngressClass",
        metadata: { name: "nginx" },
        spec: { controller: "k8s.io/ingress-nginx" },
      },
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "Ingress",
        metadata: { name: "web", namespace: "shop" },
        spec: {
          ingressClassName: "nginx",
          rules: [
            {
              host: "web.example.com",
              http: { paths: [{ path: "/", backend: { service: { name: "web" } } }] },
            },
          ],
        },
        status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } },
      },
      {
        apiVersion: "v1",
        kind: "Service",
        metadata: { name: "web", namespace: "shop" },
        spec: { selector: labels, ports: [{ port: 80 }] },
      },
      ...deployment("web"),
      pod({ name: "web-5d9-a", labels, owner: ["ReplicaSet", "web-5d9"] }),
      ...deployment("ingress-nginx-controller", { ready: 0, namespace: "ingress-nginx" }),
      pod({
        name: "ingress-nginx-controller-5d9-a",
        namespace: "ingress-nginx",
        owner: ["ReplicaSet", "ingress-nginx-controller-5d9"],
        container: crashing,
      }),
    ]);

    expect(first).toBe("CrashLoopBackOff ingress-nginx-controller-5d9-a");
    expect(answer).toContain("Ingress web waits for it");
  });
});

function cron(spec: object, status: object = {}): object {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: { name: "report", namespace: "shop", creationTimestamp: ago(60 * 24 * 9) },
    spec: { schedule: "*/15 * * * *", jobTemplate: { spec: {} }, ...spec },
    status,
  };
}

describe("a CronJob that starts nothing", () => {
  it.each([
    [
      "too many missed starts",
      cron({}, { lastScheduleTime: ago(60 * 24 * 3) }),
      event("CronJob", "report", "FailedNeedsStart", "too many missed start times: 101"),
      /too many missed/,
    ],
    [
      "an unknown time zone that no event reports",
      cron({ timeZone: "Europe/Berln" }),
      namespace("shop"),
      /Berln is not a known time zone/,
    ],
    ["a day that no month has", cron({ schedule: "0 3 31 2 *" }), namespace("shop"), /a day/],
    [
      "a deadline shorter than the controller's period",
      cron({ startingDeadlineSeconds: 5 }, { lastScheduleTime: ago(60 * 5) }),
      namespace("shop"),
      /startingDeadlineSeconds is 5/,
    ],
  ])("says why: %s", async (_, object, more, expected) => {
    const { first, answer } = await ask("cronjob report does not run any more", [object, more]);

    expect(first).toBe("CronJobNotRunning report");
    expect(answer).toMatch(expected);
  });

  it("is what it was when a start came after the warning", async () => {
    const { first } = await ask("does cronjob report work?", [
      cron({}, { lastScheduleTime: ago(1), lastSuccessfulTime: ago(0) }),
      event("CronJob", "report", "FailedNeedsStart", "too many missed start times", {
        minutes: 50,
      }),
    ]);

    expect(first).toBe("Healthy report");
  });
});

describe("a pod that is tied to one node by its name", () => {
  const tied = pod({
    name: "agent-x",
    phase: "Pending",
    node: "",
    owner: ["DaemonSet", "agent"],
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchFields: [{ key: "metadata.name", operator: "In", values: ["n2"] }] },
            ],
          },
        },
      },
    },
    status: {
      conditions: [
        {
          type: "PodScheduled",
          status: "False",
          reason: "Unschedulable",
          message:
            "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't satisfy plugin(s) [NodeAffinity].",
        },
      ],
    },
  });

  it("is answered with that node", async () => {
    const { first, answer } = await ask("why is pod agent-x pending?", [
      tied,
      node("n1"),
      node("n2"),
    ]);

    expect(first).toBe("FailedScheduling agent-x");
    expect(answer).toContain("only on node n2");
    expect(answer).not.toContain("n1");
  });

  it("is answered with what the node is, or that it is gone", async () => {
    const cordoned = { ...node("n2"), spec: { unschedulable: true } };

    expect((await ask("why is pod agent-x pending?", [tied, cordoned])).answer).toContain(
      "n2 is cordoned",
    );
    expect((await ask("why is pod agent-x pending?", [tied, node("n1")])).answer).toContain(
      "node n2 does not exist",
    );
  });
});

describe("the report of a tool below its error line", () => {
  it("is quoted with it", async () => {
    const { answer } = await ask(
      "why does pod migrate-1 crash?",
      [pod({ name: "migrate-1", container: crashing })],
      {
        "shop/migrate-1/web#previous":
          "Applying migrations\nERROR: Validate failed\nChecksum mismatch for version V14\n-> resolved locally: 12\nDone.\n",
      },
    );

    expect(answer).toContain("Validate failed Checksum mismatch for version V14");
  });
});
