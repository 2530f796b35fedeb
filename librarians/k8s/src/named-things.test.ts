import { describe, expect, it } from "vitest";
import { crashing, deployment, namespace, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, logs, now, partial: true });
  const {
    answer = "",
    metadata,
    sources,
  } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return {
    answer,
    signal: facts[0]?.signal_type ?? "nothing",
    sources: (sources ?? []).map(({ name }) => name),
  };
}

const account = {
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: { name: "keys", namespace: "shop" },
};
const stuck = pod({
  name: "keys-5d9-a",
  owner: ["ReplicaSet", "keys-5d9"],
  spec: { serviceAccountName: "keys", initContainers: [{ name: "login" }] },
  status: {
    phase: "Pending",
    initContainerStatuses: [{ ...crashing, name: "login" }],
    containerStatuses: [
      { name: "web", ready: false, state: { waiting: { reason: "PodInitializing" } } },
    ],
  },
});

describe("a name that a passive thing and a workload share", () => {
  it("is never called healthy for the passive thing, while the workload fails", async () => {
    const { signal, answer } = await ask(
      "keys pods sit in Init:0/1 since they got their own service account",
      [account, ...deployment("keys", { ready: 0 }), stuck],
    );

    expect(signal).toBe("InitContainerFailed");
    expect(answer).toContain("login");
  });

  it("leads from an account to what fails in the pods that use it", async () => {
    const { signal } = await ask("is service account keys ok?", [account, stuck]);

    expect(signal).not.toBe("Healthy");
  });
});

describe("a question whether policies keep one thing from another", () => {
  const policies = [
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "default-deny", namespace: "shop" },
      spec: { podSelector: {}, policyTypes: ["Ingress"] },
    },
    {
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: { name: "cache-from-web", namespace: "shop" },
      spec: {
        podSelector: { matchLabels: { app: "cache" } },
        policyTypes: ["Ingress"],
        ingress: [{ from: [{ podSelector: { matchLabels: { app: "web" } } }] }],
      },
    },
  ];
  const objects = [
    namespace("shop"),
    ...deployment("web"),
    ...deployment("cache"),
    ...deployment("other"),
    pod({ name: "web-5d9-a", labels: { app: "web" }, owner: ["ReplicaSet", "web-5d9"] }),
    pod({ name: "cache-5d9-a", labels: { app: "cache" }, owner: ["ReplicaSet", "cache-5d9"] }),
    pod({ name: "other-5d9-a", labels: { app: "other" }, owner: ["ReplicaSet", "other-5d9"] }),
    service("cache", { app: "cache" }),
    ...policies,
  ];

  it.each([
    ["does a network policy stop web from reaching cache in namespace shop?", "Healthy"],
    ["can web reach cache in namespace shop?", "Healthy"],
    [
      "does a network policy stop other from reaching cache in namespace shop?",
      "NetworkPolicyBlocking",
    ],
  ])("%s", async (question, expected) => {
    const { signal, answer } = await ask(question, objects);

    expect(signal).toBe(expected);
    expect(answer.includes("allow shop/Pod/web-5d9-a to reach shop/Service/cache")).toBe(
      expected === "Healthy",
    );
  });
});

