import { execFile } from "node:child_process";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ClusterCase, loadCases } from "../../eval/load-case.js";
import { deployment, event, namespace, node, now, pod, service } from "../../test/objects.js";
import {
  findControlPlane,
  type RealApiServer,
  startRealApiServer,
} from "../../test/real-api-server.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

const { found, missing } = findControlPlane();
if (found === undefined) {
  console.warn(
    `SKIPPED: changes against a real API server; not on the PATH and not named by a variable: ${missing}. See CONTRIBUTING.md.`,
  );
}

/** A recorded state for each kind of change, by its id in `eval/cases`. */
const states = [
  "image-not-found", // back to the revision before
  "oom-two-replicas", // memory limit
  "quota-exceeded",
  "u7b-c-storage-quota",
  "u6a-c-limitrange",
  "service-selector-mismatch",
  "service-targetport-name",
  "netpol-blocks", // selector of a policy
  "u5-c-netpol-egress", // rule of a policy
  "ingress-class-missing",
  "ingress-backend-missing",
  "u5-p-ingress-port",
  "hpa-target-missing",
  "hpa-no-requests",
  "pdb-blocks",
  "d-drain-pdb-event", // maxUnavailable
  "cordoned",
  "u6b-q-suspended",
  "n-cron-forbid",
  "roll-paused",
  "scaled-to-zero",
  "u6a-c-gpu-taint",
  "u7a-c-spread",
  "u6c-p-psa", // user of the container
  "pvc-class-missing", // cannot be taken back
  "configmap-key-missing",
  "cfg-mount-missing-event-only", // ConfigMap
  "wide-pullsecret",
  "wide-sa-missing",
] as const;

const required = "requiredDuringSchedulingIgnoredDuringExecution";
const apps = { labelSelector: { matchLabels: { app: "cache" } }, topologyKey: "zone" };

/** A Deployment with a pod that no node takes. */
function waiting(spec: object, message: string): readonly object[] {
  const templates = deployment("lantern", { ready: 0 }).map((object) => {
    const copy = structuredClone(object) as { spec: { template: { spec: object } } };
    Object.assign(copy.spec.template.spec, spec);
    return copy;
  });
  const owner = ["ReplicaSet", "lantern-5d9"] as const;
  const labels = { app: "lantern" };
  return [
    namespace("shop"),
    node("n1"),
    ...templates,
    pod({ name: "lantern-5d9-a", owner, labels, phase: "Pending", node: "", spec }),
    event("Pod", "lantern-5d9-a", "FailedScheduling", message),
  ];
}

/** States of which no recorded one has a change. */
const made: readonly Pick<ClusterCase, "id" | "question" | "objects" | "now">[] = [
  {
    id: "label that affinity asks of other pods",
    question: "why is lantern pending?",
    objects: [
      ...waiting(
        { affinity: { podAffinity: { [required]: [apps] } } },
        "0/1 nodes are available: 1 node(s) didn't match pod affinity rules.",
      ),
      pod({ name: "cache-1", labels: { app: "cache-main" } }),
    ],
    now,
  },
  {
    id: "anti-affinity of more pods than nodes",
    question: "why is lantern pending?",
    objects: waiting(
      { affinity: { podAntiAffinity: { [required]: [apps] } } },
      "0/1 nodes are available: 1 node(s) didn't match pod anti-affinity rules.",
    ),
    now,
  },
  {
    id: "selector of a disruption budget",
    question: "what does pdb lantern protect?",
    objects: [
      namespace("shop"),
      node("n1"),
      ...deployment("lantern"),
      pod({
        name: "lantern-5d9-a",
        owner: ["ReplicaSet", "lantern-5d9"],
        labels: { app: "lantern" },
      }),
      {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "lantern", namespace: "shop" },
        spec: { minAvailable: 1, selector: { matchLabels: { app: "lantern", tier: "front" } } },
        status: { expectedPods: 0, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0 },
      },
    ],
    now,
  },
  {
    id: "webhook whose CA is another one",
    question: "why does lantern not get its pods?",
    objects: [
      namespace("shop"),
      node("n1"),
      ...deployment("lantern", {
        ready: 0,
        rsConditions: [
          {
            type: "ReplicaFailure",
            status: "True",
            reason: "FailedCreate",
            message:
              'Internal error occurred: failed calling webhook "pods.guard.example": failed to call webhook: Post "https://guard.shop.svc:443/v?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority',
          },
        ],
      }),
      service("guard", { app: "guard" }),
      {
        apiVersion: "admissionregistration.k8s.io/v1",
        kind: "ValidatingWebhookConfiguration",
        metadata: { name: "guard" },
        webhooks: [
          {
            name: "pods.guard.example",
            clientConfig: { service: { name: "guard", namespace: "shop" } },
            failurePolicy: "Fail",
            sideEffects: "None",
            admissionReviewVersions: ["v1"],
            rules: [
              { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
            ],
            // So that it refuses none of the pods that are created here.
            namespaceSelector: { matchLabels: { guarded: "yes" } },
          },
        ],
      },
    ],
    now,
  },
];

