import { describe, expect, it } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import type { Approval, WorkflowSelection } from "../src/index.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";
import { entry, vouched } from "./workflows.js";

const labels = { environment: ["staging"], priority: "*", risk_tolerance: "low" };
const store = createMemoryCatalog([
  entry("promote-standby", {
    description: {
      what: "Promotes a standby of a broker",
      whenToUse: "The active broker is dead and a standby with low lag exists",
      whenNotToUse: "When the standby is read by reports, or disks are slow",
      preconditions: "A standby with lag below 10 s. Shared storage has free space",
    },
    labels,
  }),
  ...["Renews a certificate", "Rolls back a release", "Empties a queue", "Drains a node"].map(
    (description, place) => entry(`other-entry-${place}`, { description, labels }),
  ),
]);
const { librarian } = createWorkflowSelectorLibrarian({ store });
const signal = {
  signal_type: "BrokerDead",
  environment: "staging",
  priority: "P2",
  namespace: "bus",
  resource_kind: "Deployment",
  resource_name: "broker",
};
const clear = "the active broker is dead; a standby with a lag of 900 ms exists";

async function proposalFor(facts: readonly string[], more: object = {}) {
  const { metadata } = await librarian(
    JSON.stringify({ ...signal, ...more }),
    vouched({
      environment: signal.environment,
      facts: facts.map((observation) => ({ observation })),
    }),
  );
  const selection = metadata?.workflowSelection as WorkflowSelection | undefined; // what the librarian puts there
  const approval = metadata?.approval as Approval | undefined;
  return { selected: selection?.strategies[0]?.workflow_id, reasons: approval?.reasons ?? [] };
}

describe("an observation", () => {
  it("of what an entry is for raises no doubt", async () => {
    expect(await proposalFor([clear])).toEqual({
      selected: "promote-standby",
      reasons: [],
    });
  });

  it("that denies a precondition rules the entry out", async () => {
    const { selected } = await proposalFor([clear, "shared storage has no free space"]);

    expect(selected).not.toBe("promote-standby");
  });

  it("of what it is not for has a person look", async () => {
    const { reasons } = await proposalFor([clear, "reports read the broker's other replica"]);

    expect(reasons).toContain(
      "what was observed speaks against it: `When the standby is read by reports`",
    );
  });

  it("of the opposite of what an entry is not for raises no doubt", async () => {
    expect((await proposalFor([clear, "disks of the standby broker are fast"])).reasons).toEqual(
      [],
    );
  });
});

describe("a text that names a workflow", () => {
  const tried = "Do not run promote-standby: promote-standby-v1 was tried and did not help.";

  it("has a person look where that workflow fits", async () => {
    const { selected, reasons } = await proposalFor([clear], { description: tried });

    expect(selected).toBe("promote-standby");
    expect(reasons).toEqual([
      "what was reported names the workflow: to order it, to forbid it or because it was tried",
    ]);
  });

  it("does not make it fit", async () => {
    const { selected } = await proposalFor(["certificate of the node is renewed"], {
      signal_type: "CertificateOld",
      summary: "Certificate is old",
      description: tried,
    });

    expect(selected).not.toBe("promote-standby");
  });
});
