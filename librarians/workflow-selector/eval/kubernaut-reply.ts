/** A value that was JSON. */
type Fields = Readonly<Record<string, unknown>>;

/** What a later contract makes of a reply: a flat record, by its names. Undefined: nothing can be made of it. */
export function readKubernautReply(text: string): Fields | undefined {
  const reply = objectIn(text);
  if (reply === undefined) return undefined;
  const analysis = unwrapped(reply.root_cause_analysis) ?? {};
  const selected = unwrapped(reply.selected_workflow) ?? {};
  const from = (key: string, nested: Fields, name = key) => reply[key] ?? nested[name];
  const summary = from("rca_summary", analysis, "summary");
  const workflowId = textOf(from("workflow_id", selected));
  if (textOf(summary) === "" && workflowId === "") return undefined;

  const outcome = textOf(reply.investigation_outcome);
  const isSettled = outcome === "problem_resolved" || outcome === "predictive_no_action";
  const actionable = reply.actionable;
  const isActionable =
    typeof actionable === "boolean"
      ? actionable
      : isSettled
        ? false
        : workflowId !== "" || outcome === "actionable"
          ? true
          : undefined;
  const isReviewed = workflowId === "" && isActionable !== false;
  const confidence = confidenceOf(from("confidence", selected));
  return {
    rca_summary: textOf(summary),
    severity: from("severity", analysis),
    signal_name: from("signal_name", analysis),
    contributing_factors: from("contributing_factors", analysis) ?? [],
    remediation_target: from("remediation_target", analysis),
    investigation_analysis: from("investigation_analysis", analysis),
    workflow_id: workflowId,
    rationale: from("rationale", selected),
    parameters: from("parameters", selected) ?? {},
    execution_bundle: from("execution_bundle", selected),
    alternative_workflows: reply.alternative_workflows ?? [],
    detected_labels: reply.detected_labels,
    investigation_outcome: outcome,
    is_actionable: isActionable,
    // A finding that nothing is to be done is sure of itself.
    confidence: actionable === false ? Math.max(0.8, confidence) : confidence,
    warnings: [
      ...(Array.isArray(reply.warnings) ? reply.warnings : []),
      ...(actionable === false ? ["Alert not actionable"] : []),
    ],
    human_review_needed: isReviewed,
    human_review_reason: isReviewed ? "no_matching_workflows" : "",
  };
}

/** A bare object, a fenced one, sections that hold one each under their names, or the first balanced one. */
function objectIn(text: string): Fields | undefined {
  const fenced = /```(?:json)?\s*([\s\S]*?)```/.exec(text)?.[1];
  return (
    parsed(text) ??
    (fenced === undefined ? undefined : parsed(fenced)) ??
    sectionsIn(text) ??
    balancedIn(text)
  );
}

function sectionsIn(text: string): Fields | undefined {
  const sections = text.split(
    /^#+[ \t]*(root_cause_analysis|selected_workflow|confidence|alternative_workflows)[ \t:]*$/m,
  );
  if (sections.length < 3) return undefined;
  const found: Record<string, unknown> = {};
  for (let at = 1; at + 1 < sections.length; at += 2) {
    const [name = "", body = ""] = [sections[at], sections[at + 1]];
    found[name] = balancedIn(body) ?? body.trim();
  }
  return found;
}

function balancedIn(text: string): Fields | undefined {
  for (let at = text.indexOf("{"); at !== -1; at = text.indexOf("{", at + 1)) {
    for (let end = text.lastIndexOf("}"); end > at; end = text.lastIndexOf("}", end - 1)) {
      const found = parsed(text.slice(at, end + 1));
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** An object, or one written as a text, with a brace too many or without. */
function unwrapped(value: unknown): Fields | undefined {
  return typeof value === "string" ? balancedIn(value) : isFields(value) ? value : undefined;
}

function parsed(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function confidenceOf(value: unknown): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : 0;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
