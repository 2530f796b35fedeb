import { describe, expect, it } from "vitest";
import { catalogOf, entry } from "../../test/workflows.js";
import type { Catalog } from "../catalog/catalog.js";
import { readConcepts } from "./concepts.js";
import { matchLabel } from "./labels.js";
import { defaultProfile } from "./profile.js";
import type { CatalogQuery } from "./query.js";
import { readWorkflowSearch } from "./read-workflow-view.js";
import { getWorkflow, searchWorkflowCatalog } from "./search-workflow-catalog.js";

const rich = {
  labels: { risk_tolerance: "low" },
  title: "T",
  name: "N",
  similarity_score: 0.4,
  estimated_duration: "45s",
  success_rate: 0.9,
  incident_types: ["OOMKilled"],
  risk_level: "high",
  rollback_available: true,
  actions: ["restart"],
  content: "kind: Task",
  explanation: "E",
  similar_incidents: ["S"],
  prerequisites: [] as readonly string[],
  parameters: [{ name: "A", type: "string" }],
};
const four = ["workflow_id", "version", "description", "confidence"];

const ids = (catalog: Catalog, query: CatalogQuery) =>
  searchWorkflowCatalog(catalog, query).workflows.map(({ workflow_id }) => workflow_id);

/** Entries with these semantic scores, whatever the query. */
const scored = (scores: Readonly<Record<string, number>>) => ({
  profile: ({ workflow }: { readonly workflow: { readonly id: string } }) =>
    scores[workflow.id] ?? 0,
});

describe("the view", () => {
  it("CAT-001 CAT-026 CAT-027 CAT-036 CAT-037 CAT-040 has exactly four fields, whatever the entry and the labels hold", async () => {
    const catalog = await catalogOf(entry("a", { ...rich, labels: { team: "core" } }), entry("b"));
    const { workflows } = searchWorkflowCatalog(catalog, { labels: { team: "core" } });

    expect(workflows.map(Object.keys)).toEqual([four]);
  });

  it("CAT-024 is the same for any estimated duration", async () => {
    const of = async (estimated_duration: string) =>
      searchWorkflowCatalog(await catalogOf(entry("a", { ...rich, estimated_duration })), {});

    expect(await of("45s")).toEqual(await of("3h"));
  });

  it("CAT-002 is read from the approved example, where workflows are playbooks", () => {
    const example = {
      playbooks: [
        {
          playbook_id: "pod-oom-recovery",
          version: "v1.2",
          description: "Increases memory limits and restarts pod",
          confidence: 0.92,
        },
      ],
      total_results: 2,
    };

    expect(readWorkflowSearch(example)).toMatchObject({
      workflows: [{ workflow_id: "pod-oom-recovery", version: "v1.2", confidence: 0.92 }],
      total_results: 2,
    });
    expect(() => readWorkflowSearch({ total_results: 1 })).toThrow(
      expect.objectContaining({ code: "DATA_SOURCE_ERROR" }),
    );
  });

  it("CAT-003 CAT-018 counts the matches before max_results cuts the list, after sorting", async () => {
    const catalog = await catalogOf(...["a", "b", "c", "d", "e"].map((id) => entry(id)));
    const scores = { a: 0.1, b: 0.8, c: 0.9, d: 0.2, e: 0.3 };
    const { workflows, total_results } = searchWorkflowCatalog(
      catalog,
      { max_results: 2 },
      scored(scores),
    );

    expect(workflows.map(({ workflow_id }) => workflow_id)).toEqual(["c", "b"]);
    expect(total_results).toBe(5);
    expect(searchWorkflowCatalog(await catalogOf(), {})).toEqual({
      workflows: [],
      total_results: 0,
    });
  });

  it("CAT-017 leaves out what is below min_confidence, and keeps what equals it", async () => {
    const catalog = await catalogOf(entry("a"), entry("b"), entry("c"));
    const options = scored({ a: 0.69, b: 0.7, c: 0.71 });

    expect(searchWorkflowCatalog(catalog, { min_confidence: 0.7 }, options).workflows).toHaveLength(
      2,
    );
    expect(searchWorkflowCatalog(catalog, {}, options).workflows).toHaveLength(3);
  });

  it("CAT-020 CAT-028 comes in the same order however the catalog is shuffled", async () => {
    const versions = ["1.2.0", "1.10.0", "v1.3"].map((version) => entry("m", { version }));
    const all = [...versions, ...["z", "b", "a"].map((id) => entry(id))];
    const expected = ["a 1.0.0", "b 1.0.0", "m 1.10.0", "m v1.3", "m 1.2.0", "z 1.0.0"];

    for (let turn = 0; turn < 20; turn++) {
      const shuffled = all.map((_, at) => all[(at * 5 + turn) % all.length]);
      const { workflows } = searchWorkflowCatalog(await catalogOf(...shuffled), {});
      expect(workflows.map(({ workflow_id, version }) => `${workflow_id} ${version}`)).toEqual(
        expected,
      );
    }
  });
});

