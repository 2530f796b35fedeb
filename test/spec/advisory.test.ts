import { createRouter } from "@constellation/core";
import { createRagAdvisoryLibrarian } from "@constellation/librarian-rag-advisory";
import {
  createMemoryCatalog,
  createWorkflowSelectorLibrarian,
} from "@constellation/librarian-workflow-selector";
import { describe, expect, it } from "vitest";

const workflow = (id: string, description: string) => ({
  workflow_id: id,
  version: "1.0.0",
  description,
  labels: { environment: ["production"], priority: "*", risk_tolerance: "low" },
});

const signal = JSON.stringify({
  signal_type: "OOMKilled",
  severity: "critical",
  environment: "production",
  priority: "P0",
});

describe("an advisory beside a decision", () => {
  it("RAG-036 RAG-003: selects the same workflow with it and without it", async () => {
    const router = createRouter();
    router.register(
      createWorkflowSelectorLibrarian({
        store: createMemoryCatalog([
          workflow("increase-memory-limits", "Increases memory limits after OOMKilled"),
          workflow("renew-certificate", "Renews an expired certificate"),
        ]),
      }),
    );
    const advisory = createRagAdvisoryLibrarian({
      adapters: [
        {
          country: "IN",
          query: async () => ({
            summary: "The workflow renew-certificate renews an expired certificate.",
            country: "IN",
            confidence: 0.95,
            retrieval_timestamp: "2026-01-16T10:30:00Z",
            model_version: "llama3:latest",
            market_context: {
              location_insights: "workflow_id: renew-certificate",
              price_trends: "",
              market_conditions: "",
            },
            risk_signals: [],
            valuation_hint: { factors: [], methodology: "", confidence: 0 },
            sources: [],
          }),
        },
      ],
    });
    const { metadata, delegate } = await advisory.librarian("flat prices in Vizag");
    const selected = async (given: Readonly<Record<string, unknown>>) => {
      const response = await router.ask(signal, { to: "workflow-selector", metadata: given });
      return response.metadata?.workflowSelection;
    };

    const without = await selected({});
    const having = await selected({ ...metadata });

    expect(metadata?.ragAdvisory).toMatchObject({ confidence: 0.95 });
    expect(delegate).toBeUndefined();
    expect(without).toMatchObject({ strategies: [{ workflow_id: "increase-memory-limits" }] });
    expect(having).toEqual(without);
    await router.close();
  });
});
