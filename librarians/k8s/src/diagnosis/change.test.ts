import { describe, expect, it } from "vitest";
import {
  crashing,
  deployment,
  event,
  memoryLimit,
  namespace,
  node,
  now,
  oomKilled,
  type PodParts,
  pod,
  service,
} from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

async function changeOf(
  question: string,
  objects: readonly unknown[],
  logs: Readonly<Record<string, string>> = {},
) {
  const reader = createInMemoryReader({ objects: [namespace("shop"), ...objects], now, logs });
  const { answer = "", metadata } = await createK8sLibrarian({ reader }).librarian(question);
  const [fact] = (metadata?.facts ?? []) as readonly {
    readonly change?: { readonly what: string; readonly command: string; readonly undo?: string };
  }[];
  return { answer, change: fact?.change };
}

/** With other fields in the pod spec of its template. */
const withSpec =
  (spec: object) =>
  (object: object): object => {
    const copy = structuredClone(object) as { spec: { template: { spec: object } } };
    Object.assign(copy.spec.template.spec, spec);
    return copy;
  };
/** With other fields in its one container. */
const withContainer = (fields: object) =>
  withSpec({ containers: [{ name: "web", image: "shop/web:1", ...fields }] });

/** The pod of Deployment `web`. */
const webPod = (more: Partial<PodParts> = {}) =>
  pod({ name: "web-5d9-a", owner: ["ReplicaSet", "web-5d9"], labels: { app: "web" }, ...more });

