import { describe, expect, it } from "vitest";
import { ago, deployment, namespace, node, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function ask(question: string, objects: readonly unknown[]) {
  const reader = createInMemoryReader({ objects, now, partial: true });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const [first] = (metadata?.facts ?? []) as readonly {
    readonly signal_type: string;
    readonly resource_name: string;
  }[];
  return { answer, first: `${first?.signal_type} ${first?.resource_name}` };
}

const web = [
  namespace("shop"),
  node("n1"),
  node("n2"),
  ...deployment("web"),
  pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" } }),
  service("web", { app: "web" }),
];
const isTrue = (type: string) => ({ type, status: "True", reason: type });

function route(port: number, parents: readonly object[]): object {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "HTTPRoute",
    metadata: { name: "web", namespace: "shop", creationTimestamp: ago(60) },
    spec: {
      hostnames: ["web.example.com"],
      parentRefs: [{ name: "edge" }],
      rules: [{ backendRefs: [{ name: "web", port }] }],
    },
    status: { parents },
  };
}

function gateway(conditions: readonly object[]): object {
  return {
    apiVersion: "gateway.networking.k8s.io/v1",
    kind: "Gateway",
    metadata: { name: "edge", namespace: "shop" },
    spec: { gatewayClassName: "edge" },
    status: { conditions },
  };
}

describe("a route of the Gateway API", () => {
  const accepted = { conditions: [isTrue("Accepted"), isTrue("ResolvedRefs")] };

  it.each([
    [
      "to a port that its Service does not have",
      route(9090, [accepted]),
      gateway([]),
      /no port 9090/,
    ],
    ["that no gateway has taken", route(80, []), gateway([]), /no gateway has taken it/],
    [
      "whose gateway has no address",
      route(80, [accepted]),
      gateway([
        {
          type: "Programmed",
          status: "False",
          reason: "AddressNotAssigned",
          message: "No addresses have been assigned",
        },
      ]),
      /AddressNotAssigned/,
    ],
  ])("%s", async (_, one, parent, expected) => {
    const { first, answer } = await ask("web.example.com is not reachable", [...web, one, parent]);

    expect(first).toMatch(/^IngressBackendMissing (?:web|edge)$/);
    expect(answer).toMatch(expected);
  });
});

describe("a Service", () => {
  const slice = {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: {
      name: "web-x",
      namespace: "shop",
      labels: { "kubernetes.io/service-name": "web" },
    },
    ports: [{ port: 8080 }],
    endpoints: [{ addresses: ["10.0.0.5"], conditions: { ready: true }, nodeName: "n1" }],
  };

  it("without a selector has the endpoints that are made for it, here none", async () => {
    const legacy = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "legacy", namespace: "shop" },
      spec: { ports: [{ port: 80 }] },
    };
    const { first, answer } = await ask("service legacy does not answer", [...web, slice, legacy]);

    expect(first).toBe("ServiceNoEndpoints legacy");
    expect(answer).toContain("no selector");
  });

  it("that answers on its own node only names the nodes without an endpoint", async () => {
    const local = {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "web", namespace: "shop" },
      spec: {
        selector: { app: "web" },
        internalTrafficPolicy: "Local",
        ports: [{ port: 80, targetPort: 8080 }],
      },
    };
    const others = web.filter((one) => (one as { readonly kind: string }).kind !== "Service");
    const { first, answer } = await ask("service web does not answer", [...others, local, slice]);

    expect(first).toBe("ServiceNoEndpoints web");
    expect(answer).toContain("none on node n2");
  });
});

describe("a CertificateSigningRequest", () => {
  it("that waits for its approval is a finding", async () => {
    const { first, answer } = await ask("csr csr-1 is not approved", [
      ...web,
      {
        apiVersion: "certificates.k8s.io/v1",
        kind: "CertificateSigningRequest",
        metadata: { name: "csr-1", creationTimestamp: ago(60) },
        spec: { signerName: "kubernetes.io/kubelet-serving", username: "system:node:n1" },
        status: {},
      },
    ]);

    expect(first).toBe("CertificateNotReady csr-1");
    expect(answer).toContain("neither approved nor denied");
  });
});

describe("a drain that hangs, where pods were not read", () => {
  it("is not called healthy beside a budget that allows no disruption", async () => {
    const { first } = await ask("drain of node n1 hangs", [
      namespace("shop"),
      node("n1"),
      {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "web", namespace: "shop" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
        status: { disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
      },
    ]);

    expect(first).toBe("PDBBlocking web");
  });
});
