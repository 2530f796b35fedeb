import { describe, expect, it } from "vitest";
import { ago, deployment, namespace, node, now, pod, service } from "../../../test/objects.js";
import { createInMemoryReader } from "../../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../../k8s-librarian.js";

async function ask(question: string, objects: readonly unknown[], logs = {}) {
  const reader = createInMemoryReader({ objects, logs, now, partial: true });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const facts = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return { answer, signal: facts[0]?.signal_type ?? "nothing" };
}

const object = (apiVersion: string, kind: string, name: string, body: object, metadata = {}) => ({
  apiVersion,
  kind,
  metadata: { name, namespace: "shop", ...metadata },
  ...body,
});

const web = (containerSpec = {}) => [
  namespace("shop"),
  node("n1"),
  ...deployment("web"),
  pod({
    name: "web-5d9-a",
    owner: ["ReplicaSet", "web-5d9"],
    labels: { app: "web" },
    containerSpec,
  }),
  service("web", { app: "web" }),
];

const ingress = (port: object, annotations = {}) =>
  object(
    "networking.k8s.io/v1",
    "Ingress",
    "web",
    {
      spec: {
        ingressClassName: "nginx",
        rules: [
          {
            host: "web.example.com",
            http: { paths: [{ path: "/", backend: { service: { name: "web", port } } }] },
          },
        ],
      },
    },
    { annotations },
  );
const ingressClass = {
  apiVersion: "networking.k8s.io/v1",
  kind: "IngressClass",
  metadata: { name: "nginx" },
  spec: { controller: "k8s.io/ingress-nginx" },
};
const gateway = object("gateway.networking.k8s.io/v1", "Gateway", "edge", {
  spec: { gatewayClassName: "mesh", listeners: [{ name: "https", port: 443 }] },
});
const grpcRoute = (sectionName: string) =>
  object("gateway.networking.k8s.io/v1", "HTTPRoute", "web", {
    spec: {
      parentRefs: [{ name: "edge", sectionName }],
      rules: [{ backendRefs: [{ name: "web", port: 80 }] }],
    },
  });
const external = (port: string) => [
  object("v1", "Service", "plc", { spec: { ports: [{ name: "pg", port: 5432 }] } }),
  object("v1", "Endpoints", "plc", {
    subsets: [{ addresses: [{ ip: "10.1.90.14" }], ports: [{ name: port, port: 5432 }] }],
  }),
];
const hook = (port: number) =>
  object("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", "guard", {
    webhooks: [
      {
        name: "guard.shop.example",
        clientConfig: { service: { name: "web", namespace: "shop", port } },
      },
    ],
  });

describe("what an object names has to agree with it", () => {
  it.each([
    [
      "the listener of a route",
      "why is httproute web not served?",
      [...web(), gateway, grpcRoute("http")],
      "Gateway edge has no listener http (it has https)",
    ],
    [
      "the port of hand-made endpoints",
      "is service plc ok?",
      [...web(), ...external("postgres")],
      "has no port named pg (it has postgres)",
    ],
    [
      "the port of a webhook",
      "is the webhook guard ok?",
      [...web(), hook(9443)],
      "service web has no port 9443 (it has 80)",
    ],
  ])("%s", async (_, question, objects, expected) => {
    expect((await ask(question, objects)).answer).toContain(expected);
  });

  it.each([
    ["a listener that is there", "why is httproute web not served?", [gateway, grpcRoute("https")]],
    ["endpoints under the same name", "is service plc ok?", external("pg")],
    ["a webhook's port that is there", "is the webhook guard ok?", [hook(80)]],
  ])("and is not reported: %s", async (_, question, objects) => {
    expect((await ask(question, [...web(), ...objects])).answer).not.toContain("(it has");
  });
});

const tls = {
  ports: [{ name: "https", containerPort: 8080 }],
  readinessProbe: { httpGet: { port: 8080, scheme: "HTTPS" } },
};
const settingsOf = (edited: number) => [
  ...web({
    env: [{ name: "BANK", valueFrom: { configMapKeyRef: { name: "conf", key: "bank" } } }],
  }),
  object(
    "v1",
    "ConfigMap",
    "conf",
    { data: { bank: "x" } },
    { managedFields: [{ manager: "kubectl-edit", time: ago(edited) }] },
  ),
];
const lease = (holder: string) =>
  object("coordination.k8s.io/v1", "Lease", "web-lock", {
    spec: { holderIdentity: holder, leaseDurationSeconds: 15, renewTime: ago(0) },
  });
const scaler = (annotations: object) =>
  object(
    "keda.sh/v1alpha1",
    "ScaledObject",
    "web",
    { spec: { scaleTargetRef: { name: "web" } } },
    { annotations },
  );
const failing = { "shop/web-5d9-a/web": "ERROR calling bank: 410 Gone\n" };

describe("settings that do not fit together", () => {
  it.each([
    [
      "an Ingress that speaks HTTP to what is probed with HTTPS",
      [...web(tls), ingressClass, ingress({ number: 80 })],
      "plain HTTP to service web port 80",
    ],
    [
      "a lease that nothing in its namespace holds",
      [...web(), lease("laptop_1")],
      "held by laptop_1",
    ],
    [
      "a scaler that is paused",
      [...web(), scaler({ "autoscaling.keda.sh/paused-replicas": "0" })],
      "paused-replicas: 0",
    ],
  ])("%s", async (_, objects, expected) => {
    const { answer } = await ask("web does not work, what is wrong with it?", objects);
    expect(answer).toContain(expected);
  });

  it("adds to an error which ConfigMap was edited after the start", async () => {
    const { answer, signal } = await ask("web calls the old bank", settingsOf(30), failing);
    expect(signal).toBe("ApplicationError");
    expect(answer).toContain("still runs with the old values of ConfigMap conf");
    const before = await ask("web calls the old bank", settingsOf(700), failing);
    expect(before.answer).not.toContain("old values");
  });

  it("adds to an error which variable is set twice", async () => {
    const env = ["a", "b"].map((value) => ({ name: "BANK", value }));
    const [place, machine, , ...rest] = web({ env });
    const top = {
      ...(deployment("web")[0] as object),
      spec: { replicas: 1, template: { spec: { containers: [{ name: "web", env }] } } },
    };
    const { answer } = await ask("web calls the old bank", [place, machine, top, ...rest], failing);
    expect(answer).toContain("sets the variable BANK twice");
  });

  it.each([
    [
      "a backend-protocol",
      [
        ...web(tls),
        ingressClass,
        ingress({ number: 80 }, { "nginx.ingress.kubernetes.io/backend-protocol": "HTTPS" }),
      ],
    ],
    ["a pod that holds the lease", [...web(), lease("web-5d9-a_1")]],
    ["a scaler that is not paused", [...web(), scaler({ "autoscaling.keda.sh/paused": "false" })]],
  ])("and reports nothing for %s", async (_, objects) => {
    const { signal } = await ask("what is wrong with web?", objects);
    expect(signal).toBe("Healthy");
  });
});
