import { readFileSync } from "node:fs";
import type { ServiceHost } from "@constellation/core";
import { describe, expect, it } from "vitest";
import { catalogOf, entry, vouched } from "../../test/workflows.js";
import { createMemoryCatalog } from "../catalog/memory-catalog.js";
import { getWorkflow, searchWorkflowCatalog } from "../search/search-workflow-catalog.js";
import { createWorkflowSelectorLibrarian } from "../workflow-selector.js";
import {
  createEnvironmentReader,
  type EnvironmentNames,
  environmentNames,
  environments,
} from "./environment.js";
import { productionRows, resolveConditions, type Statement } from "./operating-conditions.js";
import {
  type ApprovalFacts,
  approvalRows,
  decideApproval,
  hiddenRows,
  toApproval,
} from "./policy.js";

const target = { kind: "Deployment", name: "api" };
const sure: ApprovalFacts = { environment: "staging", confidence: 0.95, target, risk: "low" };
const observed = (environment?: string, riskTolerance?: string): Statement => ({
  by: "cluster",
  isObserved: true,
  environment,
  riskTolerance,
});
const claimed = (environment?: string, riskTolerance?: string): Statement => ({
  by: "alert",
  isObserved: false,
  environment,
  riskTolerance,
});

describe("a name of an environment", () => {
  const { read } = createEnvironmentReader();

  it.each(environments)("is known for %s in every spelling", (environment) => {
    const names = environmentNames[environment].flatMap((name) => [
      name,
      name.toUpperCase(),
      ` ${name} `,
      `${name}-eu`,
      `eu_${name}`,
      `${name}2`,
      `acme/${name}.01`,
    ]);

    expect(names.filter((name) => read(name) !== environment)).toEqual([]);
  });

  it.each([
    ["pre-prod", "staging"],
    ["eu-pre-production", "staging"],
    ["non-prod", "staging"],
    ["production-test", "production"],
    ["eu-live-west", "production"],
    ["ｐｒｏｄ", "production"],
    ["test-lab", "test"],
    ["dev-test", "test"],
    ["acme-test-lab", undefined], // another environment's name counts at the edges alone
    ["prodigy", undefined],
    ["contest", undefined],
    ["рrod", undefined], // with a Cyrillic letter
    ["", undefined],
    ["-", undefined],
    [`${"x-".repeat(200)}staging`, undefined],
  ])("%s is %s", (name, environment) => {
    expect(read(name)).toBe(environment);
  });

  it.each([
    [
      { production: ["blue"], staging: ["live"] },
      /environments\.staging\.0: expected a name of staging/,
    ],
    [{ test: ["-"] }, /environments\.test\.0: expected a name/],
    [{ test: ["a".repeat(64)] }, /at most 63 characters/],
    [{ prod: ["blue"] }, /prod/],
  ])("cannot be added by %j", (given, message) => {
    const store = createMemoryCatalog([]);
    const options = { store, environments: given as EnvironmentNames }; // wrong on purpose

    expect(() => createWorkflowSelectorLibrarian(options)).toThrow(message);
  });

  it("that an option adds is one for the librarian and for what it serves", async () => {
    const store = createMemoryCatalog([entry("w", { labels: { environment: "staging" } })]);
    const { librarian, services } = createWorkflowSelectorLibrarian({
      store,
      environments: { staging: ["blue"], production: ["gold"] },
    });
    const countsAs = async (environment: string) => {
      const { metadata } = await librarian(
        '{ "signal_type": "OOMKilled" }',
        vouched({ environment, facts: ["OOMKilled"] }),
      );
      return metadata?.policy;
    };
    const serve = services?.routes?.["/workflows"]?.({} as ServiceHost); // it asks nothing of its host
    const found = async (environment: string) => {
      const url = `http://x/workflows/search?environment=${environment}`;
      return (await serve?.(new Request(url), {}))?.json();
    };

    expect([await countsAs("emea-blue"), await countsAs("gold-2")]).toMatchObject([
      { countsAs: "not production" },
      { countsAs: "production" },
    ]);
    expect([await found("blue"), await found("gold")]).toMatchObject([
      { total_results: 1 },
      { total_results: 0 },
    ]);
  });

  it("can be added, and never takes a stricter environment's", () => {
    const more = createEnvironmentReader({
      production: ["blue green"],
      development: ["sandbox", "live"],
    });

    expect(more.read("emea-blue-green-1")).toBe("production");
    expect(more.read("sandbox")).toBe("development");
    expect(more.read("live")).toBe("production");
  });
});

