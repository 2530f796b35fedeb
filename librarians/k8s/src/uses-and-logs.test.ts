import { describe, expect, it } from "vitest";
import { crashing, deployment, now, pod, service } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const configMap = (name: string) => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "shop" },
  data: {},
});
const spec = {
  serviceAccountName: "runner",
  priorityClassName: "gold",
  terminationGracePeriodSeconds: 45,
  volumes: [
    { name: "conf", configMap: { name: "app-conf", optional: true } },
    { name: "data", persistentVolumeClaim: { claimName: "web-data" } },
  ],
};
const containerSpec = {
  env: [
    { name: "DB", valueFrom: { secretKeyRef: { name: "db-login", key: "password" } } },
    { name: "API_URL", value: "http://api:80/v1" },
  ],
};
const objects = [
  ...deployment("web"),
  pod({
    name: "web-5d9-a",
    owner: ["ReplicaSet", "web-5d9"],
    labels: { app: "web" },
    spec: {
      ...spec,
      containers: [{ name: "web", image: "shop/web:1", ...containerSpec }],
    },
    status: { qosClass: "Burstable" },
  }),
  ...deployment("api"),
  pod({ name: "api-5d9-a", owner: ["ReplicaSet", "api-5d9"], labels: { app: "api" } }),
  service("api", { app: "api" }),
  configMap("app-conf"),
];

async function ask(
  question: string,
  {
    of = objects,
    logs = {},
  }: { of?: readonly unknown[]; logs?: Readonly<Record<string, string>> } = {},
) {
  const reader = createInMemoryReader({ objects: of, logs, now });
  const response = await createK8sLibrarian({ reader }).librarian(question);
  const { answer = "", error, sources = [] } = response;
  return { answer, error, sources: sources.map(({ name }) => name) };
}

describe("a question after what uses a thing", () => {
  it.each([
    ["who uses configmap app-conf?", "ConfigMap app-conf"],
    ["which pods use the secret db-login?", "Secret db-login"],
    ["what mounts claim web-data?", "web-data"],
    ["which workloads use service account runner?", "runner"],
  ])("names its users, as their workloads: %s", async (question, thing) => {
    const of = [
      ...objects,
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "runner", namespace: "shop" } },
      {
        apiVersion: "v1",
        kind: "PersistentVolumeClaim",
        metadata: { name: "web-data", namespace: "shop" },
        status: { phase: "Bound" },
      },
    ];
    const { answer, sources } = await ask(question, { of });

    expect(answer).toContain(thing);
    expect(answer.split("\n")[0]).toContain("is used by shop/Deployment/web");
    expect(sources).toContain("shop/Deployment/web");
  });

  it("says that nothing that was read uses it", async () => {
    const of = [...objects, configMap("left-over")];

    expect((await ask("is configmap left-over used by anything?", { of })).answer).toContain(
      "is used by nothing that was read",
    );
  });

  it("is not found where the thing is not", async () => {
    expect((await ask("who uses configmap ghost-conf?")).error?.code).toBe("NOT_FOUND");
  });
});

describe("a question after what a thing needs", () => {
  it("names what it mounts, reads, runs as and calls, and whether it is there", async () => {
    const { answer } = await ask("what does web-5d9-a depend on?");

    expect(answer).toContain("ConfigMap app-conf (it is there)");
    expect(answer).toContain("Secret db-login (not read, by design)");
    expect(answer).toContain("PersistentVolumeClaim web-data (was not found)");
    expect(answer).toContain("Service api (it is there), env API_URL");
  });
});

describe("a question after a field of the API", () => {
  it.each([
    ["which QoS class has web-5d9-a?", "status.qosClass Burstable"],
    ["what is the priority class of web-5d9-a?", "spec.priorityClassName gold"],
    ["what is the termination grace period of web?", "spec.terminationGracePeriodSeconds 45"],
    ["which service account does web-5d9-a run as?", "ServiceAccount runner"],
  ])("is answered with its value: %s", async (question, value) => {
    expect((await ask(question)).answer).toContain(value);
  });
});

describe("a question after a log", () => {
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index + 1}`).join("\n");

  it("is answered with its last lines, as many as it asks for", async () => {
    const logs = { "shop/web-5d9-a/web": lines };
    const { answer, sources } = await ask("show me the last 3 lines of the log of web", { logs });

    expect(answer.match(/line \d+/g)).toEqual(["line 198", "line 199", "line 200"]);
    expect(sources).toEqual(["shop/Pod/web-5d9-a"]);
  });

  it("is bounded, whatever it asks for", async () => {
    const logs = { "shop/web-5d9-a/web": lines };
    const { answer } = await ask("show me the last 9000 lines of the logs of web", { logs });

    expect(answer.match(/line \d+/g)).toHaveLength(40);
  });

  it("shows no secret", async () => {
    const logs = { "shop/web-5d9-a/web": "login with password=hunter2hunter2\n" };
    const { answer } = await ask("show the logs of web", { logs });

    expect(answer).toContain("login with");
    expect(answer).not.toContain("hunter2");
  });

  it("shows the run before, where a container has just started again", async () => {
    const of = [pod({ name: "job-a", container: crashing })];
    const logs = { "shop/job-a/web#previous": "panic: out of ideas\n" };
    const { answer } = await ask("show the logs of job-a", { of, logs });

    expect(answer).toContain("panic: out of ideas");
    expect(answer).toContain("the run before");
  });

  it("says that it could not be read", async () => {
    const { answer } = await ask("show the logs of web");

    expect(answer).toContain("no log could be read");
  });
});