describe("the line to change", () => {
  it("doubles a memory limit that is too low, and says how to take it back", async () => {
    const { answer, change } = await changeOf("why does checkout restart?", [
      node("n1"),
      ...deployment("checkout", { ready: 0 }).map(withContainer(memoryLimit)),
      pod({
        name: "checkout-5d9-a",
        owner: ["ReplicaSet", "checkout-5d9"],
        labels: { app: "checkout" },
        container: oomKilled,
        containerSpec: memoryLimit,
      }),
    ]);

    expect(change?.command).toBe(
      `kubectl patch deployment checkout -n shop --type=json -p '[{"op":"replace","path":"/spec/template/spec/containers/0/resources/limits/memory","value":"1024Mi"}]'`,
    );
    expect(change?.undo).toContain(`"value":"512Mi"`);
    expect(answer).toContain("(not run; back with");
  });

  it("names the key in which a Service and its pods differ", async () => {
    const { change } = await changeOf("why does web not answer?", [
      node("n1"),
      ...deployment("web"),
      webPod(),
      service("web", { app: "web", track: "blue" }),
    ]);

    expect(change?.what).toContain("track=blue");
    expect(change?.command).toBe(
      `kubectl patch service web -n shop --type=merge -p '{"spec":{"selector":{"track":null}}}'`,
    );
    expect(change?.undo).toContain(`{"track":"blue"}`);
  });

  it("raises a quota by what one more pod wants", async () => {
    const { change } = await changeOf("why does api not get all its pods?", [
      ...deployment("api", {
        wanted: 2,
        ready: 1,
        rsConditions: [
          {
            type: "ReplicaFailure",
            status: "True",
            reason: "FailedCreate",
            message:
              'pods "api-5d9-x" is forbidden: exceeded quota: team, requested: limits.memory=512Mi, used: limits.memory=1Gi, limited: limits.memory=1Gi',
          },
        ],
      }),
      {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "team", namespace: "shop" },
        spec: { hard: { "limits.memory": "1Gi" } },
        status: { hard: { "limits.memory": "1Gi" }, used: { "limits.memory": "1Gi" } },
      },
    ]);

    expect(change?.command).toBe(
      `kubectl patch resourcequota team -n shop --type=merge -p '{"spec":{"hard":{"limits.memory":"1536Mi"}}}'`,
    );
    expect(change?.undo).toContain(`{"limits.memory":"1Gi"}`);
  });

  it("tolerates the taint of a pool, and never that of a node in trouble", async () => {
    const waiting = (taint: string) => [
      node("n1"),
      ...deployment("batch", { ready: 0 }),
      pod({
        name: "batch-5d9-a",
        owner: ["ReplicaSet", "batch-5d9"],
        phase: "Pending",
        node: "",
        status: {
          conditions: [
            {
              type: "PodScheduled",
              status: "False",
              reason: "Unschedulable",
              message: `0/1 nodes are available: 1 node(s) had untolerated taint {${taint}}.`,
            },
          ],
        },
      }),
      event("Pod", "batch-5d9-a", "FailedScheduling", `had untolerated taint {${taint}}`),
    ];
    const { change } = await changeOf("why is batch pending?", waiting("pool: heavy"));

    expect(change?.command).toContain(
      `/tolerations","value":[{"key":"pool","operator":"Equal","value":"heavy"}]`,
    );
    expect(change?.undo).toContain(`"op":"remove"`);
    const other = await changeOf(
      "why is batch pending?",
      waiting("node.kubernetes.io/disk-pressure: "),
    );
    expect(other.change).toBeUndefined();
  });

  it("finds a variable that is set twice", async () => {
    const twice = {
      env: [
        { name: "DB_HOST", value: "db" },
        { name: "DB_HOST", value: "old" },
      ],
    };
    const failing = deployment("web", { ready: 0 }).map(withContainer(twice));
    const { change } = await changeOf("why does web crash?", [
      node("n1"),
      ...failing,
      webPod({ container: crashing, containerSpec: twice }),
    ]);

    expect(change?.what).toBe("the variable DB_HOST is set twice in env, and the last one wins");
    expect(change?.command).toContain(
      `[{"op":"remove","path":"/spec/template/spec/containers/0/env/1"}]`,
    );
  });

  it("names a node that does not exist", async () => {
    const { answer } = await changeOf("why is recalc pending?", [
      node("n1"),
      pod({ name: "recalc-1", phase: "Pending", node: "n9" }),
    ]);

    expect(answer).toContain("its nodeName is n9, and no node of that name exists");
    const there = await changeOf("why is recalc pending?", [
      node("n1"),
      pod({ name: "recalc-1", phase: "Pending", node: "n1" }),
    ]);
    expect(there.answer).not.toContain("no node of that name");
  });

  it("is not there where the spec shows nothing to change", async () => {
    const { answer, change } = await changeOf("is web ok?", [
      node("n1"),
      ...deployment("web"),
      webPod(),
    ]);

    expect(change).toBeUndefined();
    expect(answer).not.toContain("Change:");
  });

  it("sets a DNS policy that does not ask the DNS of the cluster", async () => {
    const spec = { dnsPolicy: "Default" };
    const failing = deployment("web", { ready: 0 }).map(withSpec(spec));
    const { change } = await changeOf(
      "why does web crash?",
      [node("n1"), ...failing, webPod({ container: crashing, spec }), service("db", { app: "db" })],
      { "shop/web-5d9-a/web#previous": "dial tcp: lookup db.shop.svc.cluster.local: no such host" },
    );

    expect(change?.what).toContain("dnsPolicy is Default");
    expect(change?.command).toBe(
      `kubectl patch deployment web -n shop --type=merge -p '{"spec":{"template":{"spec":{"dnsPolicy":"ClusterFirst"}}}}'`,
    );
  });

  it("replaces the registry of an image only where the node cannot resolve it", async () => {
    const image = "registry.exmple.com/web:1";
    const about = (container: object, ...events: readonly object[]) =>
      changeOf(
        "why does web not run?",
        [
          node("n1"),
          ...deployment("web", { ready: 0 }).map(withContainer({ image })),
          webPod({ container, containerSpec: { image } }),
          pod({ name: "db", containerSpec: { image: "registry.example.com/db:1" } }),
          ...events,
        ],
        { "shop/web-5d9-a/web#previous": "dial tcp: lookup db.shop.svc: no such host" },
      );
    const waiting = { state: { waiting: { reason: "ImagePullBackOff" } }, ready: false };
    const message = `Failed to pull image "${image}": dial tcp: lookup registry.exmple.com: no such host`;

    const crashed = await about(crashing);
    const unpulled = await about(waiting, event("Pod", "web-5d9-a", "Failed", message));

    expect(crashed.answer).not.toContain("the registry of");
    expect(unpulled.change?.what).toContain("the registry of");
  });

  it("names the Service and the port of a backend that there are", async () => {
    const ingress = (backend: object) => ({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "site", namespace: "shop" },
      spec: { rules: [{ http: { paths: [{ path: "/", backend: { service: backend } }] } }] },
    });
    const around = [node("n1"), service("web-svc", { app: "web" })];
    const named = await changeOf("why does ingress site give 503?", [
      ...around,
      ingress({ name: "web", port: { number: 80 } }),
    ]);
    const port = await changeOf("why does ingress site give 503?", [
      ...around,
      ingress({ name: "web-svc", port: { number: 8443 } }),
    ]);

    expect(named.change?.command).toContain(`backend/service/name","value":"web-svc"}]`);
    expect(named.change?.undo).toContain(`"value":"web"}]`);
    expect(port.change?.command).toContain(`backend/service/port","value":{"number":80}}]`);
  });

  it("removes no node name that the scheduler gave", async () => {
    const { change } = await changeOf("why is web not ready?", [
      node("n1"),
      ...deployment("web", { ready: 0 }),
      webPod({ phase: "Pending", node: "n9" }),
    ]);

    expect(change).toBeUndefined();
  });

  it("gives a label that affinity asks for the value that there is, and only where there is one", async () => {
    const asking = (term: object, there: object) => {
      const waiting =
        "0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector";
      const spec = { affinity: term };
      return changeOf("why is web pending?", [
        { ...node("n1"), metadata: { name: "n1", labels: { zone: "eu-1a" } } },
        ...deployment("web", { ready: 0 }).map(withSpec(spec)),
        webPod({ phase: "Pending", node: "", spec }),
        event("Pod", "web-5d9-a", "FailedScheduling", waiting),
        there,
      ]);
    };
    const required = "requiredDuringSchedulingIgnoredDuringExecution";
    const inZone = (zone: string) => ({
      nodeAffinity: {
        [required]: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "zone", operator: "In", values: [zone] }] },
          ],
        },
      },
    });
    const beside = (app: string) => ({
      podAffinity: {
        [required]: [
          { labelSelector: { matchLabels: { app } }, topologyKey: "kubernetes.io/hostname" },
        ],
      },
    });
    const cache = pod({ name: "cache-1", labels: { app: "cache-main" } });

    const zone = await asking(inZone("eu-1"), cache);
    expect(zone.change?.command).toContain('matchExpressions/0/values/0","value":"eu-1a"}]');
    expect((await asking(inZone("eu-1a"), cache)).change).toBeUndefined();
    const other = await asking(beside("cache"), cache);
    expect(other.change?.command).toContain(
      'labelSelector/matchLabels/app","value":"cache-main"}]',
    );
    expect(other.change?.undo).toContain('"value":"cache"}]');
  });

  it("wishes for what anti-affinity asks where no node is left, and not where something else keeps a pod", async () => {
    const term = { labelSelector: { matchLabels: { app: "web" } }, topologyKey: "zone" };
    const required = { requiredDuringSchedulingIgnoredDuringExecution: [term] };
    const spec = { affinity: { podAntiAffinity: required } };
    const waiting = (message: string) =>
      changeOf("why is web pending?", [
        node("n1"),
        ...deployment("web", { ready: 0 }).map(withSpec(spec)),
        webPod({ phase: "Pending", node: "", spec }),
        event("Pod", "web-5d9-a", "FailedScheduling", `0/1 nodes are available: 1 ${message}.`),
      ]);

    const { change } = await waiting("node(s) didn't match pod anti-affinity rules");
    expect(change?.command).toContain(
      '/affinity/podAntiAffinity","value":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":100',
    );
    expect(change?.undo).toContain("requiredDuringSchedulingIgnoredDuringExecution");
    expect((await waiting("Insufficient cpu")).change).toBeUndefined();
  });

  it("names the key in which a disruption budget and its pods differ, and one of two budgets too many", async () => {
    const budget = (name: string, labels: object, status: object = {}) => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name, namespace: "shop" },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
      status,
    });
    const web = [node("n1"), ...deployment("web"), webPod()];
    const apart = await changeOf("what does pdb web protect?", [
      ...web,
      budget("web", { app: "web", tier: "front" }, { expectedPods: 0 }),
    ]);
    const twice = await changeOf("why can n1 not be drained?", [
      ...web,
      budget("web", { app: "web" }, { disruptionsAllowed: 1, expectedPods: 2 }),
      budget("all", { app: "web" }, { disruptionsAllowed: 1, expectedPods: 2 }),
    ]);
    const well = await changeOf("is pdb web ok?", [
      ...web,
      budget("web", { app: "web" }, { disruptionsAllowed: 1, expectedPods: 2 }),
    ]);

    expect(apart.change?.command).toBe(
      `kubectl patch poddisruptionbudget web -n shop --type=merge -p '{"spec":{"selector":{"matchLabels":{"tier":null}}}}'`,
    );
    expect(twice.change?.command).toMatch(
      /^kubectl delete poddisruptionbudget (?:web|all) -n shop$/,
    );
    expect(twice.answer).toContain("cannot be taken back");
    expect(well.change).toBeUndefined();
  });

  it("lets cert-manager write the CA of a webhook where its certificate is known; else lets pass", async () => {
    const message =
      'Internal error occurred: failed calling webhook "pods.guard.example": failed to call webhook: Post "https://guard.shop.svc:443/v?timeout=10s": tls: failed to verify certificate: x509: certificate signed by unknown authority';
    const refused = (more: readonly object[], text = message) =>
      changeOf("why does web not get its pods?", [
        node("n1"),
        ...deployment("web", {
          ready: 0,
          rsConditions: [
            { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: text },
          ],
        }),
        {
          apiVersion: "admissionregistration.k8s.io/v1",
          kind: "ValidatingWebhookConfiguration",
          metadata: { name: "guard" },
          webhooks: [
            { name: "other.guard.example", failurePolicy: "Ignore" },
            {
              name: "pods.guard.example",
              clientConfig: { service: { name: "guard", namespace: "shop" } },
            },
          ],
        },
        service("guard", { app: "guard" }),
        pod({ name: "guard-1", labels: { app: "guard" } }),
        ...more,
      ]);
    const certificate = {
      apiVersion: "cert-manager.io/v1",
      kind: "Certificate",
      metadata: { name: "guard-tls", namespace: "shop" },
      spec: { dnsNames: ["guard.shop.svc"], secretName: "guard-tls" },
      status: { conditions: [{ type: "Ready", status: "True" }] },
    };

    expect((await refused([certificate])).change?.command).toContain(
      `{"metadata":{"annotations":{"cert-manager.io/inject-ca-from":"shop/guard-tls"}}}`,
    );
    const ignored = await refused([]);
    expect(ignored.change?.what).toContain("caBundle does not fit");
    expect(ignored.change?.command).toContain('/webhooks/1/failurePolicy","value":"Ignore"}]');
    const expired = message.replace("signed by unknown authority", "has expired");
    expect((await refused([certificate], expired)).change?.what).not.toContain("caBundle");
  });
});
