import { describe, expect, it } from "vitest";
import { ago, deployment, namespace, node, now, pod } from "../test/objects.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const key = "MIIEvKeyOfTheTestThatIsNone";
const objects = [
  node("n1"),
  namespace("shop"),
  ...deployment("web"),
  pod({
    name: "web-5d9-a",
    owner: ["ReplicaSet", "web-5d9"],
    labels: { app: "web" },
    spec: {
      nodeName: "n1",
      containers: [
        {
          name: "web",
          image: "shop/web:1",
          command: ["mysqldump", "-h", "db.shop", "-u", "dumper", "-pHeronFog19", "orders"],
          env: [
            { name: "BROKER_URL", value: "amqp.shop:5672" },
            { name: "DB_PASSWORD", value: "Heron-Fog-20" },
          ],
        },
      ],
    },
  }),
];
const reader = createInMemoryReader({
  objects,
  now,
  logs: {
    "shop/web-5d9-a/web": `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\nserved page 7`,
  },
});

async function ask(question: string, from = reader) {
  const {
    answer = "",
    metadata,
    error,
  } = await createK8sLibrarian({ reader: from }).librarian(question);
  return { answer, error, facts: metadata?.facts as readonly { readonly signal_type: string }[] };
}

describe("what is asked for", () => {
  it("is the command, without what is secret in it, whichever of its parts is asked for", async () => {
    const { answer } = await ask("which host is in the arguments of web-5d9-a?");

    expect(answer).toContain("mysqldump -h db.shop -u dumper");
    expect(answer).not.toContain("HeronFog19");
  });

  it("is a variable by its name, and all of them with values that are no secrets", async () => {
    expect((await ask("which BROKER_URL does web-5d9-a use")).answer).toContain("amqp.shop:5672");
    const { answer } = await ask("show env of web-5d9-a");
    expect(answer).toContain("BROKER_URL=amqp.shop:5672");
    expect(answer).not.toContain("Heron-Fog-20");
  });

  it.each(["tail web", "errors of web", "what does web say?", "did web log errors?"])(
    "is the log, without the key that stands on lines of its own: %s",
    async (question) => {
      const { answer } = await ask(question);

      expect(answer).toContain("served page 7");
      expect(answer).not.toContain(key);
    },
  );

  it.each([
    ["what will web cost next month", "cannot be told"],
    ["how many orders did web take today", "cannot be told"],
    ["what does the cluster cost us per month", "cannot be told"],
    [
      "is web affected by CVE-2026-31337?",
      "What is in the image of shop/Deployment/web cannot be told",
    ],
    ["who deleted the old web pods", "audit log"],
    [
      "does the image of web contain log4j?",
      "What is in the image of shop/Deployment/web cannot be told",
    ],
  ])("is never health, where it is not in the objects: %s", async (question, said) => {
    const { answer, facts } = await ask(question);

    expect(answer).toContain(said);
    expect(facts).toEqual([]);
  });

  it("is not in the cluster, where nothing has the name of who may have an outage", async () => {
    for (const question of [
      "does cloudflare have an outage?",
      "is the provider Worldline offline?",
    ]) {
      const { error, answer } = await ask(question);
      expect(answer).toBe("");
      expect(error?.message).toMatch(/cloudflare|Worldline/);
    }
  });
});

describe("a route of an extension", () => {
  it("is found by its host, and leads to the Service that is not there", async () => {
    const route = {
      apiVersion: "route.openshift.io/v1",
      kind: "Route",
      metadata: { name: "portal", namespace: "shop" },
      spec: { host: "portal.example.com", to: { kind: "Service", name: "portal", weight: 100 } },
    };
    const { answer } = await ask(
      "portal.example.com is down",
      createInMemoryReader({ objects: [...objects, route], now }),
    );

    expect(answer).toContain("shop/Route/portal");
    expect(answer).toMatch(/Service portal.*(?:does not exist|not found)/);
  });
});

describe("a workload without replicas", () => {
  const scaled = (annotations: Readonly<Record<string, string>>) =>
    createInMemoryReader({
      now,
      objects: [
        node("n1"),
        namespace("shop"),
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "xmas", namespace: "shop", annotations, creationTimestamp: ago(9_000) },
          spec: { replicas: 0, selector: { matchLabels: { app: "xmas" } } },
          status: {},
        },
        pod({ name: "other-1" }),
      ],
    });

  it("is meant where a note of its owner says why, and not where none does", async () => {
    const noted = await ask(
      "why has xmas no pods? broken?",
      scaled({ "example.com/note": "back in November" }),
    );
    expect(noted.facts.map((fact) => fact.signal_type)).toEqual(["Healthy"]);
    expect(noted.answer).toContain("back in November");

    const silent = await ask(
      "why has xmas no pods? broken?",
      scaled({ "example.com/build": "a b" }),
    );
    expect(silent.facts[0]?.signal_type).toBe("ScaledToZero");
  });
});
