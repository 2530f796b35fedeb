import type { GroundedText } from "@constellation/nlu";
import { z } from "zod";
import type { IncidentResource } from "../incident/incident.js";
import { readResourcePath } from "../incident/resource-path.js";
import { readOneReply } from "../reply/read-one-reply.js";
import { repairReply } from "../reply/repair.js";
import type { ReplyIssue, Severity } from "../reply/selection.js";

/** What a model found before it saw any workflow. */
export interface RootCause {
  readonly summary: string;
  readonly severity: Severity;
  readonly contributingFactors: readonly string[];
  /** What describes the effect; the signal's where the findings confirm it. */
  readonly signalType: string;
  /** The object to repair. */
  readonly target?: IncidentResource | undefined;
  /** Kind of it, in lower case. */
  readonly component?: string | undefined;
  /** What the root cause rests on, each with ids of the results that show it. */
  readonly claims: readonly Claim[];
  /** Sentences of the model that do not follow from what it read. */
  readonly ungrounded: GroundedText["ungrounded"];
}

/** A statement of a model, and the results of tools that it cites. */
export interface Claim {
  readonly text: string;
  readonly results: readonly string[];
}

const boundedText = (what: string, maxLength: number) =>
  z
    .string(`expected ${what}`)
    .max(maxLength, `expected at most ${maxLength} characters`)
    .refine((text) => text.trim() !== "", `expected ${what}`);

const analysisSchema = z.object({
  root_cause_analysis: z.object(
    {
      summary: boundedText("the root cause", 8_000),
      severity: z.enum(
        ["critical", "high", "medium", "low"],
        "expected critical, high, medium or low",
      ),
      contributing_factors: z
        .array(z.string("expected text"), "expected a list of texts")
        .nullish(),
    },
    "expected summary, severity and contributing_factors",
  ),
  signal_type: boundedText("a signal type", 200),
  target_resource: z
    .string("expected kind/name, namespace/kind/name or namespace/group/kind/name")
    .max(1_000, "expected at most 1000 characters")
    .refine(
      (path) => path.trim() === "" || readResourcePath(path) !== undefined,
      "expected kind/name, namespace/kind/name or namespace/group/kind/name",
    )
    .nullish(),
  component: z.string("expected a kind").max(255, "expected at most 255 characters").nullish(),
  claims: z
    .array(
      z.object({
        text: boundedText("a claim", 2_000),
        results: z.array(z.string("expected the id of a result").max(20), "expected ids").max(20),
      }),
      "expected a list of claims",
    )
    .max(20, "expected at most 20 claims")
    .nullish(),
});

/** Reads the reply of the analysis: bare, fenced or among prose. */
export function readRootCause(
  reply: string,
): { readonly value: RootCause } | { readonly issues: readonly ReplyIssue[] } {
  const found = readOneReply(reply);
  if (found === undefined) return { issues: [{ path: "", message: "expected a JSON object" }] };
  const read = analysisSchema.safeParse(inOnePlace(repairReply(found).reply));
  if (!read.success) {
    return {
      issues: read.error.issues.map(({ path, message }) => ({ path: path.join("."), message })),
    };
  }
  const {
    root_cause_analysis: analysis,
    signal_type,
    target_resource,
    component,
    claims,
  } = read.data;
  const target = readResourcePath(target_resource);
  return {
    value: {
      summary: analysis.summary.trim(),
      severity: analysis.severity,
      contributingFactors: analysis.contributing_factors ?? [],
      signalType: signal_type.trim(),
      target,
      component: (component?.trim() || target?.kind)?.toLowerCase(),
      claims: claims ?? [],
      ungrounded: [],
    },
  };
}

/** The last three may be beside the analysis, or in it. */
function inOnePlace(reply: Readonly<Record<string, unknown>>): unknown {
  const { root_cause_analysis: analysis } = reply;
  if (typeof analysis !== "object" || analysis === null) return reply;
  return { ...analysis, ...reply };
}
