import { testContext } from "@constellation/testing";
import { expect, it } from "vitest";
import { crashing, deployment, event, namespace, now, pod } from "../../test/objects.js";
import { createInMemoryReader } from "../cluster/in-memory-reader.js";
import { createK8sLibrarian } from "../k8s-librarian.js";

async function factOf(question: string, objects: readonly object[], logs = {}) {
  const reader = createInMemoryReader({ objects, logs, now });
  const { metadata } = await createK8sLibrarian({ reader }).librarian(question, testContext());
  const [fact] = (metadata?.facts ?? []) as readonly Readonly<Record<string, unknown>>[]; // what it promises
  return fact;
}

const refusedPod = (message: string, ...more: readonly object[]) =>
  factOf("What is wrong with Deployment web?", [
    namespace("shop"),
    ...deployment("web", { ready: 0 }),
    event("ReplicaSet", "web-5d9", "FailedCreate", message),
    ...more,
  ]);

it("a fact names the LimitRange that refuses a container, where there is one", async () => {
  const range = (name: string) => ({
    apiVersion: "v1",
    kind: "LimitRange",
    metadata: { name, namespace: "shop" },
    spec: { limits: [{ type: "Container", max: { memory: "2Gi" } }] },
  });
  const message = "maximum memory usage per Container is 2Gi, but limit is 4Gi";

  expect(await refusedPod(message, range("bounds"))).toMatchObject({
    named_objects: ["LimitRange/bounds"],
  });
  expect((await refusedPod(message, range("a"), range("b")))?.named_objects).toBeUndefined();
});

it("a fact names the configuration of a webhook that does not answer", async () => {
  const configuration = {
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: "ValidatingWebhookConfiguration",
    metadata: { name: "gatekeeper" },
    webhooks: [{ name: "check.gatekeeper.sh", failurePolicy: "Fail" }],
  };
  const message = 'failed calling webhook "check.gatekeeper.sh": no endpoints available';

  expect(await refusedPod(message, configuration)).toMatchObject({
    named_objects: ["ValidatingWebhookConfiguration/gatekeeper"],
  });
});

it("a fact names the account, its role, the verb and the resource that are denied", async () => {
  const message =
    'pods is forbidden: User "system:serviceaccount:shop:reader" cannot watch resource "pods" in API group "" in the namespace "shop"';
  const role = {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "Role",
    metadata: { name: "reader", namespace: "shop" },
    rules: [],
  };
  const binding = {
    ...role,
    kind: "RoleBinding",
    metadata: { name: "web-reads", namespace: "shop" },
    subjects: [{ kind: "ServiceAccount", name: "reader" }],
    roleRef: { kind: "Role", name: "reader" },
  };
  const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: role.metadata };
  const web = pod({
    name: "web-1",
    spec: { serviceAccountName: "reader" },
    container: crashing,
  });
  const logs = { "shop/web-1/web#previous": message };

  expect(
    await factOf(
      "What is wrong with pod web-1?",
      [namespace("shop"), account, web, role, binding],
      logs,
    ),
  ).toMatchObject({
    named_objects: ["ServiceAccount/reader", "Role/reader"],
    denied_verb: "watch",
    denied_resource: "pods",
  });
});

it.each([
  ['MountVolume.SetUp failed: secret "smtp" not found', { named_objects: ["Secret/smtp"] }],
  [
    "couldn't find key tls.crt in ConfigMap shop/app-conf",
    { named_objects: ["ConfigMap/app-conf"], key: "tls.crt" },
  ],
])("a fact names what is missing: %s", async (message, expected) => {
  const web = pod({ name: "web-1", phase: "Pending" });
  const failed = event("Pod", "web-1", "FailedMount", message);

  expect(
    await factOf("What is wrong with pod web-1?", [namespace("shop"), web, failed]),
  ).toMatchObject(expected);
});

it("a fact names nothing that only the log of a program says", async () => {
  const web = pod({ name: "web-1", container: crashing });
  const logs = { "shop/web-1/web#previous": 'fatal: secret "root" not found' };
  const fact = await factOf("What is wrong with pod web-1?", [namespace("shop"), web], logs);

  expect(fact).toMatchObject({ exit_code: 1 });
  expect(fact).not.toHaveProperty("named_objects");
});