describe("the size of the view", () => {
  it("CAT-035 is at most 600 tokens for ten entries, and less than the rich form", async () => {
    const description =
      "Increases the memory limits of a deployment's containers and restarts its pods one by one";
    const ten = Array.from({ length: 10 }, (_, at) =>
      entry(`increase-memory-limits-${at}`, { description }),
    );
    const view = searchWorkflowCatalog(await catalogOf(...ten), {});
    const risk = {
      incident_types: ["pod-oom-killer"],
      risk_level: "low",
      estimated_duration: "45s",
      prerequisites: [],
    };
    const richer = view.workflows.map((one) => ({ ...one, ...risk }));

    expect(JSON.stringify(view).length / 4).toBeLessThanOrEqual(600);
    expect(JSON.stringify(view).length).toBeLessThan(JSON.stringify(richer).length);
  });
});

describe("the filter", () => {
  it("CAT-012 wants all labels to match", async () => {
    const labels = {
      environment: "staging",
      priority: "P1",
      risk_tolerance: "low",
      business_category: "payment",
    };
    const catalog = await catalogOf(
      entry("four", { labels }),
      entry("three", { labels: { ...labels, business_category: "search" } }),
    );

    expect(ids(catalog, { labels })).toEqual(["four"]);
  });

  it("CAT-013 CAT-014 takes keys with and without prefix, and texts key:value", async () => {
    const catalog = await catalogOf(
      entry("low", { labels: { "kubernaut.io/risk-tolerance": "low" } }),
      entry("high", { labels: { risk_tolerance: "high" } }),
    );

    expect(ids(catalog, { labels: { "kubernaut.io/risk-tolerance": "low" } })).toEqual(["low"]);
    expect(ids(catalog, { labels: { risk_tolerance: "low" } })).toEqual(["low"]);
    expect(ids(catalog, { labels: ["kubernaut.io/risk-tolerance:low"] })).toEqual(["low"]);
    expect(() => ids(catalog, { labels: ["low"] })).toThrow(
      expect.objectContaining({ code: "INVALID_QUERY" }),
    );
  });

  it("CAT-015 CAT-033 matches an equal value, a list, or *, letter case aside, and never a missing label", async () => {
    const catalog = await catalogOf(
      entry("a", { labels: { priority: "p0" } }),
      entry("b", { labels: { priority: ["P0", "P1"] } }),
      entry("c", { labels: { priority: "*" } }),
      entry("d", { labels: { priority: "P2" } }),
      entry("e"),
    );

    expect(ids(catalog, { labels: { priority: "P0" } }).sort()).toEqual(["a", "b", "c"]);
    expect(ids(catalog, { labels: { priority: "" } })).toHaveLength(5);
    expect(ids(catalog, { labels: { constructor: "x" } })).toEqual([]);
    expect(matchLabel(undefined, "x")).toBe("none");
  });

  it("CAT-023 CAT-029 CAT-030 lets nothing risky into production", async () => {
    const risks = ["low", "medium", "high"];
    const catalog = await catalogOf(
      entry("none", { labels: { environment: "*" } }),
      ...risks.map((risk_tolerance) =>
        entry(risk_tolerance, { labels: { environment: "*", risk_tolerance } }),
      ),
    );
    const of = (environment: string, risk_tolerance = "") =>
      ids(catalog, { labels: { environment, risk_tolerance } });

    expect(of("production")).toEqual(["low", "none"]);
    expect(of("Production", "medium")).toEqual(["medium"]);
    expect(of("production", "high")).toEqual([]);
    expect(of("staging", "high")).toEqual(["high"]);
  });

  it("CAT-025 CAT-031 returns only entries whose prerequisites the facts meet", async () => {
    const catalog = await catalogOf(
      entry("linux", { prerequisites: ["kubernetes.io/os: linux"] }),
      entry("windows", { prerequisites: ["kubernetes.io/os: windows"] }),
      entry("unknown", { prerequisites: ["gpu: yes"] }),
      entry("any"),
    );

    expect(ids(catalog, { facts: { "kubernetes.io/os": "linux" } })).toEqual(["any", "linux"]);
    expect(ids(catalog, {})).toEqual(["any"]);
  });

  it("CAT-041 shows parameter schemas by getWorkflow alone, and nothing of what the filter hides", async () => {
    const catalog = await catalogOf(
      entry("a", { ...rich, labels: { environment: "staging" } }),
      entry("a", { ...rich, version: "1.10.0", labels: { environment: "staging" } }),
    );
    const staging = { labels: { environment: "staging" } };

    expect(getWorkflow(catalog, { workflow_id: "a" }, staging)).toEqual({
      workflow_id: "a",
      version: "1.10.0",
      parameters: [{ name: "A", type: "string", required: false }],
    });
    expect(getWorkflow(catalog, { workflow_id: "a", version: "1.0.0" }, staging)?.version).toBe(
      "1.0.0",
    );
    expect(
      getWorkflow(catalog, { workflow_id: "a" }, { labels: { environment: "production" } }),
    ).toBeUndefined();
    expect(getWorkflow(catalog, { workflow_id: "ghost" })).toBeUndefined();
  });
});

