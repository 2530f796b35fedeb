import { createRouter, type User } from "@constellation/core";
import { createJournal, createMemoryStore } from "@constellation/journal";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import { createOutcomes, createWorkflowSelectorLibrarian } from "../src/index.js";
import { entry } from "./workflows.js";

const workflows = [
  entry("increase-memory-limits", {
    description: "Increases the memory limits of a deployment whose containers are OOMKilled",
    labels: { environment: ["production", "staging"], component: ["*"] },
  }),
];
const signal = (environment: string) =>
  JSON.stringify({
    ...{ signal_type: "OOMKilled", severity: "critical", environment, namespace: "shop" },
    ...{ resource_kind: "Deployment", resource_name: "checkout" },
  });

const [ann, ben]: readonly User[] = [
  { id: "ann", teams: ["platform"] },
  { id: "ben", teams: ["platform"] },
];

function openMesh() {
  const store = createMemoryStore();
  const journal = createJournal({ store });
  const router = createRouter({ journal });
  const outcomes = createOutcomes(store);
  router.register(
    createWorkflowSelectorLibrarian({
      store: createMemoryCatalog(workflows),
      outcomes,
      waitForApproval: { by: { teams: ["platform"] } },
    }),
  );
  onTestFinished(() => router.close());
  return { router, journal, outcomes };
}

describe("a workflow selector of a mesh whose proposals are approved", () => {
  it.each([
    [true, "Approved by ben.", "approved"],
    [false, "Refused by ben: it is not to be run.", "rejected"],
  ])(
    "waits for a person other than the one who asked (approve: %s)",
    async (approve, says, event) => {
      const { router, journal, outcomes } = openMesh();
      const { metadata, answer } = await router.ask(signal("production"), { user: ann });
      expect(answer).toBeUndefined();
      const [wait] = metadata?.waiting ?? [];
      expect(wait).toMatchObject({
        what: "Run the workflow increase-memory-limits",
        data: { workflow_id: "increase-memory-limits" },
      });
      expect(await journal.waiting({ user: ann ?? { id: "" } })).toEqual([]);

      const { id = "", runId = "" } = wait ?? {};
      const run = await router.resume(runId, { id, approve, user: ben });
      const response = await run.response;
      expect(response.answer).toMatch(new RegExp(`^${says}`));
      expect(response.metadata).toMatchObject({
        approval: { approvalRequired: true, decision: { approved: approve, by: "ben" } },
        workflowSelection: { strategies: [{ workflow_id: "increase-memory-limits" }] },
      });
      expect(await outcomes.read()).toMatchObject([
        { workflow_id: "increase-memory-limits", event, by: "ben" },
      ]);
    },
  );

  it("gives no proposal that needs approval where nothing can wait", async () => {
    const router = createRouter();
    router.register(
      createWorkflowSelectorLibrarian({
        store: createMemoryCatalog(workflows),
        waitForApproval: {},
      }),
    );

    const { answer, error } = await router.ask(signal("production"));
    expect([answer, error?.code]).toEqual([undefined, "SERVICE_UNAVAILABLE"]);
  });
});
