import { describe, expect, it } from "vitest";
import { printedExamples } from "../../test/seed-examples.js";
import { invalidReply } from "./invalid-reply.js";
import { parseReply } from "./parse-reply.js";
import type { ProvidedWorkflow } from "./selection.js";
import { validateParameters } from "./validate-parameters.js";

const text = (name: string, more: object = {}) => ({
  name,
  type: "string" as const,
  required: true,
  ...more,
});
const scaleDown: ProvidedWorkflow = {
  workflow_id: "oomkill-scale-down",
  version: "1.0.0",
  parameters: [
    text("TARGET_RESOURCE_KIND", { enum: ["Deployment", "StatefulSet", "DaemonSet"] }),
    text("TARGET_RESOURCE_NAME"),
    text("TARGET_NAMESPACE"),
    { name: "SCALE_TARGET_REPLICAS", type: "integer", required: true, minimum: 0, maximum: 100 },
  ],
};
const restart: ProvidedWorkflow = { workflow_id: "restart", version: "1.0.0" };
const provided = [scaleDown, restart, { ...restart, version: "1.10.0" }];

const strategy = {
  workflow_id: "oomkill-scale-down",
  version: "1.0.0",
  confidence: 0.85,
  rationale: "Node worker-2 is at 95% memory capacity.",
  estimated_risk: "low",
  parameters: {
    TARGET_RESOURCE_KIND: "Deployment",
    TARGET_RESOURCE_NAME: "my-app",
    TARGET_NAMESPACE: "production",
    SCALE_TARGET_REPLICAS: 3,
  },
};
const plain = { workflow_id: "restart", confidence: 0.5, rationale: "r", estimated_risk: "low" };
const reply = {
  analysis_summary: "Deployment my-app has OOMKilled events.",
  root_cause_assessment: "Node memory exhaustion.",
  strategies: [strategy],
  warnings: ["Scaling down will reduce capacity by 40%"],
  context_used: { cluster_state: "c", resource_availability: "r", blast_radius: "b" },
};

const parse = (value: unknown) =>
  parseReply(typeof value === "string" ? value : JSON.stringify(value), provided);
const withStrategy = (more: object, base: object = plain) =>
  parse({ ...reply, strategies: [{ ...base, ...more }] });
const withParameters = (more: object) =>
  withStrategy({ parameters: { ...strategy.parameters, ...more } }, strategy);
const without = (record: object, key: string) =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
const pathsOf = (parsed: ReturnType<typeof parse>) => parsed.issues?.map(({ path }) => path);

