import { describe, expect, it } from "vitest";
import { createInMemoryReader } from "./cluster/in-memory-reader.js";
import { createK8sLibrarian } from "./k8s-librarian.js";

/** Workloads with names that are plain words, each with a pod that cannot pull its image. */
const names = [
  "storage",
  "config",
  "events",
  "nightly",
  "mail",
  "search",
  "status",
  "worker",
  "default",
  "logs",
];
const objects = names.flatMap((name) => [
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace: "shop", uid: `d-${name}`, labels: { app: name } },
    spec: { replicas: 1, selector: { matchLabels: { app: name } } },
    status: { replicas: 1, unavailableReplicas: 1 },
  },
]);

describe("a workload whose name is a plain word", () => {
  it.each(
    names.flatMap((name) => [
      [name, `why is ${name} down?`],
      [name, `is ${name} ok?`],
      [name, `what is wrong with deployment ${name}?`],
      [name, `what is wrong with \`${name}\`?`],
    ]),
  )("%s is found in %j", async (name, question) => {
    const { librarian } = createK8sLibrarian({ reader: createInMemoryReader({ objects }) });

    const { sources = [] } = await librarian(question);

    expect(sources.map((source) => source.name)).toContain(`shop/Deployment/${name}`);
  });

  it.each(["are there any events?", "which pods have no storage?", "list all events"])(
    "is not what %j asks about",
    async (question) => {
      const { librarian } = createK8sLibrarian({ reader: createInMemoryReader({ objects }) });

      const { error, answer = "" } = await librarian(question);

      expect(error?.code).not.toBe("INVALID_QUERY");
      expect(answer).not.toMatch(/^\*\*Deployment `?(?:events|storage)`? in/);
    },
  );
});
