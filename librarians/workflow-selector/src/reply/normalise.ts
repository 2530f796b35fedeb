/** A reply as an object, before it is checked. */
type Raw = Readonly<Record<string, unknown>>;

/** A reply in canonical form, not yet checked. */
export interface Normalised {
  readonly reply: Raw;
  /** Whether it came in one of the two forms with `selected_workflow`. */
  readonly isMinimal: boolean;
  /** What was filled in, for the reader. */
  readonly warnings: readonly string[];
}

const notAssessed = "not assessed";

/**
 * Brings a reply into canonical form. With `strategies` it is canonical already; with `selected_workflow` or
 * `root_cause_analysis` it is one of the two minimal forms, and what these lack is filled in and marked.
 */
export function normalise(reply: Raw): Normalised {
  const isMinimal =
    !Object.hasOwn(reply, "strategies") &&
    (Object.hasOwn(reply, "selected_workflow") || Object.hasOwn(reply, "root_cause_analysis"));
  if (!isMinimal) return { reply, isMinimal, warnings: [] };

  const analysis = toRecord(reply.root_cause_analysis) ?? {};
  const summary = reply.analysis_summary ?? analysis.summary;
  const warnings: string[] = [];
  const selected = reply.selected_workflow ?? undefined;
  const alternatives = reply.alternative_workflows ?? [];
  const others: readonly unknown[] = Array.isArray(alternatives) ? alternatives : [alternatives];
  const chosen = selected === undefined ? [] : [selected, ...others];
  const used = toRecord(reply.context_used) ?? {};
  const { rationale } = reply;
  return {
    isMinimal,
    warnings: [
      ...warnings,
      ...chosen.flatMap((one) => describeMissing(one)),
      ...(selected === undefined && typeof rationale === "string" && rationale.trim() !== ""
        ? [rationale]
        : []),
    ],
    reply: {
      analysis_summary: summary,
      root_cause_assessment: reply.root_cause_assessment ?? analysis.summary ?? summary,
      rca_severity: reply.rca_severity ?? analysis.severity,
      contributing_factors: reply.contributing_factors ?? analysis.contributing_factors,
      strategies: chosen.map((one) => fill(one, summary)),
      warnings: reply.warnings,
      context_used: {
        cluster_state: used.cluster_state ?? notAssessed,
        resource_availability: used.resource_availability ?? notAssessed,
        blast_radius: used.blast_radius ?? notAssessed,
      },
    },
  };
}

function fill(strategy: unknown, summary: unknown): unknown {
  const raw = toRecord(strategy);
  if (raw === undefined) return strategy;
  return {
    ...raw,
    rationale: raw.rationale ?? summary,
    estimated_risk: raw.estimated_risk ?? "high",
  };
}

function describeMissing(strategy: unknown): readonly string[] {
  const { workflow_id, rationale, estimated_risk } = toRecord(strategy) ?? {};
  const id = typeof workflow_id === "string" ? workflow_id.slice(0, 255) : "a strategy";
  return [
    ...(estimated_risk == null
      ? [`${id}: no estimated_risk was given, so it counts as high.`]
      : []),
    ...(rationale == null ? [`${id}: no rationale was given; the summary is used for it.`] : []),
  ];
}

function toRecord(value: unknown): Raw | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return value as Raw; // an object, as checked
}
