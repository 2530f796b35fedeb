import type { Risk } from "../reply/selection.js";

/** A risk that a workflow is labelled with; `missing` where it is not. */
export type WorkflowRisk = Risk | "missing";

/** What a proposal rests on, and what it means, as the README shows it. */
export const evidenceKinds = {
  observed: "A librarian of this run, or a trusted caller, observed the trouble of the object",
  reported:
    "Only alert, caller or question say it, or what was observed is other than what they name",
  unread: "What the incident is about could not be read",
  contradicted: "What was observed speaks against what is selected or concluded",
  healthy: "The object was read, and nothing is wrong with it",
  absent: "The object was looked for, and does not exist",
  "no object": "The alert is about no object",
  ended: "The alert is resolved, silenced, or fires always",
} as const;

/** A row of {@link evidenceKinds}. */
export type Evidence = keyof typeof evidenceKinds;

/** What is asked of a person: `both` is to look and to approve. */
export type Ask = "nothing" | "review" | "approval" | "both" | "no proposal";

type Cells = Readonly<Record<WorkflowRisk, readonly [plain: Ask, sensitive: Ask]>>;
type Row = Readonly<Record<"production" | "elsewhere", Cells>>;

const never: Row = {
  production: toCells("no proposal"),
  elsewhere: toCells("no proposal"),
};
const unconfirmed: Row = {
  production: { ...toCells("both"), high: ["no proposal", "no proposal"] },
  elsewhere: {
    low: ["review", "both"],
    medium: ["review", "both"],
    high: ["both", "both"],
    missing: ["both", "both"],
  },
};

/**
 * What is asked by evidence, environment, risk and sensitivity: at least this, and the rows of the policy on top. A target is
 * sensitive where it is a Node or a StatefulSet.
 */
export const evidenceTable: Readonly<Record<Evidence, Row>> = {
  observed: {
    production: { ...toCells("approval"), high: ["no proposal", "no proposal"] },
    elsewhere: {
      low: ["nothing", "approval"],
      medium: ["approval", "approval"],
      high: ["approval", "approval"],
      missing: ["approval", "approval"],
    },
  },
  reported: unconfirmed,
  unread: unconfirmed,
  contradicted: never,
  healthy: never,
  absent: never,
  "no object": never,
  ended: never,
};

/** Where one cell of {@link evidenceTable} is. */
export interface EvidenceCase {
  readonly evidence: Evidence;
  readonly isProduction: boolean;
  readonly risk: WorkflowRisk;
  readonly isSensitive: boolean;
}

/** The cell of {@link evidenceTable} for a workflow and its evidence. */
export function askFor({ evidence, isProduction, risk, isSensitive }: EvidenceCase): Ask {
  const cells = evidenceTable[evidence][isProduction ? "production" : "elsewhere"];
  return cells[risk][isSensitive ? 1 : 0];
}

/** Whether anything may be proposed on this evidence, whatever the workflow. */
export function allowsProposal(evidence: Evidence): boolean {
  return Object.values(evidenceTable[evidence]).some((cells: Cells) =>
    Object.values(cells)
      .flat()
      .some((ask) => ask !== "no proposal"),
  );
}

function toCells(ask: Ask): Cells {
  return { low: [ask, ask], medium: [ask, ask], high: [ask, ask], missing: [ask, ask] };
}
