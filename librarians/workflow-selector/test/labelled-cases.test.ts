import type { Context } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { createMemoryCatalog, createWorkflowSelectorLibrarian } from "../src/index.js";

const entry = (workflow_id: string, description: string, environment: readonly string[]) => ({
  workflow_id,
  version: "1.0.0",
  description,
  labels: { environment, priority: "*", risk_tolerance: "low" },
});

const anywhere = ["production", "staging"];

/** Small, and with neighbours that could be mistaken for each other. */
const catalog = [
  entry(
    "raise-memory",
    "Raises the memory limit of a workload after OOMKilled containers",
    anywhere,
  ),
  entry(
    "roll-back",
    "Rolls back a deployment whose new version crashes: CrashLoopBackOff",
    anywhere,
  ),
  entry(
    "fix-image",
    "Corrects an image reference that cannot be pulled: ImagePullBackOff",
    anywhere,
  ),
  entry("renew-certificate", "Renews an expired TLS certificate of an ingress", anywhere),
  entry("drain-node", "Drains and reboots a node that is not ready: NodeNotReady", anywhere),
  entry(
    "recreate-claim",
    "Makes a PersistentVolumeClaim anew that was never bound: PVCPending",
    anywhere,
  ),
  entry("raise-memory-staging", "Raises the memory limit generously after OOMKilled", ["staging"]),
];

/** A signal as an alert brings it, and the workflow that an operator would take. */
const cases: readonly (readonly [signal: Readonly<Record<string, string>>, right: string])[] = [
  [{ signal_type: "OOMKilled", message: "container app exceeded 512Mi" }, "raise-memory"],
  [{ signal_type: "CrashLoopBackOff", message: "back-off restarting after v2" }, "roll-back"],
  [{ signal_type: "ImagePullBackOff", message: "manifest unknown" }, "fix-image"],
  [{ signal_type: "NodeNotReady", message: "kubelet stopped posting status" }, "drain-node"],
  [{ signal_type: "PVCPending", message: "no storage class fast-ssd" }, "recreate-claim"],
  [{ signal_type: "OOMKilled", message: "killed, exit code 137" }, "raise-memory"],
  [{ signal_type: "CertificateExpired", message: "x509: expired" }, "renew-certificate"],
];

describe("labelled cases", () => {
  it("CAT-034 get the right workflow in at least 85 % of them, and none of another environment", async () => {
    const { librarian } = createWorkflowSelectorLibrarian({ store: createMemoryCatalog(catalog) });
    const proposed = await Promise.all(
      cases.map(async ([signal]) => {
        const query = JSON.stringify({
          ...signal,
          namespace: "shop",
          resource_kind: "Deployment",
          resource_name: "checkout",
          severity: "critical",
          environment: "production",
          priority: "P1",
        });
        const { metadata } = await librarian(query, {} satisfies Context);
        return strategiesOf(metadata?.workflowSelection)[0];
      }),
    );

    const right = cases.filter(([, workflow], index) => proposed[index] === workflow);
    expect(right.length / cases.length).toBeGreaterThanOrEqual(0.85);
    expect(proposed).not.toContain("raise-memory-staging");
  });
});

function strategiesOf(selection: unknown): readonly string[] {
  const { strategies = [] } = (selection ?? {}) as {
    readonly strategies?: readonly { readonly workflow_id: string }[];
  };
  return strategies.map(({ workflow_id }) => workflow_id);
}
