import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { searchWorkflowCatalog } from "../src/search/search-workflow-catalog.js";
import { catalogOf, entry } from "./workflows.js";

/** Workflows by the kind of incident they are for. */
const byType = {
  oom: ["Increases the memory limits of a deployment whose containers are OOMKilled"],
  crash: [
    "Rolls back a deployment whose pods are in CrashLoopBackOff after a bad release",
    "Restores the environment variables of a container that exits at start and crash loops",
  ],
  image: [
    "Corrects a wrong image tag of pods stuck in ImagePullBackOff",
    "Recreates the missing image pull secret of pods that cannot pull their image",
  ],
  certificate: [
    "Renews an expired TLS certificate",
    "Recreates the secret behind a cert-manager issuer",
  ],
  disk: ["Removes old files from a node under disk pressure"],
  volume: ["Expands a persistent volume claim that runs out of space"],
  node: ["Cordons and drains a node that is NotReady"],
  pending: ["Adds a node when pods are pending because the cluster has insufficient CPU"],
  throttling: ["Raises the CPU limit of containers that are throttled"],
  network: ["Removes a network policy that blocks legitimate ingress traffic"],
  permission: ["Recreates a deleted role binding for pods that get 403 forbidden from the API"],
  autoscaler: ["Raises maxReplicas of a HorizontalPodAutoscaler at its ceiling"],
  etcd: ["Defragments the database of etcd members one by one"],
};
type IncidentType = keyof typeof byType;

/** What people and alerts say, by the kind of incident they mean. */
const asked: readonly (readonly [type: IncidentType, query: string])[] = [
  ["oom", "OOMKilled"],
  ["oom", "pod ran out of memory"],
  ["oom", "container exceeded its memory limit, exit code 137"],
  ["crash", "KubePodCrashLooping"],
  ["crash", "back-off restarting failed container"],
  ["crash", "checkout restarts repeatedly after the release"],
  ["image", "ImagePullBackOff"],
  ["image", "Failed to pull image: manifest unknown"],
  ["certificate", "x509: certificate has expired"],
  ["certificate", "CertManagerCertNotReady"],
  ["disk", "NodeDiskPressure"],
  ["volume", "KubePersistentVolumeFillingUp"],
  ["volume", "the PVC of postgres is almost full"],
  ["node", "KubeNodeNotReady"],
  ["node", "kubelet stopped posting node status, node is not ready"],
  ["pending", "FailedScheduling: insufficient cpu"],
  ["pending", "pods stuck in Pending, the cluster has no capacity"],
  ["throttling", "CPUThrottlingHigh"],
  ["network", "traffic is blocked by a NetworkPolicy"],
  ["permission", "pods is forbidden: service account cannot list pods"],
  ["autoscaler", "KubeHpaMaxedOut"],
  ["etcd", "etcdDatabaseHighFragmentationRatio"],
];

const labels = {
  environment: ["production"],
  priority: "P0",
  risk_tolerance: "low",
  business_category: "shop",
};
const query = {
  environment: "production",
  priority: "P0",
  risk_tolerance: "low",
  business_category: "shop",
};
const typed = Object.entries(byType).flatMap(([type, texts]) =>
  texts.map((description, at) => entry(`workflow-${type}-${at}`, { description, labels })),
);
const typeOf = (id: string) => id.split("-")[1];

describe("the search over kinds of incidents", () => {
  it("CAT-032 returns fewer than 5 % of workflows for another kind, and the right one first", async () => {
    const catalog = await catalogOf(...typed);
    const returned = asked.map(([type, incident_type]) => ({
      type,
      incident_type,
      found: searchWorkflowCatalog(catalog, {
        incident_type,
        labels: query,
        min_confidence: 0.7,
        max_results: 10,
      }).workflows.map(({ workflow_id }) => typeOf(workflow_id)),
    }));
    const all = returned.flatMap(({ type, found }) => found.map((one) => one === type));

    const answered = returned.filter(({ found }) => found.length > 0);
    expect(answered.filter(({ type, found }) => found[0] !== type)).toEqual([]);
    expect(answered.length / returned.length).toBeGreaterThanOrEqual(0.9);
    expect(all.filter((isRight) => !isRight).length / all.length).toBeLessThan(0.05);
  });
});

const values = {
  environment: ["production", "staging", "qa"],
  priority: ["P0", "P1", "P2"],
  team: ["a", "b"],
};
const oneOf = (list: readonly string[]) => fc.constantFrom(...list);
const entryLabel = (list: readonly string[]) =>
  fc.oneof(
    oneOf(list),
    fc.constant("*"),
    fc.uniqueArray(oneOf(list), { minLength: 1 }),
    fc.constant(undefined),
  );
const entryLabels = fc.record({
  environment: entryLabel(values.environment),
  priority: entryLabel(values.priority),
  team: entryLabel(values.team),
});
const queryLabels = fc.record(
  {
    environment: oneOf(values.environment),
    priority: oneOf(values.priority),
    team: oneOf(values.team),
  },
  { requiredKeys: [] },
);
const words = fc.constantFrom(
  "OOMKilled",
  "CrashLoopBackOff",
  "expired certificate",
  "lunch",
  "",
  "disk pressure node",
);

/** The rule of the labels, written once more in another way. */
function fits(label: string | readonly string[] | undefined, wanted: string | undefined): boolean {
  if (wanted === undefined) return true;
  if (label === undefined) return false;
  return [label].flat().some((one) => one === "*" || one === wanted);
}

describe("the search over any catalog", () => {
  it("CAT-033 CAT-010 returns exactly what matches every label, each with a confidence within 0 and 1", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(entryLabels, words), { maxLength: 12 }),
        queryLabels,
        words,
        async (entries, wanted, incident_type) => {
          const catalog = await catalogOf(
            ...entries.map(([given, about], at) =>
              entry(`w${at}`, {
                description: `Helps against ${about || "anything"}`,
                labels: Object.fromEntries(
                  Object.entries(given).filter(([, value]) => value !== undefined),
                ),
              }),
            ),
          );
          const matching = entries.flatMap(([given], at) =>
            (["environment", "priority", "team"] as const).every((key) =>
              fits(given[key], wanted[key]),
            )
              ? [`w${at}`]
              : [],
          );

          const filtered = searchWorkflowCatalog(catalog, { labels: wanted }).workflows;
          const scored = searchWorkflowCatalog(catalog, {
            labels: wanted,
            incident_type,
          }).workflows;

          expect(filtered.map(({ workflow_id }) => workflow_id).sort()).toEqual(
            [...matching].sort(),
          );
          for (const { workflow_id, confidence } of [...filtered, ...scored]) {
            expect(matching).toContain(workflow_id);
            expect(confidence).toBeGreaterThanOrEqual(0);
            expect(confidence).toBeLessThanOrEqual(1);
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});