describe("the score", () => {
  it("CAT-010 is half semantic, half labels", () => {
    const of = (semantic: number, labelMatch: number) =>
      defaultProfile({ semantic, labelMatch } as Parameters<typeof defaultProfile>[0]); // reads nothing else

    expect(of(0.8, 1)).toBeCloseTo(0.9);
    expect(of(0.6, 0.5)).toBeCloseTo(0.55);
  });

  it("CAT-016 counts a label matched by * as one matched by its value", async () => {
    const labels = { a: "1", b: "1", c: "1", d: "*" };
    const catalog = await catalogOf(entry("x", { labels }));
    const labelMatch = {
      profile: (candidate: { readonly labelMatch: number }) => candidate.labelMatch,
    };
    const of = (query: CatalogQuery) =>
      searchWorkflowCatalog(catalog, query, labelMatch).workflows[0]?.confidence;

    expect(of({ labels: { a: "1", b: "1", c: "1", d: "1" } })).toBe(1);
    expect(of({})).toBe(1);
  });

  it("CAT-016 gives an entry with * and one with all values listed the same confidence", async () => {
    const values = { environment: ["production", "staging"], priority: ["P0", "P1", "P2", "P3"] };
    const description = "Increases memory limits after OOMKilled containers";
    const labels = { risk_tolerance: "low" };
    const catalog = await catalogOf(
      entry("any", { description, labels: { ...labels, environment: "*", priority: "*" } }),
      entry("listed", { description, labels: { ...labels, ...values } }),
      entry("certificate", { labels: { ...labels, ...values } }),
    );
    const [one, other] = searchWorkflowCatalog(catalog, {
      incident_type: "OOMKilled",
      labels: { environment: "staging", priority: "P1" },
    }).workflows;

    expect(one?.confidence).toBeGreaterThan(0.7);
    expect(other?.confidence).toBeCloseTo(one?.confidence ?? 0, 1);
  });

  it("CAT-015 restricts by an added label only the entries that declare it", async () => {
    const catalog = await catalogOf(
      entry("declares", { labels: { priority: "P0" } }),
      entry("other", { labels: { priority: "P3" } }),
      entry("silent"),
    );

    expect(ids(catalog, { addedLabels: { priority: "P0" } })).toEqual(["declares", "silent"]);
    expect(ids(catalog, { labels: { priority: "P0" } })).toEqual(["declares"]);
  });

  it("CAT-028 filters by each category of labels, without a model", async () => {
    const given = {
      environment: "staging",
      priority: "P1",
      risk_tolerance: "low",
      business_category: "payment",
    };
    for (const key of Object.keys(given)) {
      const catalog = await catalogOf(
        entry("right", { labels: given }),
        entry("wrong", { labels: { ...given, [key]: "high" } }),
      );
      expect([ids(catalog, { labels: given }), ids(catalog, { labels: given })]).toEqual([
        ["right"],
        ["right"],
      ]);
    }
  });

  it.each([Number.NaN, -3, 7, Number.POSITIVE_INFINITY])(
    "CAT-010 stays within 0 and 1 when a profile gives %s",
    async (given) => {
      const catalog = await catalogOf(entry("x"));
      const confidence = searchWorkflowCatalog(catalog, {}, { profile: () => given }).workflows[0]
        ?.confidence;

      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
    },
  );

  it("CAT-022 filters by incident_types, and shows them to no one", async () => {
    const catalog = await catalogOf(
      entry("a", { description: "Helps OOMKilled pods.", incident_types: ["OOMKilled"] }),
      entry("b", { description: "Helps OOMKilled pods.", incident_types: ["NodeNotReady"] }),
      entry("c", { description: "Helps OOMKilled pods.", incident_types: "*" }),
      entry("d", { description: "Helps OOMKilled pods." }),
    );
    const found = (incident_type: string, observed = {}) =>
      searchWorkflowCatalog(catalog, { incident_type, observed });

    expect(found("oomkilled").workflows.map(({ workflow_id }) => workflow_id)).toEqual([
      "a",
      "c",
      "d",
    ]);
    expect(found("OOMKilled critical", { severity: "critical" }).total_results).toBe(3);
    expect(found("pods are OOMKilled again").total_results).toBe(4);
    expect(JSON.stringify(found("OOMKilled"))).not.toContain("NodeNotReady");
    expect(Object.keys(found("OOMKilled").workflows[0] ?? {})).not.toContain("incident_types");
  });

  it("CAT-011 finds by what happened, in other words too", async () => {
    const catalog = await catalogOf(
      entry("raise", { description: "Increases memory limits after OOMKilled containers" }),
      entry("certificate", { description: "Renews an expired certificate" }),
    );

    expect(ids(catalog, { incident_type: "pod ran out of memory" })).toEqual(["raise"]);
    expect(ids(catalog, { incident_type: "x509: TLS failure" })).toEqual(["certificate"]);
    expect(ids(catalog, { incident_type: "lunch menu" })).toEqual([]);
  });

  it("counts it against an entry that it says not to use it", async () => {
    const description = (whenNotToUse: string) => ({
      what: "Increases memory limits",
      whenToUse: "OOMKilled containers",
      whenNotToUse,
    });
    const catalog = await catalogOf(
      entry("a", { description: description("When a ResourceQuota is exhausted") }),
      entry("b", { description: description("When nobody asks") }),
    );
    const [first, second] = searchWorkflowCatalog(catalog, {
      incident_type: "memory limit, quota exceeded",
    }).workflows;

    expect(first?.workflow_id).toBe("b");
    expect(first?.confidence).toBeGreaterThan(second?.confidence ?? 0);
  });

  it("counts it little that only the thing is the same, and not the failure", async () => {
    const catalog = await catalogOf(
      entry("drain", { description: "Drains a node that is NotReady" }),
      entry("clean", { description: "Removes old files from a node under disk pressure" }),
    );
    const [first, second] = searchWorkflowCatalog(catalog, {
      incident_type: "KubeNodeNotReady",
    }).workflows;

    expect(first?.workflow_id).toBe("drain");
    expect((first?.confidence ?? 0) - (second?.confidence ?? 0)).toBeGreaterThan(0.1);
  });

  it("puts an entry behind whose condition the object does not meet, or is not known to meet", async () => {
    const description = "Rolls back a release that does not become ready";
    const catalog = await catalogOf(
      entry("by-hand", { description, detected_labels: { gitOpsManaged: "false" } }),
      entry("in-git", { description, detected_labels: { gitOpsTool: "*" } }),
      entry("certificate", { description: "Renews a certificate" }),
    );
    const found = (traits: Readonly<Record<string, string | boolean>> | undefined) =>
      ids(catalog, { incident_type: "release does not become ready", observed: { traits } });

    expect(found({ gitOpsManaged: true, gitOpsTool: "argocd" })).toEqual(["in-git", "by-hand"]);
    expect(found({ gitOpsManaged: false })).toEqual(["by-hand", "in-git"]);
  });

  it("puts an entry behind whose text speaks against what the object is like", async () => {
    const what = "Rolls back a release that does not become ready.";
    const catalog = await catalogOf(
      entry("by-hand", { description: `${what} Do not use it when GitOps manages it.` }),
      entry("restart", { description: "Restarts a release that does not become ready" }),
      entry("certificate", { description: "Renews a certificate" }),
    );
    const found = (gitOpsManaged: boolean) =>
      ids(catalog, {
        incident_type: "release does not become ready, rolls back",
        observed: { traits: { gitOpsManaged } },
      });

    expect(found(true)).toEqual(["restart", "by-hand"]);
    expect(found(false)).toEqual(["by-hand", "restart"]);
  });

  it("WFS-019 counts the severity of a query by the label, not by the word", async () => {
    const catalog = await catalogOf(
      entry("made", {
        description: "Untangles the frobnicator",
        labels: { severity: ["critical", "warning"] },
      }),
    );
    const of = (incident_type: string, severity: string) =>
      searchWorkflowCatalog(catalog, { incident_type, observed: { severity } }).workflows[0]
        ?.confidence ?? 0;

    expect(of("frobnicator critical", "critical")).toBe(of("frobnicator", "critical"));
    expect(of("frobnicator medium", "medium")).toBe(of("frobnicator", "critical"));
    expect(of("frobnicator high", "high")).toBeLessThan(of("frobnicator", "critical"));
  });

  it("reads names in camel case and with hyphens as words", () => {
    expect(readConcepts("KubePodCrashLooping")).toContain("crash");
    expect(readConcepts("ContainerOOMKilling")).toContain("oom");
    expect(readConcepts("image-pull-back-off")).toContain("image");
  });
});