describe("parseReply, canonical form", () => {
  it("WFS-037 gives the five fields unchanged", () => {
    expect(parse(reply).selection).toEqual(reply);
  });

  it.each(["analysis_summary", "root_cause_assessment"])("WFS-037 wants %s as text", (key) => {
    expect(pathsOf(parse(without(reply, key)))).toEqual([key]);
    expect(pathsOf(parse({ ...reply, [key]: 3 }))).toEqual([key]);
  });

  it.each([[undefined], [{}], [[]]])("WFS-038 refuses strategies %j", (strategies) => {
    expect(pathsOf(parse({ ...reply, strategies }))).toEqual(["strategies"]);
  });

  it("WFS-039 takes warnings as a list, and none for none", () => {
    expect(parse(without(reply, "warnings")).selection?.warnings).toEqual([]);
    expect(pathsOf(parse({ ...reply, warnings: "a" }))).toEqual(["warnings"]);
  });

  it("WFS-040 wants each part of context_used", () => {
    expect(pathsOf(parse(without(reply, "context_used")))).toEqual(["context_used"]);
    for (const key of Object.keys(reply.context_used)) {
      expect(pathsOf(parse({ ...reply, context_used: without(reply.context_used, key) }))).toEqual([
        `context_used.${key}`,
      ]);
    }
  });

  it("WFS-041 takes only workflows that were provided", () => {
    expect(withStrategy({}).selection).toBeDefined();
    for (const workflow_id of [undefined, "ghost", "Restart"]) {
      expect(pathsOf(withStrategy({ workflow_id }))).toEqual(["strategies.0.workflow_id"]);
    }
  });

  it("WFS-042 fills in the latest version provided, and refuses another", () => {
    expect(withStrategy({}).selection?.strategies[0]?.version).toBe("1.10.0");
    expect(withStrategy({ version: "1.0.0" }).selection?.strategies[0]?.version).toBe("1.0.0");
    expect(pathsOf(withStrategy({ version: "9.9.9" }))).toEqual(["strategies.0.version"]);
  });

  it("WFS-043 wants a confidence within 0 and 1", () => {
    for (const confidence of [0, 1]) expect(withStrategy({ confidence }).selection).toBeDefined();
    for (const confidence of [-0.1, 1.1, "high", undefined]) {
      expect(pathsOf(withStrategy({ confidence }))).toEqual(["strategies.0.confidence"]);
    }
  });

  it("WFS-044 wants a rationale", () => {
    for (const rationale of ["", "  ", undefined]) {
      expect(pathsOf(withStrategy({ rationale }))).toEqual(["strategies.0.rationale"]);
    }
  });

  it("WFS-045 wants a risk of low, medium or high", () => {
    for (const estimated_risk of ["low", "medium", "high"])
      expect(withStrategy({ estimated_risk }).selection).toBeDefined();
    for (const estimated_risk of ["critical", "Low", undefined]) {
      expect(pathsOf(withStrategy({ estimated_risk }))).toEqual(["strategies.0.estimated_risk"]);
    }
  });

  it("WFS-053 drops the removed fields and title", () => {
    const removed = {
      action_type: "a",
      prerequisites: "p",
      steps: [],
      expected_outcome: "e",
      rollback_plan: "r",
      title: "t",
    };

    expect(withStrategy(removed, strategy).selection?.strategies).toEqual([strategy]);
  });

  it("WFS-061 orders by confidence, then by lower risk", () => {
    const strategies = [
      { ...plain, confidence: 0.75, estimated_risk: "medium" },
      { ...plain, confidence: 0.9, estimated_risk: "high" },
      { ...plain, confidence: 0.75, estimated_risk: "low" },
    ];

    expect(
      parse({ ...reply, strategies }).selection?.strategies.map((one) => [
        one.confidence,
        one.estimated_risk,
      ]),
    ).toEqual([
      [0.9, "high"],
      [0.75, "low"],
      [0.75, "medium"],
    ]);
  });
});

describe("parseReply, the examples of the contract", () => {
  const names = ["TARGET_RESOURCE_KIND", "TARGET_RESOURCE_NAME", "TARGET_NAMESPACE"];
  const schemas = names.map((name) => text(name));
  const examples: readonly ProvidedWorkflow[] = [
    scaleDown,
    {
      workflow_id: "oomkill-increase-memory",
      version: "1.0.0",
      parameters: [...schemas, text("MEMORY_LIMIT_NEW")],
    },
    { workflow_id: "oomkill-optimize-application", version: "1.0.0", parameters: schemas },
  ];

  it.each(printedExamples)("WFS-056 are invalid as printed, with a brace missing", (printed) => {
    expect(parseReply(printed, examples).issues).toEqual([
      { path: "", message: "expected a JSON object" },
    ]);
  });

  it("WFS-062 are valid with the brace: one workflow with replicas 3, and two in the order of their confidence", () => {
    const [first, second] = printedExamples.map(
      (printed) => parseReply(`${printed}\n}`, examples).selection,
    );

    expect(first?.strategies).toHaveLength(1);
    expect(first?.strategies[0]).toMatchObject({
      workflow_id: "oomkill-scale-down",
      confidence: 0.85,
      estimated_risk: "low",
      parameters: { SCALE_TARGET_REPLICAS: 3 },
    });
    expect(second?.strategies.map((one) => [one.workflow_id, one.confidence])).toEqual([
      ["oomkill-increase-memory", 0.9],
      ["oomkill-optimize-application", 0.75],
    ]);
  });
});

