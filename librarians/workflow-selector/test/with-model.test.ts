import { describe, expect, it } from "vitest";
import { createMemoryCatalog } from "../src/catalog/memory-catalog.js";
import { readWorkflowSearch } from "../src/index.js";
import {
  analysis,
  askWith,
  facts,
  searchIn,
  selected,
  signal,
  toldIn,
  withStrategy,
  workflows,
} from "./model.js";

const k8s = { id: "k8s", description: "Reads the cluster.", capabilities: ["kubernetes.facts"] };

describe("the steps with a model", () => {
  it("WFS-017 reads the facts, gets the root cause, and only then searches", async () => {
    const order: string[] = [];
    const store = createMemoryCatalog(workflows);
    const read = () => {
      order.push("search");
      return store.read();
    };
    const { ai, response } = await askWith(
      [
        (_, method) => {
          order.push(`analysis by ${method}`);
          return analysis();
        },
        (_, method) => {
          order.push(`selection by ${method}`);
          return selected;
        },
      ],
      {
        query: "why is my-app OOMKilled?",
        options: { store: { read } },
        context: {
          availableDelegates: [k8s],
          ask: async () => {
            order.push("facts");
            return { answer: "OOMKilled", metadata: { facts } };
          },
        },
      },
    );

    expect(order).toEqual(["facts", "analysis by runTools", "search", "selection by runTools"]);
    expect(response.error).toBeUndefined();
    ai.assertComplete();
  });

  it("offers the catalog's tools only after the analysis, and shows no workflow before it", async () => {
    const { ai } = await askWith([analysis(), selected]);

    expect(ai.calls[0]?.request.tools).toBeUndefined();
    expect(toldIn(ai, 0)).not.toContain("oomkill-");
    expect(toldIn(ai, 0)).not.toMatch(/"confidence"/);
    expect(ai.calls[1]?.request.tools?.map(({ name }) => name)).toEqual([
      "search_workflow_catalog",
      "get_workflow",
    ]);
  });

  it.each([
    ["OOMKilled", "OOMKilled"],
    ["OOMKilled", "NodePressure"],
    ["CrashLoopBackOff", "ImagePullBackOff"],
  ])(
    "WFS-018 WFS-019 of a signal %s with a root cause %s searches for the latter and its severity",
    async (given, signal_type) => {
      const { response } = await askWith([analysis({ signal_type }), selected], {
        query: { ...signal, signal_type: given },
      });

      expect(searchIn(response).query.incident_type).toBe(`${signal_type} critical`);
    },
  );

  it("WFS-020 searches by the business labels as they came, whatever the model says", async () => {
    const { response, ai } = await askWith([
      analysis({
        environment: "staging",
        priority: "P3",
        risk_tolerance: "high",
        business_category: "toys",
      }),
      {
        text: selected,
        toolCalls: [
          {
            name: "search_workflow_catalog",
            input: {
              query: "delete OOMKilled",
              labels: { risk_tolerance: "high" },
              environment: "staging",
            },
          },
          {
            name: "get_workflow",
            input: { workflow_id: "oomkill-delete-everything", version: "1.0.0" },
          },
        ],
      },
    ]);

    expect(searchIn(response).query.labels).toEqual({
      environment: "production",
      priority: "P0",
      risk_tolerance: "low",
      business_category: "payments",
    });
    const [again, hidden] = ai.calls[1]?.toolResults ?? [];
    expect(again).toMatchObject({ ran: true });
    expect(again?.text).not.toContain("oomkill-delete-everything");
    expect(hidden?.text).toBe("not found");
  });

  it("WFS-021 WFS-025 takes severity and component of the search from the root cause", async () => {
    const { response, selection } = await askWith([analysis(), selected], {
      query: {
        ...signal,
        signal_type: "HighMemory",
        severity: "low",
        resource_kind: "Pod",
        resource_name: "my-app-abc12",
      },
    });

    expect(searchIn(response).query).toMatchObject({
      incident_type: "OOMKilled critical",
      severity: "critical",
      component: "deployment",
    });
    expect(selection.rca_severity).toBe("critical");
  });

  it("WFS-025 refuses a severity that does not exist", async () => {
    const wrong = analysis({ root_cause_analysis: { summary: "s", severity: "severe" } });
    const { response } = await askWith([wrong, wrong, wrong]);

    expect(response.error?.details?.issues).toEqual([
      { path: "root_cause_analysis.severity", message: "expected critical, high, medium or low" },
    ]);
  });

  it("CAT-004 shows nothing of an entry that a label hides, in any call", async () => {
    const { ai } = await askWith([
      analysis(),
      {
        text: withStrategy({ parameters: {} }),
        toolCalls: [{ name: "search_workflow_catalog", input: { query: "OOMKilled" } }],
      },
      selected,
    ]);
    const all = ai.calls
      .map((call, at) => `${toldIn(ai, at)} ${call.toolResults.map(({ text }) => text).join()}`)
      .join();

    expect(all).toContain("oomkill-increase-memory");
    expect(all).not.toContain("oomkill-delete-everything");
    expect(all).not.toContain("Deletes deployments");
  });

  it("CAT-041 shows four fields to select from, and the parameters as a fifth only to populate", async () => {
    const { ai, selection } = await askWith([
      analysis(),
      {
        text: withStrategy({ parameters: undefined }),
        toolCalls: [
          { name: "get_workflow", input: { workflow_id: "oomkill-scale-down", version: "1.0.0" } },
        ],
      },
      selected,
    ]);
    const [, view = "{}"] = toldIn(ai, 1).split(/={8,} workflows\n/);
    const { workflows: shown } = readWorkflowSearch(JSON.parse(view.split(/\n={8,}/)[0] ?? ""));
    const raw = JSON.parse(view.split(/\n={8,}/)[0] ?? "") as {
      readonly workflows: readonly object[];
    };

    expect(shown.length).toBeGreaterThan(1);
    for (const one of raw.workflows) {
      expect(Object.keys(one)).toEqual(["workflow_id", "version", "description", "confidence"]);
    }
    expect(toldIn(ai, 1)).not.toContain("SCALE_TARGET_REPLICAS");
    expect(Object.keys(JSON.parse(ai.calls[1]?.toolResults[0]?.text ?? ""))).toEqual([
      "workflow_id",
      "version",
      "description",
      "confidence",
      "parameters",
    ]);
    expect(toldIn(ai, 2)).toContain("`SCALE_TARGET_REPLICAS` (integer, **REQUIRED**)");
    expect(toldIn(ai, 2)).not.toContain("MEMORY_LIMIT_NEW");
    expect(selection.strategies[0]?.parameters.SCALE_TARGET_REPLICAS).toBe(3);
  });

  it("CAT-022 CAT-023 CAT-024 CAT-025 CAT-026 CAT-027 CAT-040 shows a model none of the other fields of an entry", async () => {
    const hidden = {
      incident_types: ["OOMKilled", "PLANTED-1"],
      risk_level: "PLANTED-2",
      estimated_duration: "PLANTED-3",
      prerequisites: ["planted: PLANTED-4"],
      rollback_available: "PLANTED-5",
      actions: ["PLANTED-6"],
      content: "PLANTED-7",
      title: "PLANTED-8",
      name: "PLANTED-9",
      similarity_score: 0.123456,
      success_rate: 0.654321,
      action_type: "PLANTED-10",
    };
    const store = createMemoryCatalog(workflows.map((one) => ({ ...one, ...hidden })));
    const { ai, selection } = await askWith(
      [
        analysis(),
        {
          text: withStrategy({ parameters: {} }),
          toolCalls: [
            {
              name: "get_workflow",
              input: { workflow_id: "oomkill-scale-down", version: "1.0.0" },
            },
          ],
        },
        selected,
      ],
      { options: { store }, query: { ...signal, planted: "PLANTED-4" } },
    );
    const all = ai.calls
      .map((call, at) => `${toldIn(ai, at)} ${call.toolResults.map(({ text }) => text).join()}`)
      .join();

    expect(selection.strategies[0]?.workflow_id).toBe("oomkill-scale-down");
    expect(all).toContain("oomkill-scale-down");
    expect(all).not.toMatch(/PLANTED|0\.123456|0\.654321/);
  });

  it("WFS-016 works alike with any client", async () => {
    const first = await askWith([
      { text: analysis(), model: "one" },
      { text: selected, model: "one" },
    ]);
    const second = await askWith([
      { text: analysis(), model: "two" },
      { text: selected, model: "two" },
    ]);

    expect(second.ai.calls.map((_, at) => toldIn(second.ai, at))).toEqual(
      first.ai.calls.map((_, at) => toldIn(first.ai, at)),
    );
    expect(second.response).toEqual(first.response);
  });

  it("hands signal and remaining time to every call", async () => {
    const { ai } = await askWith([analysis(), withStrategy({ parameters: {} }), selected], {
      context: { deadline: Date.now() + 20_000 },
    });

    expect(ai.calls).toHaveLength(3);
    for (const { request } of ai.calls) {
      expect(request.signal).toBeInstanceOf(AbortSignal);
      expect(request.timeoutMs).toBeGreaterThan(1_000);
      expect(request.timeoutMs).toBeLessThan(20_000);
    }
  });
});
