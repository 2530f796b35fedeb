import { describe, expect, it } from "vitest";
import { deployment, namespace, node, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

function policy(port: number): object {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: { name: "web-clients", namespace: "shop" },
    spec: {
      podSelector: { matchLabels: { app: "web" } },
      policyTypes: ["Ingress"],
      ingress: [{ ports: [{ port }] }],
    },
  };
}

async function ask(port: number) {
  const reader = createInMemoryReader({
    objects: [
      namespace("shop"),
      node("n1"),
      ...deployment("web"),
      pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" } }),
      service("web", { app: "web" }),
      policy(port),
    ],
    now,
    partial: true,
  });
  const { metadata, confidence } = await createK8sLibrarian({ reader }).librarian(
    "is service web ok?",
  );
  const [first] = (metadata?.facts ?? []) as readonly { readonly signal_type: string }[];
  return { signal: first?.signal_type, confidence };
}

describe("a policy that lets callers in on other ports than the Service sends to", () => {
  it("keeps the Service from being called healthy, and is not sure", async () => {
    const { signal, confidence = 1 } = await ask(9090);

    expect(signal).toBe("NetworkPolicyBlocking");
    expect(confidence).toBeLessThan(0.5);
  });

  it("is no finding for the port that the Service sends to", async () => {
    expect((await ask(8080)).signal).not.toBe("NetworkPolicyBlocking");
  });
});
