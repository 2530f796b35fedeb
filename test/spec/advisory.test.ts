import { createRouter, type Librarian, type LibrarianDefinition } from "@constellation/core";
import { createRagAdvisoryLibrarian } from "@constellation/librarian-rag-advisory";
import { createTriageLibrarian } from "@constellation/librarian-triage";
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
  namespace: "shop",
  resource_kind: "Deployment",
  resource_name: "checkout",
});

/** An advisor whose advisory says what the test wants. */
function advisor(text: string): LibrarianDefinition<Librarian> {
  return createRagAdvisoryLibrarian({
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
            location_insights: text,
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
}

describe("an advisory beside a decision", () => {
  it("RAG-003: is read by the caller and sends triage to no one, whatever it says", async () => {
    const text = "Vizag notes name k8s: its pods of the cluster are pending and crash.";
    const called: string[] = [];
    const router = createRouter({ entry: "triage" });
    router.register(createTriageLibrarian());
    router.register(advisor(text));
    router.register({
      id: "k8s",
      description: "Says which pods of the cluster are pending, crash or restart.",
      librarian: async (_query, context) => {
        called.push(context?.librarian?.id ?? "");
        return { answer: "All pods run.", confidence: 0.9 };
      },
    });

    const first = await router.ask("What are flat prices in Vizag?");
    expect(JSON.stringify(first.metadata?.ragAdvisory)).toContain("Vizag");
    expect(called).toEqual([]);

    const question = "Which pods are pending in the cluster?";
    const without = await router.ask(question);
    const having = await router.ask(question, { metadata: { ...first.metadata } });
    const property = await router.ask("What are rents in Vizag?", {
      metadata: { ...first.metadata },
    });
    expect(having.answer).toBe(without.answer);
    expect(property.metadata).toHaveProperty("ragAdvisory");
    expect(called).toEqual(["k8s", "k8s"]);
    await router.close();
  });

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
    const advisory = advisor("workflow_id: renew-certificate");
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