describe("parseReply, parameters", () => {
  it("WFS-046 wants them, flat, where the workflow has some", () => {
    expect(withStrategy({ parameters: undefined }, strategy).issues).toHaveLength(2);
    expect(pathsOf(withStrategy({ parameters: "x" }, strategy))).toEqual([
      "strategies.0.parameters",
    ]);
    expect(withParameters({ TARGET_NAMESPACE: { B: 1 } }).issues).toHaveLength(1);
    expect(withStrategy({}).selection?.strategies[0]?.parameters).toEqual({});
  });

  it("WFS-047 names the required one that is missing", () => {
    const parameters = without(strategy.parameters, "SCALE_TARGET_REPLICAS");

    expect(pathsOf(withStrategy({ parameters }, strategy))).toEqual([
      "strategies.0.parameters.SCALE_TARGET_REPLICAS",
    ]);
  });

  it("WFS-048 takes names exactly, and drops with a warning what is not declared", () => {
    const { TARGET_NAMESPACE: target_namespace, ...others } = strategy.parameters;

    expect(
      withStrategy({ parameters: { ...others, target_namespace } }, strategy).issues,
    ).toHaveLength(1);
    const { selection } = withParameters({ FOO: "x" });
    expect(selection?.strategies[0]?.parameters).toEqual(strategy.parameters);
    expect(selection?.warnings.at(-1)).toContain("FOO");
  });

  it("WFS-049 WFS-051 wants integers within their limits, without conversion", () => {
    for (const count of [0, 3, 100])
      expect(withParameters({ SCALE_TARGET_REPLICAS: count }).selection).toBeDefined();
    for (const count of ["3", 3.5, true, -1, 101]) {
      expect(pathsOf(withParameters({ SCALE_TARGET_REPLICAS: count }))).toEqual([
        "strategies.0.parameters.SCALE_TARGET_REPLICAS",
      ]);
    }
  });

  it("WFS-050 wants values of the allowed list", () => {
    expect(pathsOf(withParameters({ TARGET_RESOURCE_KIND: "Pod" }))).toEqual([
      "strategies.0.parameters.TARGET_RESOURCE_KIND",
    ]);
  });

  it("WFS-052 wants text that matches the pattern", () => {
    const schema = [text("LIMIT", { pattern: "^[0-9]+(Mi|Gi)$" })];
    const isValid = (LIMIT: string) => validateParameters(schema, { LIMIT }).errors.length === 0;

    expect(["2Gi", "x2Gi", "2gi"].map(isValid)).toEqual([true, false, false]);
  });

  it("compares with nested repetition in linear time", () => {
    const schema = [text("A", { pattern: "^(a+)+$" })];

    expect(validateParameters(schema, { A: `${"a".repeat(5_000)}!` }).errors).toHaveLength(1);
    expect(validateParameters(schema, { A: "a".repeat(5_000) }).errors).toHaveLength(0);
  });

  it("warns of a pattern that cannot be compared in linear time, and does not apply it", () => {
    const { errors, warnings } = validateParameters([text("A", { pattern: "^(?!kube-)" })], {
      A: "kube-system",
    });

    expect(errors).toEqual([]);
    expect(warnings).toEqual([expect.stringContaining("RE2")]);
  });

  it("takes no value from a prototype for a parameter", () => {
    expect(validateParameters([text("constructor")], {}).errors).toHaveLength(1);
  });
});

