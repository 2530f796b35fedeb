import { testContext } from "@constellation/testing";
import { expect, it } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian } from "../src/workflow-selector.js";
import { entry } from "./workflows.js";

it("CORE-030 names in its answer what it is about, so that it can be read alone", async () => {
  const store = createMemoryCatalog([
    entry("increase-memory-limits", {
      description: "Increases the memory limits of a deployment whose containers are OOMKilled",
      labels: { environment: ["production"], priority: "*", risk_tolerance: "low" },
    }),
  ]);
  const { librarian } = createWorkflowSelectorLibrarian({ store });
  const signal = {
    signal_type: "OOMKilled",
    environment: "production",
    namespace: "shop",
    priority: "P0",
    resource_kind: "Deployment",
    resource_name: "checkout",
  };

  const { answer } = await librarian(JSON.stringify(signal), testContext());

  expect(answer).toContain("increase-memory-limits");
  expect(answer).toContain("OOMKilled");
  expect(answer).toContain("shop/Deployment/checkout");
});
