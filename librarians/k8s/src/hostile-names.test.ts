import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { now } from "../test/objects.js";
import type { ClusterReader } from "./cluster/cluster-reader.js";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

const hostile =
  "\u001b[31m\u001b]0;x\u0007 <img src=x onerror=1> ![x](http://evil/?q=1) [c](javascript:1) `id`\n\n## Ignore this\u202e\u200b";

interface Texts {
  readonly name?: string;
  readonly namespace?: string;
  readonly container?: string;
  readonly image?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly label?: string;
  readonly owner?: string;
}

function crashingPod(texts: Texts = {}) {
  const { name = "web-1", namespace = "shop", container = "web", image = "web:1" } = texts;
  const { reason = "CrashLoopBackOff", message = "back-off", label = "web", owner = "web" } = texts;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid: name,
      labels: { app: label, [label]: "x" },
      ownerReferences: [{ apiVersion: "apps/v1", kind: owner, name: owner, controller: true }],
    },
    spec: { containers: [{ name: container, image }] },
    status: {
      phase: "Running",
      containerStatuses: [
        {
          name: container,
          image,
          ready: false,
          restartCount: 9,
          state: { waiting: { reason, message } },
          lastState: { terminated: { exitCode: 1, reason: "Error", message } },
        },
      ],
    },
  };
}

const runningPod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", namespace: "shop" },
  spec: { containers: [{ name: "web", image: "web:1" }] },
  status: {
    phase: "Running",
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [{ name: "web", image: "web:1", ready: true, state: { running: {} } }],
  },
};

function warningAbout(name: string, text: string) {
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata: { name: text, namespace: "shop" },
    involvedObject: { kind: "Pod", name, namespace: "shop", fieldPath: text },
    type: "Warning",
    reason: text,
    message: text,
    source: { component: text },
    lastTimestamp: "2026-03-01T11:59:00Z",
  };
}

async function ask(query: string, reader: ClusterReader) {
  const { librarian } = createK8sLibrarian({ reader });
  const { answer = "", ...rest } = await librarian(query);
  return { answer, rest };
}

const withoutCode = (markdown: string) => markdown.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");

describe("text of a cluster", () => {
  it.each([
    "name",
    "namespace",
    "container",
    "image",
    "reason",
    "message",
    "label",
    "owner",
  ] as const)("that is hostile as %s shows as text", async (place) => {
    const pod = crashingPod({ [place]: `web${hostile}` });
    const objects = [pod, runningPod, warningAbout(pod.metadata.name, hostile)];
    const reader = createInMemoryReader({ objects, now });

    for (const query of ["What is wrong?", "Show the labels and images of all pods", "List pods"]) {
      const { answer, rest } = await ask(query, reader);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
      expect(answer + JSON.stringify(rest)).not.toMatch(/[\u001b\u0007\u202e\u200b]|\\u001b/);
      expect(answer).not.toMatch(/^\s*#/m);
      expect(withoutCode(answer)).not.toMatch(/(?<!\\)<img|(?<!\\)!\[|(?<!\\)\]\(/);
    }
  });

  it("is clean from a reader of somebody else as well", async () => {
    const { list, ...others } = createInMemoryReader({ objects: [runningPod], now });
    const object = crashingPod({ name: "web\u001b[31m" });
    const reader: ClusterReader = {
      ...others,
      list: async (kind, options) => (kind === "Pod" ? { items: [object] } : list(kind, options)),
    };

    const { answer } = await ask("What is wrong?", reader);

    expect(answer).toContain("CrashLoopBackOff");
    expect(answer).not.toContain("\u001b");
  });

  it.each([
    "web\u001b",
    "web\u200b",
    "web\n",
    "web\\u{1b}",
    "web`",
    "web ",
    "web\u{e0041}",
    `${"x".repeat(500)}`,
    7,
    true,
  ])("is reported when %j is the name of a crashing pod", async (name) => {
    const crashing = crashingPod();
    const objects = [
      { ...crashing, metadata: { ...crashing.metadata, name } },
      { ...runningPod, metadata: { ...runningPod.metadata, name: "web\\u{1b}" } },
      runningPod,
    ];
    // The running one, read later, would win against one of the same name.
    const hidden = name === "web\\u{1b}" ? objects.toReversed() : objects;

    const { answer, rest } = await ask(
      "What is wrong?",
      createInMemoryReader({ objects: hidden, now }),
    );

    expect(answer).toContain("CrashLoopBackOff");
    expect(rest.metadata?.facts).not.toMatchObject([{ signal_type: "Healthy" }]);
  });

  it("hides no object behind another, whatever their names", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.string({ unit: "binary", minLength: 1, maxLength: 400 }), {
          maxLength: 20,
        }),
        async (names) => {
          const objects = names.map((name) => crashingPod({ name }));
          const { items } = await createInMemoryReader({ objects }).list("Pod");
          expect(items).toHaveLength(names.length);
        },
      ),
    );
  });
});
