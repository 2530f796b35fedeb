import { describe, expect, it } from "vitest";
import { crashing, deployment, event, namespace, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects, logs, now, partial: true });
  const { answer = "", metadata, error } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return { answer, signal: facts[0]?.signal_type ?? error?.code ?? "nothing" };
}

const labels = { app: "portal" };
const creating = {
  phase: "Pending",
  containerStatuses: [
    {
      name: "web",
      ready: false,
      restartCount: 0,
      state: { waiting: { reason: "ContainerCreating" } },
    },
  ],
};

describe("a host beside a workload of the same name", () => {
  it("leads to the Ingress of the host, although the question names pods", async () => {
    const { signal, answer } = await ask(
      "pods of portal are green but portal.example.com does not answer at all",
      [
        ...deployment("portal"),
        pod({ name: "portal-5d9-a", labels, owner: ["ReplicaSet", "portal-5d9"] }),
        service("portal", labels),
        {
          apiVersion: "networking.k8s.io/v1",
          kind: "Ingress",
          metadata: { name: "portal", namespace: "shop" },
          spec: {
            ingressClassName: "internal",
            rules: [
              {
                host: "portal.example.com",
                http: {
                  paths: [
                    { path: "/", backend: { service: { name: "portal", port: { number: 80 } } } },
                  ],
                },
              },
            ],
          },
        },
        {
          apiVersion: "networking.k8s.io/v1",
          kind: "IngressClass",
          metadata: { name: "public" },
          spec: { controller: "example.com/ingress" },
        },
      ],
    );

    expect(signal).toBe("IngressClassMissing");
    expect(answer).toContain("internal");
  });
});

describe("drivers on the node behind a pod that cannot start", () => {
  const driver = pod({
    name: "disk-csi-node-z9",
    namespace: "kube-system",
    owner: ["DaemonSet", "disk-csi-node"],
    container: crashing,
    containerSpec: { name: "web" },
  });

  it.each([
    [
      "a volume",
      "FailedMount",
      "MountVolume.MountDevice failed: driver name disk.csi.example.com not found in the list of registered CSI drivers",
      "disk-csi-node-z9",
    ],
    [
      "a network",
      "FailedCreatePodSandBox",
      'plugin type="weave-net" failed (add): dial unix: connection refused',
      "weave-net-q7",
    ],
  ])("are the cause of %s that is not there", async (_, reason, message, name) => {
    const agent =
      name === "disk-csi-node-z9"
        ? driver
        : pod({
            name,
            namespace: "kube-system",
            owner: ["DaemonSet", "weave-net"],
            container: crashing,
          });
    const { signal, answer } = await ask("api-1 in namespace shop hangs in ContainerCreating", [
      namespace("shop"),
      namespace("kube-system"),
      pod({ name: "api-1", status: creating }),
      event("Pod", "api-1", reason, message),
      agent,
    ]);

    expect(signal).toBe("CrashLoopBackOff");
    expect(answer).toContain(name);
    expect(answer).toContain(`${reason} of`);
  });

  it("are not, where they are on another node or ready", async () => {
    const { signal } = await ask("api-1 hangs in ContainerCreating", [
      pod({ name: "api-1", status: creating, node: "n2" }),
      event("Pod", "api-1", "FailedMount", "driver name disk.csi.example.com not found"),
      driver,
    ]);

    expect(signal).toBe("FailedMount");
  });
});

describe("logs", () => {
  it("says nothing of words in calm lines that only look like an error", async () => {
    const { signal } = await ask(
      "check mailer for errors please",
      [...deployment("mailer"), pod({ name: "mailer-5d9-a", owner: ["ReplicaSet", "mailer-5d9"] })],
      {
        "shop/mailer-5d9-a/web":
          "INFO  template 'error_report' compiled\nINFO  exception handler installed\nINFO  sent=3 failed=0\n",
      },
    );

    expect(signal).toBe("Healthy");
  });

  it("quotes the last words of what crashed, where no line is known to be an error", async () => {
    const { answer } = await ask(
      "why does api-1 crash?",
      [pod({ name: "api-1", container: crashing })],
      { "shop/api-1/web#previous": "loading rules\nLicence key was revoked by the vendor\n" },
    );

    expect(answer.split("\n")[0]).toContain("Licence key was revoked by the vendor");
  });

  it("reads the log of the cluster's DNS itself, and names no sibling as its cause", async () => {
    const dns = (name: string) =>
      pod({
        name,
        namespace: "kube-system",
        labels: { "k8s-app": "kube-dns" },
        owner: ["ReplicaSet", "coredns-1"],
        container: { ...crashing, name: "web" },
      });
    const log = "/etc/coredns/Corefile:5 - Error during parsing: Unknown directive 'forwrad'\n";
    const { answer } = await ask(
      "why does cart crash?",
      [
        ...deployment("cart", { ready: 0 }),
        pod({ name: "cart-5d9-a", owner: ["ReplicaSet", "cart-5d9"], container: crashing }),
        dns("coredns-1-a"),
        dns("coredns-1-b"),
        service("kube-dns", { "k8s-app": "kube-dns" }, "kube-system"),
      ],
      {
        "shop/cart-5d9-a/web#previous":
          "Error: getaddrinfo EAI_AGAIN redis.shop.svc.cluster.local\n",
        "kube-system/coredns-1-a/web#previous": log,
        "kube-system/coredns-1-b/web#previous": log,
      },
    );

    expect(answer).toContain("forwrad");
  });
});