describe("parseReply, minimal forms", () => {
  const selected = {
    workflow_id: "restart",
    version: "1.0.0",
    confidence: 0.95,
    rationale: "Why.",
  };
  const first = {
    root_cause_analysis: { summary: "It leaks.", severity: "high", contributing_factors: ["load"] },
    selected_workflow: selected,
  };
  const second = {
    analysis_summary: "Summary.",
    root_cause_assessment: "Cause.",
    rca_severity: "critical",
    selected_workflow: { ...selected, estimated_risk: "low" },
    warnings: ["w"],
    alternative_workflows: [{ ...strategy, confidence: 0.65, parameters: undefined }],
  };

  it("WFS-057 normalises root_cause_analysis with selected_workflow", () => {
    expect(parse(first).selection).toMatchObject({
      analysis_summary: "It leaks.",
      root_cause_assessment: "It leaks.",
      rca_severity: "high",
      contributing_factors: ["load"],
      strategies: [{ workflow_id: "restart", confidence: 0.95 }],
    });
  });

  it("WFS-058 puts the selected one first, alternatives after it, open parameters and all", () => {
    const { selection } = parse(second);

    expect(selection?.strategies.map(({ workflow_id }) => workflow_id)).toEqual([
      "restart",
      "oomkill-scale-down",
    ]);
    expect(selection).toMatchObject({ rca_severity: "critical", warnings: ["w"] });
  });

  it("WFS-059 marks what it filled in", () => {
    const { selection } = parse({
      ...first,
      selected_workflow: { workflow_id: "restart", confidence: 1 },
    });

    expect(selection?.strategies[0]).toMatchObject({
      estimated_risk: "high",
      rationale: "It leaks.",
    });
    expect(selection?.warnings).toHaveLength(2);
    expect(Object.values(selection?.context_used ?? {})).toEqual([
      "not assessed",
      "not assessed",
      "not assessed",
    ]);
  });

  it("WFS-060 WFS-038 selects nothing for null or none, and keeps the rationale", () => {
    const { selection } = parse({ ...first, selected_workflow: null, rationale: "Search failed." });

    expect(selection).toMatchObject({ strategies: [], warnings: ["Search failed."] });
    expect(parse(without(first, "selected_workflow")).selection?.strategies).toEqual([]);
  });

  it("refuses a severity of its own", () => {
    expect(pathsOf(parse({ ...second, rca_severity: "severe" }))).toEqual(["rca_severity"]);
  });

  it("has the canonical strategies win where both forms are there", () => {
    expect(parse({ ...reply, selected_workflow: selected }).selection?.strategies).toEqual([
      strategy,
    ]);
  });
});

describe("parseReply, text", () => {
  const json = JSON.stringify(reply, undefined, 2);

  it("WFS-055 reads bare, fenced, after prose, and as an array of one", () => {
    const all = [
      json,
      `\n${json}\n`,
      `Summary {of the system} first.\n\n${json}\nThat is all.`,
      `Summary.\n\`\`\`json\n${json}\n\`\`\`\nAnd {"a": 1}.`,
      `{"a": 1}\n\`\`\`json\n${json}\n\`\`\``,
      `[${json}]`,
    ];

    for (const one of all) expect(parse(one).selection).toEqual(reply);
    expect(parse("Prose alone.").issues).toHaveLength(1);
  });

  it("WFS-056 repairs nothing, and takes no object inside one that never closes", () => {
    for (const one of [
      json.slice(0, -1),
      `${json.slice(0, -1)}// no\n}`,
      "{invalid json",
      "",
      `{"a": ${json}`,
    ]) {
      expect(parse(one).selection).toBeUndefined();
    }
  });

  it("reads 200,000 braces in no time", () => {
    expect(parse("{".repeat(200_000)).issues).toHaveLength(1);
    expect(parse("{}".repeat(100_000)).issues).toBeDefined();
  });
});

describe("invalidReply", () => {
  it("WFS-064 lists all issues with their paths", () => {
    const parsed = parse({
      ...reply,
      analysis_summary: 3,
      warnings: "a",
      strategies: [{ ...plain, workflow_id: "ghost" }],
    });
    const { code, details } = invalidReply("R", parsed.issues ?? []);

    expect(code).toBe("INTERNAL_ERROR");
    expect(details).toMatchObject({
      reason: "invalid-response",
      issues: [
        { path: "analysis_summary" },
        { path: "warnings" },
        { path: "strategies.0.workflow_id" },
      ],
    });
  });

  it("WFS-066 holds the reply, capped and without secrets, and not in its message", () => {
    const short = invalidReply("an answer", []);
    const long = invalidReply(`password: hunter2 ${"x".repeat(10_000)}`, []);

    expect(short.details?.llmResponse).toBe("an answer");
    expect(short.message).not.toContain("an answer");
    expect(String(long.details?.llmResponse)).toHaveLength(4_000);
    expect(String(long.details?.llmResponse)).not.toContain("hunter2");
  });
});