describe("what logs name", () => {
  it("leads from the log of an ingress controller to the Service of the host", async () => {
    const { signal, sources } = await ask(
      "tv.example.com/guide gives 503, I have the ingress controller's log",
      [
        namespace("guide"),
        service("guide-web", { app: "guide-web" }, "guide"),
        {
          apiVersion: "networking.k8s.io/v1",
          kind: "Ingress",
          metadata: { name: "guide", namespace: "guide" },
          spec: {
            rules: [
              {
                host: "tv.example.com",
                http: { paths: [{ path: "/", backend: { service: { name: "guide-web" } } }] },
              },
            ],
          },
        },
      ],
      {
        "edge/ingress-controller-1/controller":
          'W0904 controller.go:1232] Service "guide/guide-web" does not have any active Endpoint.\n',
      },
    );

    expect(signal).toBe("ServiceNoEndpoints");
    expect(sources).toContain("guide/Service/guide-web");
  });

  it("quotes of a denied call the line that says what was refused", async () => {
    const { signal, answer } = await ask(
      "why does prov crash?",
      [pod({ name: "prov-1", labels: { app: "prov" }, container: crashing })],
      {
        "shop/prov-1/web#previous":
          'kubernetes.client.exceptions.ApiException: (403)\nReason: Forbidden\nHTTP response body: {"message":"configmaps is forbidden: User \\"system:serviceaccount:shop:prov\\" cannot list resource \\"configmaps\\" in API group \\"\\" in the namespace \\"shop\\""}\n',
      },
    );

    expect(signal).toBe("RBACDenied");
    expect(answer.split("\n")[0]).toContain("configmaps");
  });

  it("follows a failed call that stands above the errors that came of it", async () => {
    const { answer } = await ask(
      "events crashes",
      [
        pod({
          name: "events-1",
          labels: { app: "events" },
          container: crashing,
        }),
        service("bus", { app: "bus" }),
        pod({
          name: "bus-0",
          labels: { app: "bus" },
          status: {
            phase: "Pending",
            containerStatuses: [
              {
                name: "web",
                ready: false,
                restartCount: 0,
                state: { waiting: { reason: "ImagePullBackOff", message: "Back-off x" } },
              },
            ],
          },
        }),
      ],
      {
        "shop/events-1/web#previous":
          'WARN Couldn\'t resolve server bus.shop.svc:9092 from bootstrap.servers as DNS resolution failed\nException in thread "main" KafkaException: Failed to construct consumer\nCaused by: ConfigException: No resolvable bootstrap urls given\n',
      },
    );

    expect(answer).toContain("bus-0");
  });
});

describe("which versions run", () => {
  it("names each of them while a rollout continues", async () => {
    const run = (name: string, image: string) =>
      pod({
        name,
        labels: { app: "player" },
        owner: ["ReplicaSet", "player-5d9"],
        containerSpec: { image },
      });
    const { answer } = await ask("which versions of player are live at the moment?", [
      ...deployment("player", { wanted: 2, ready: 2 }),
      run("player-5d9-a", "shop/player:6.14"),
      run("player-5d9-b", "shop/player:6.15"),
    ]);

    expect(answer).toContain("6.14");
    expect(answer).toContain("6.15");
  });
});

describe("where the workload itself was not recorded", () => {
  it("finds by name what keeps its next ReplicaSet from making pods", async () => {
    const set = (name: string, wanted: number, conditions: readonly object[]) => ({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        name,
        namespace: "shop",
        ownerReferences: [{ kind: "Deployment", name: "teaser", controller: true }],
      },
      spec: { replicas: wanted },
      status: { replicas: wanted - conditions.length, conditions },
    });
    const { signal } = await ask("teaser makes no progress, all old pods are healthy", [
      set("teaser-57", 1, []),
      set("teaser-25", 1, [
        {
          type: "ReplicaFailure",
          status: "True",
          reason: "FailedCreate",
          message: 'pods "teaser-25-x" is forbidden: exceeded quota: pods, requested: pods=1',
        },
      ]),
      pod({ name: "teaser-57-a", labels: { app: "teaser" }, owner: ["ReplicaSet", "teaser-57"] }),
    ]);

    expect(signal).toBe("QuotaExceeded");
  });

  it.each([
    ["job backup never completes", "pods were not read"],
    ["what happened to node n1?", "its events, which would show what happened, could not be read"],
    ["can web reach api?", "the Service of that call was not read"],
  ])("says what was not read for: %s", async (question, expected) => {
    const { answer } = await ask(question, [
      {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "backup", namespace: "shop" },
        spec: {},
        status: { active: 1 },
      },
      {
        apiVersion: "v1",
        kind: "Node",
        metadata: { name: "n1" },
        spec: {},
        status: { conditions: [{ type: "Ready", status: "True" }] },
      },
      ...(question.startsWith("can")
        ? [
            pod({ name: "web-1", labels: { app: "web" } }),
            pod({ name: "api-1", labels: { app: "api" } }),
            {
              apiVersion: "networking.k8s.io/v1",
              kind: "NetworkPolicy",
              metadata: { name: "closed", namespace: "shop" },
              spec: { podSelector: {}, policyTypes: ["Egress"] },
            },
          ]
        : []),
    ]);

    expect(answer).toContain(expected);
    expect(answer).not.toContain("(Healthy)");
  });
});