describe("an environment counts as production", () => {
  it.each<[Statement[], boolean, string | undefined]>([
    [[], true, "its environment is not stated and counts as production"],
    [[observed("")], true, "its environment is not stated and counts as production"],
    [[claimed("prod")], true, undefined],
    [[observed("production")], true, undefined],
    [[claimed("staging"), observed("production-eu")], true, undefined],
    [[claimed("production"), observed("staging")], true, undefined],
    [
      [observed("blue")],
      true,
      "its environment `blue` is not a known name and counts as production",
    ],
    [
      [claimed("blue"), observed("dev")],
      true,
      "its environment `blue` is not a known name and counts as production",
    ],
    [
      [claimed("staging")],
      true,
      "its environment `staging` was not observed and counts as production",
    ],
    [[observed("staging")], false, undefined],
    [[claimed("staging"), observed("stg-2")], false, undefined],
    [[claimed("staging"), observed("development")], false, undefined],
  ])("%j: %s", (statements, isProduction, reason) => {
    const standing = resolveConditions(statements);

    expect(standing.isProduction).toBe(isProduction);
    expect(standing.reason).toBe(reason);
  });

  it("by the stricter of every two statements, in any order", () => {
    const names = ["production", "blue", "staging", "test", "development"];
    for (const [at, strict] of names.entries()) {
      for (const [other, mild] of names.entries()) {
        for (const statements of [
          [claimed(strict), observed(mild)],
          [claimed(mild), observed(strict)],
        ]) {
          const standing = resolveConditions(statements);
          expect(standing.environment).toBe(names[Math.min(at, other)]);
          expect(standing.conflicts).toHaveLength(at === other ? 0 : 1);
        }
      }
    }
  });

  it("and a claim never makes a gate looser", () => {
    const names = [undefined, "production", "blue", "staging", "development"];
    for (const fact of names) {
      const alone = resolveConditions([observed(fact)]);
      for (const claim of names) {
        const both = resolveConditions([claimed(claim), observed(fact)]);
        expect(Number(both.isProduction)).toBeGreaterThanOrEqual(Number(alone.isProduction));
      }
    }
  });

  it("with the lowest risk tolerance that is stated", () => {
    const { riskTolerance, conflicts } = resolveConditions([
      claimed("prod", "high"),
      observed("prod", "Low"),
    ]);

    expect(riskTolerance).toBe("low");
    expect(conflicts).toEqual([
      "the cluster gives `Low` as the risk tolerance and the alert `high`, of which the stricter counts",
    ]);
    expect(resolveConditions([observed("prod", "nonsense")]).riskTolerance).toBeUndefined();
  });
});

describe("what is asked of a person", () => {
  const asked = (more: Partial<ApprovalFacts>) => toApproval({ ...sure, ...more });

  it("is nothing for a sure, low-risk change outside of production", () => {
    expect(asked({})).toEqual({ humanReview: false, approvalRequired: false, reasons: [] });
  });

  it.each([0.69, Number.NaN])("is to look at a confidence of %s", (confidence) => {
    expect(asked({ confidence })).toMatchObject({
      humanReview: true,
      reasons: ["its confidence is below 0.7"],
    });
    expect(asked({ confidence: 0.7 }).humanReview).toBe(false);
  });

  it("is to look where statements differ, with the reason", () => {
    const standing = resolveConditions([claimed("staging"), observed("production")]);

    expect(decideApproval(sure, standing)).toEqual({
      humanReview: true,
      approvalRequired: false,
      reasons: [
        "the cluster gives `production` as the environment and the alert `staging`, of which the stricter counts",
      ],
    });
  });

  it("is to look at a doubt", () => {
    expect(asked({ doubts: ["it is odd"] })).toMatchObject({
      humanReview: true,
      reasons: ["it is odd"],
    });
  });

  it.each<[string, Partial<ApprovalFacts>]>([
    ["the target is not known", { target: null }],
    ["the target is not known", { target: { kind: "Pod", name: "" } }],
    ["it provisions a node", { actionType: "provisionnode" }],
    ["it changes a Node", { target: { kind: "v1/Node", name: "n" } }],
    ["it changes a StatefulSet", { target: { kind: "StatefulSet", name: "db" } }],
    ["its risk is medium", { risk: "medium" }],
  ])("is to approve everywhere because %s", (reason, more) => {
    expect(asked(more)).toEqual({ humanReview: false, approvalRequired: true, reasons: [reason] });
  });

  it.each<[string, Partial<ApprovalFacts>]>([
    ["its confidence for production is below 0.8", { confidence: 0.79 }],
  ])("is to approve in production alone because %s", (reason, more) => {
    for (const environment of [
      "production",
      "prod",
      "Prd",
      "live",
      " production ",
      "production-eu",
    ]) {
      expect(asked({ ...more, environment })).toEqual({
        humanReview: false,
        approvalRequired: true,
        reasons: [reason],
      });
    }
    expect(asked({ ...more, environment: undefined }).reasons).toEqual([
      reason,
      "its environment is not stated and counts as production",
    ]);
    expect(asked({ ...more, environment: "staging" }).approvalRequired).toBe(false);
  });

  it("is to approve a medium risk, tolerated or not", () => {
    const decide = (...statements: readonly Statement[]) =>
      decideApproval({ ...sure, risk: "medium" }, resolveConditions(statements)).approvalRequired;

    expect(decide(claimed(undefined, "medium"), observed("production"))).toBe(true);
    expect(decide(observed("production", "medium"))).toBe(true);
    expect(decide(observed("staging"))).toBe(true);
  });

  it("follows the limits given", () => {
    const given = { ...sure, environment: "production", confidence: 0.6 };

    expect(toApproval(given, { approvalBelow: 0.5, humanReviewBelow: 0.6 })).toEqual({
      humanReview: false,
      approvalRequired: false,
      reasons: [],
    });
  });
});