/** As if it was recorded now. */
function movedToNow({
  objects,
  now = Date.now(),
}: Pick<ClusterCase, "objects" | "now">): readonly unknown[] {
  const shift = Date.now() - now;
  const text = JSON.stringify(objects).replaceAll(
    /"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)"/g,
    (_, time: string) => {
      const moved = new Date(Date.parse(time) + shift).toISOString();
      return `"${moved.replace(/\.\d+Z$/, time.includes(".") ? ".000000Z" : "Z")}"`;
    },
  );
  return JSON.parse(text) as readonly unknown[];
}

describe.skipIf(found === undefined)("the line to change, on a real API server", () => {
  const cases = loadCases(new URL("../../eval/cases", import.meta.url).pathname);
  let server: RealApiServer | undefined;
  beforeAll(async () => {
    if (found !== undefined) server = await startRealApiServer(found);
  });
  afterAll(async () => server?.stop());

  /** Runs what is printed for a person, as a shell would. */
  function run(command: string, isDry: boolean): Promise<string> {
    const { kubectl = "", kubeconfig = "" } = server ?? {};
    const steps = command.split(" && ").map((step) => {
      const words = step.replace(/^kubectl /, `'${kubectl}' --kubeconfig='${kubeconfig}' `);
      return isDry ? `${words} --dry-run=server` : words;
    });
    return new Promise((resolve) => {
      execFile("sh", ["-c", steps.join(" && ")], (error, output, problems) =>
        resolve(error === null ? output : `FAILED: ${problems}`),
      );
    });
  }

  /** What a command is about, without what the server counts. */
  async function read(command: string): Promise<unknown> {
    const [, kind, name, namespace = "default"] =
      /^kubectl (?:patch|rollout undo) (\S+) (\S+)(?: -n (\S+))?/.exec(command) ?? [];
    if (kind === undefined) return undefined;
    const text = await run(`kubectl get ${kind} ${name} -n ${namespace} -o json`, false);
    const object: unknown = JSON.parse(text);
    return { ...recordAt(object), metadata: undefined, status: undefined };
  }

  const all = [...states, ...made.map(({ id }) => id)];

  it.each(all)("passes dry run, works, and is taken back: %s", async (id) => {
    const one = [...cases, ...made].find((each) => each.id === id);
    if (one === undefined || server === undefined) throw new Error(`no case ${id}`);
    const { kubeconfig } = server;
    expect(await server.create(movedToNow(one))).toEqual([]);
    const { librarian, close } = createK8sLibrarian({ kubeconfig });
    try {
      const { metadata, error } = await librarian(one.question);
      const facts = listAt(metadata, "facts");
      const changes = facts.map((fact) => recordAt(fact, "change"));
      expect(error).toBeUndefined();
      expect(textAt(facts[0], "change", "command")).toBeDefined();
      for (const { command, undo } of changes) {
        if (typeof command !== "string") continue;
        const before = await read(command);
        const dry = await run(command, true);
        expect(dry).not.toMatch(/FAILED|no change|skipped/);
        expect(await read(command)).toEqual(before);
        if (typeof undo !== "string") continue;
        expect(await run(command, false)).not.toContain("FAILED");
        const after = await read(command);
        if (before !== undefined) expect(after).not.toEqual(before);
        expect(await run(undo, true)).not.toMatch(/FAILED|no change|skipped/);
        expect(await run(undo, false)).not.toContain("FAILED");
        expect(await read(command)).toEqual(before);
      }
    } finally {
      await close?.(AbortSignal.timeout(1_000));
      await server.clear();
    }
  });
});