describe("images in a question", () => {
  const run = (name: string, image: string, place: string) =>
    pod({ name, namespace: place, containerSpec: { image } });
  const objects = [
    namespace("east"),
    namespace("west"),
    run("ship-0", "ghcr.io/acme/ship:2.1", "east"),
    run("ship-1", "ghcr.io/acme/ship:2.2", "east"),
    run("old", "ghcr.io/acme/ship:2.1", "west"),
  ];

  it.each([
    "which pods run ghcr.io/acme/ship:2.1 ?",
    "who uses the image ghcr.io/acme/ship:2.1",
    "list pods with image ghcr.io/acme/ship:2.1",
  ])("are no names of namespaces: %s", async (question) => {
    const { answer } = await ask(question, objects);

    expect(answer).toContain("east/Pod/ship-0");
    expect(answer).toContain("west/Pod/old");
    expect(answer).not.toContain("ship-1");
  });

  it("that are not pulled are a failure, not a list, with the pull secret that was not read", async () => {
    const { signal, answer } = await ask("bff does not get its image although it runs elsewhere", [
      pod({
        name: "bff-1",
        labels: { app: "bff" },
        spec: { imagePullSecrets: [{ name: "harbor" }] },
        status: {
          phase: "Pending",
          containerStatuses: [
            {
              name: "web",
              ready: false,
              restartCount: 0,
              state: { waiting: { reason: "ImagePullBackOff", message: "Back-off" } },
            },
          ],
        },
      }),
      event("Pod", "bff-1", "Failed", 'Failed to pull image "x": no basic auth credentials'),
    ]);

    expect(signal).toBe("ImagePullBackOff");
    expect(answer).toContain("its pull secret is harbor");
  });
});

describe("whether one thing can reach another", () => {
  it("is judged in the direction of the question, also where only a part of a name is in it", async () => {
    const { signal } = await ask("can web reach api in namespace shop?", [
      pod({ name: "web-7c9d-a", labels: { app: "web" } }),
      pod({ name: "api-5d9-a", labels: { app: "api" } }),
      service("api", { app: "api" }),
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name: "closed", namespace: "shop" },
        spec: { podSelector: { matchLabels: { app: "web" } }, policyTypes: ["Egress"] },
      },
    ]);

    expect(signal).toBe("NetworkPolicyBlocking");
  });
});

describe("what a container waits for", () => {
  const waiting = {
    phase: "Pending",
    initContainerStatuses: [
      {
        name: "wait-db",
        ready: false,
        restartCount: 0,
        state: { running: { startedAt: "2026-03-01T09:00:00Z" } },
      },
    ],
    containerStatuses: [
      {
        name: "web",
        ready: false,
        restartCount: 0,
        state: { waiting: { reason: "PodInitializing" } },
      },
    ],
  };

  it.each([
    ["of pg_isready", "orders-db:80 - no response"],
    ["of a JSON logger", '{"msg":"connect ETIMEDOUT 10.0.0.9:5432","host":"orders-db.shop"}'],
  ])("is found from a line %s", async (_, line) => {
    const { answer } = await ask(
      "why do the portal pods hang in Init:0/1?",
      [
        pod({ name: "portal-5d9-a", labels, status: waiting }),
        service("orders-db", { app: "orders-database" }),
      ],
      { "shop/portal-5d9-a/wait-db": line },
    );

    expect(answer).toMatch(/orders-db\b.*no pod matches the selector of Service orders-db/s);
  });
});

describe("a count such as 0/1", () => {
  it("is not a name", async () => {
    const { signal } = await ask("several pods in namespace shop show 0/1, is one broken?", [
      namespace("shop"),
      pod({ name: "portal-5d9-a", labels }),
    ]);

    expect(signal).not.toBe("NOT_FOUND");
  });
});
