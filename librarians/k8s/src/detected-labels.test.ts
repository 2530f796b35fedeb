import { testContext } from "@constellation/testing";
import { describe, expect, it } from "vitest";
import { crashing, deployment, namespace, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

async function detect(...more: readonly object[]): Promise<unknown> {
  const labels = { app: "api" };
  const objects = [
    ...deployment("api", { ready: 0 }),
    pod({ name: "api-1", owner: ["ReplicaSet", "api-5d9"], labels, container: crashing }),
    ...more,
  ];
  const merged = new Map(objects.map((one) => [JSON.stringify(keyOf(one)), one]));
  const reader = createInMemoryReader({ objects: [...merged.values()], now });
  const { metadata } = await createK8sLibrarian({ reader }).librarian(
    "What is wrong with Deployment api in namespace shop?",
    testContext({ metadata: { wants: "facts" } }),
  );
  const [fact] = (metadata?.facts ?? []) as readonly { readonly detected_labels?: unknown }[];
  return fact?.detected_labels;
}

function keyOf(object: object) {
  const { kind, metadata } = object as { kind: string; metadata: { name: string } };
  return [kind, metadata.name];
}

/** The Deployment as it is, with other metadata and another pod template. */
function managed(metadata: object, template: object = {}): object {
  const [one] = deployment("api", { ready: 0 }) as [
    { metadata: object; spec: { template: { metadata: object; spec: object } } },
  ];
  const { spec, metadata: own } = one.spec.template;
  return {
    ...one,
    metadata: { ...one.metadata, ...metadata },
    spec: { ...one.spec, template: { metadata: own, spec: { ...spec, ...template } } },
  };
}

const selector = { matchLabels: { app: "api" } };

describe("detected_labels of facts", () => {
  it("name who manages the workload of a pod", async () => {
    expect(await detect(managed({ labels: { "argocd.argoproj.io/instance": "shop" } }))).toEqual(
      expect.objectContaining({
        gitOpsManaged: true,
        gitOpsTool: "argocd",
        gitOpsApplication: "shop",
        helmManaged: false,
      }),
    );
    expect(
      await detect(managed({ labels: { "helm.toolkit.fluxcd.io/name": "shop" } })),
    ).toMatchObject({ gitOpsManaged: true, gitOpsTool: "flux", helmManaged: true });
    expect(await detect(managed({ annotations: { "meta.helm.sh/release-name": "shop" } }))).toEqual(
      expect.objectContaining({ gitOpsManaged: false, helmManaged: true, helmRelease: "shop" }),
    );
  });

  it("name what protects, scales and isolates it, and only of the same namespace", async () => {
    const parts = (namespace: string) => [
      {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "api", namespace },
        spec: { selector, minAvailable: 1 },
      },
      {
        apiVersion: "autoscaling/v2",
        kind: "HorizontalPodAutoscaler",
        metadata: { name: "api", namespace },
        spec: { scaleTargetRef: { kind: "Deployment", name: "api" }, maxReplicas: 3 },
      },
      {
        apiVersion: "networking.k8s.io/v1",
        kind: "NetworkPolicy",
        metadata: { name: "api", namespace },
        spec: { podSelector: selector, policyTypes: ["Ingress"] },
      },
    ];

    expect(await detect(...parts("shop"))).toMatchObject({
      pdbProtected: true,
      hpaEnabled: true,
      networkIsolated: true,
      stateful: false,
    });
    expect(await detect(...parts("other"))).toMatchObject({
      pdbProtected: false,
      hpaEnabled: false,
      networkIsolated: false,
    });
  });

  it("name its priority, its mesh, and whether its storage can grow", async () => {
    const volumes = [{ name: "data", persistentVolumeClaim: { claimName: "data" } }];
    const storage = (allowVolumeExpansion: boolean) => [
      managed({}, { volumes, priorityClassName: "high" }),
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "data", namespace: "shop" },
        spec: { storageClassName: "ssd" },
        status: { phase: "Bound" },
      },
      {
        apiVersion: "storage.k8s.io/v1",
        kind: "StorageClass",
        metadata: { name: "ssd" },
        provisioner: "ebs.csi.aws.com",
        allowVolumeExpansion,
      },
      namespace("shop", { "istio-injection": "enabled" }),
    ];

    expect(await detect(...storage(true))).toMatchObject({
      storageExpandable: true,
      serviceMesh: "istio",
    });
    expect(await detect(...storage(false))).toMatchObject({ storageExpandable: false });
    expect(await detect()).not.toHaveProperty("storageExpandable");
  });
});
