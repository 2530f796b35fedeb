import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { entry, vouched } from "../../test/workflows.js";
import { createMemoryCatalog } from "../catalog/memory-catalog.js";
import { createWorkflowSelectorLibrarian } from "../workflow-selector.js";
import {
  type Ask,
  allowsProposal,
  type Evidence,
  evidenceKinds,
  evidenceTable,
  type WorkflowRisk,
} from "./evidence.js";
import { resolveConditions, type Statement } from "./operating-conditions.js";
import { decideApproval } from "./policy.js";

const kinds = Object.keys(evidenceKinds) as readonly Evidence[]; // keys of a closed record
const risks = ["low", "medium", "high", "missing"] as const satisfies readonly WorkflowRisk[];
const places = ["production", "elsewhere"] as const;

/** A row of the README: evidence, environment, then two cells for each risk. */
const rows = kinds.flatMap((evidence) =>
  places.map((place) => ({
    evidence,
    place,
    cells: risks.flatMap((risk) => [...evidenceTable[evidence][place][risk]]),
  })),
);

const flags: Readonly<Record<Ask, { humanReview: boolean; approvalRequired: boolean }>> = {
  nothing: { humanReview: false, approvalRequired: false },
  review: { humanReview: true, approvalRequired: false },
  approval: { humanReview: false, approvalRequired: true },
  both: { humanReview: true, approvalRequired: true },
  "no proposal": { humanReview: true, approvalRequired: true },
};

describe("the table of evidence", () => {
  it("stands in the README, cell by cell", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

    for (const { evidence, place, cells } of rows)
      expect(readme).toContain(`| ${evidence} | ${place} | ${cells.join(" | ")} |`);
    for (const [kind, meaning] of Object.entries(evidenceKinds))
      expect(readme).toContain(`| ${kind} | ${meaning} |`);
  });

  const cases = rows.flatMap(({ evidence, place, cells }) =>
    cells.map((ask, at) => ({
      evidence,
      place,
      risk: risks[Math.floor(at / 2)] ?? "low",
      kind: at % 2 === 0 ? "Deployment" : "StatefulSet",
      ask,
    })),
  );

  it.each(cases)(
    "asks for $ask: $evidence, $place, risk $risk, $kind",
    ({ evidence, place, risk, kind, ask }) => {
      const environment = place === "production" ? "production" : "staging";
      const observed: Statement = { by: "cluster", isObserved: true, environment };
      const target = { kind, name: "api" };

      expect(
        decideApproval({ confidence: 0.95, evidence, target, risk }, resolveConditions([observed])),
      ).toMatchObject(flags[ask]);
    },
  );

  it("asks for no less than the rows of the policy", () => {
    const standing = resolveConditions([]);
    for (const evidence of kinds) {
      const { approvalRequired, humanReview } = decideApproval(
        { confidence: 0.5, evidence, target: null, risk: "low" },
        standing,
      );
      expect([humanReview, approvalRequired]).toEqual([true, true]);
    }
  });
});

const store = createMemoryCatalog([
  entry("raise-memory", {
    description: "Raises the memory limit of OOMKilled containers",
    labels: { environment: "*", risk_tolerance: "low" },
  }),
]);
const { librarian } = createWorkflowSelectorLibrarian({ store });
const alert = {
  signal_type: "OOMKilled",
  namespace: "shop",
  resource_kind: "Deployment",
  resource_name: "checkout",
};

describe("evidence that allows no proposal", () => {
  it("is that of a healthy object, an absent one, a contradiction, and an alert about no object", () => {
    expect(kinds.filter((one) => !allowsProposal(one))).toEqual([
      "contradicted",
      "healthy",
      "absent",
      "no object",
      "ended",
    ]);
  });

  it.each([
    ["healthy", alert, [{ ...alert, signal_type: "Healthy" }], "Nothing wrong was observed"],
    ["no object", { signal_type: "OOMKilled" }, undefined, "The alert is about no object"],
  ])("gives none where it is %s, and says what is needed", async (_, signal, facts, why) => {
    const { answer, error } = await librarian(JSON.stringify(signal), vouched({ facts }));

    expect(error?.code).toBe("NOT_FOUND");
    expect(answer).toContain(why);
    expect(answer).toContain("Needed:");
  });
});