describe("risks of the catalog", () => {
  const labelled = (risk_tolerance: unknown) =>
    entry("w", {
      labels: { environment: "*", ...(risk_tolerance !== undefined && { risk_tolerance }) },
    });
  const found = async (risk: unknown, labels: Readonly<Record<string, string>>) => {
    const catalog = await catalogOf(labelled(risk));
    expect(getWorkflow(catalog, { workflow_id: "w" }, { labels }) !== undefined).toBe(
      searchWorkflowCatalog(catalog, { labels }).total_results === 1,
    );
    return searchWorkflowCatalog(catalog, { labels }).total_results === 1;
  };
  const production = [
    "production",
    "prod",
    "Prd",
    "live",
    " production",
    "production-eu",
    "blue",
    "",
  ];

  it.each(production)("hide high and medium ones in %j", async (environment) => {
    for (const risk of ["high", " HIGH ", ["low", "high"], "*"]) {
      expect(await found(risk, { environment })).toBe(false);
      expect(await found(risk, { environment, risk_tolerance: "high" })).toBe(false);
    }
    expect(await found("medium", { environment })).toBe(false);
    expect(await found("medium", { environment, risk_tolerance: "medium" })).toBe(true);
    expect(await found("low", { environment })).toBe(true);
    expect(await found(undefined, { environment })).toBe(true);
  });

  it("hide nothing elsewhere", async () => {
    for (const risk of ["high", "medium", "low", "*", undefined])
      expect(await found(risk, { environment: "stg" })).toBe(true);
  });

  it("are found under every name of an environment, and not under another's", async () => {
    const catalog = await catalogOf(
      ...["prod", "production-us", "non-prod", "staging", "*"].map((environment) =>
        entry(environment, { labels: { environment } }),
      ),
    );
    const ids = (environment: string) =>
      searchWorkflowCatalog(catalog, { labels: { environment } }).workflows.map(
        ({ workflow_id }) => workflow_id,
      );

    expect(ids("production").sort()).toEqual(["*", "prod"]);
    expect(ids("production-us").sort()).toEqual(["*", "prod", "production-us"]);
    expect(ids("stage").sort()).toEqual(["*", "non-prod", "staging"]);
  });
});

describe("the tables of the README", () => {
  const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

  it("name each environment with its names", () => {
    for (const one of environments) {
      const names = environmentNames[one].map((name) => `\`${name}\``).join(", ");
      expect(readme).toContain(`| ${one} | ${names} |`);
    }
  });

  it("have each row of the policy, in its order", () => {
    const asked = {
      review: "A person looks first",
      approval: "It needs approval",
      table: "As the table says",
    };
    const table = (rows: readonly string[]) => `${rows.join("\n")}\n\n`;

    expect(readme).toContain(table(productionRows.map(({ when }) => `| ${when} |`)));
    expect(readme).toContain(table(hiddenRows.map(({ when }) => `| ${when} |`)));
    expect(readme).toContain(
      table(
        approvalRows.map(
          ({ when, inProduction = false, effect }) =>
            `| ${when} | ${inProduction ? "production" : "any"} | ${asked[effect]} |`,
        ),
      ),
    );
  });
});
