import { describe, expect, it } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import type { Approval } from "../src/index.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";
import { vouched } from "./workflows.js";

const store = createMemoryCatalog([
  {
    workflow_id: "enlarge-volume",
    version: "1.0.0",
    description: {
      what: "Enlarges a volume that is full",
      whenToUse: "When a volume is nearly full and its storage class can enlarge volumes",
    },
    labels: { environment: "*", priority: "*", risk_tolerance: "low" },
  },
  ...["Renews a certificate", "Rolls back a release", "Restarts a queue", "Drains a node"].map(
    (description, place) => ({
      workflow_id: `other-${place}`,
      version: "1.0.0",
      description,
      labels: { environment: "*", priority: "*", risk_tolerance: "low" },
    }),
  ),
]);
const { librarian } = createWorkflowSelectorLibrarian({ store });
const signal = {
  signal_type: "VolumeFull",
  environment: "staging",
  priority: "P2",
  namespace: "data",
  resource_kind: "PersistentVolumeClaim",
  resource_name: "orders",
};

async function reasonsFor(...observed: readonly string[]) {
  const facts = observed.map((observation) => ({ observation }));
  const { metadata } = await librarian(
    JSON.stringify(signal),
    vouched({ environment: signal.environment, facts }),
  );
  const approval = metadata?.approval as Approval | undefined; // what the librarian puts there
  return approval?.reasons;
}

describe("a person looks first", () => {
  const explained = "the volume is nearly full; its storage class can enlarge volumes";

  it("is not asked for where everything that was observed is explained", async () => {
    expect(await reasonsFor(explained)).toEqual([]);
  });

  it("where a part of what was observed has nothing to do with the workflow", async () => {
    expect(await reasonsFor(explained, "backups lock every table since midnight")).toEqual([
      "part of what was observed has nothing to do with it: `backups lock every table since midnight`",
    ]);
  });
});

describe("the answer", () => {
  it("never shows a confidence that reaches a limit which it does not reach", async () => {
    const rated = createWorkflowSelectorLibrarian({ store, profile: () => 0.7969 });
    const { answer } = await rated.librarian(
      JSON.stringify({ ...signal, environment: "production" }),
      vouched({ facts: [{ observation: "the volume is nearly full" }] }),
    );

    expect(answer).toContain("with a confidence of 0.79:");
    expect(answer).toContain("its confidence for production is below 0.8");
  });

  it("says the proposal in five lines, each on one line, before what is behind it", async () => {
    const message = "first line\n\nsecond line\n".repeat(200);
    const { answer } = await librarian(JSON.stringify({ ...signal, error_message: message }), {});
    const [first = "", ...rest] = (answer ?? "").split("\n\n");

    expect(first.split("\n").length).toBeLessThanOrEqual(5);
    expect(first).toContain("**enlarge-volume 1.0.0** is proposed");
    expect(first).toContain("- Risk: low. Before it runs");
    expect(rest.join("\n\n")).toContain("Root cause not assessed");
  });
});
