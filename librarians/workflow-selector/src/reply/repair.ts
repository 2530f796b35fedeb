import { isFields } from "./read-one-reply.js";

/** A reply as an object. */
type Fields = Readonly<Record<string, unknown>>;

/** A reply with the names and types of the contract, and what was changed. */
export interface Repaired {
  readonly reply: Fields;
  /** One sentence for each kind of change, for people. */
  readonly warnings: readonly string[];
}

/** Fields whose own names are a workflow's, and stay as they are. */
const kept = new Set(["parameters", "detected_labels"]);
/** Fields that models also send as JSON in a text. */
const nested = new Set([
  "root_cause_analysis",
  "selected_workflow",
  "alternative_workflows",
  "strategies",
  "context_used",
  "parameters",
]);
/** Names of the contract's forerunner. */
const aliases: Readonly<Record<string, string>> = {
  playbook_id: "workflow_id",
  selected_playbook: "selected_workflow",
  alternative_playbooks: "alternative_workflows",
};
/** Severities of other scales, and our own in other letters. */
const severities: Readonly<Record<string, string>> = {
  critical: "critical",
  high: "high",
  medium: "medium",
  low: "low",
  fatal: "critical",
  emergency: "critical",
  sev1: "critical",
  p0: "critical",
  error: "high",
  major: "high",
  sev2: "high",
  p1: "high",
  warning: "medium",
  warn: "medium",
  moderate: "medium",
  minor: "medium",
  sev3: "medium",
  p2: "medium",
  info: "low",
  informational: "low",
  none: "low",
  sev4: "low",
  p3: "low",
};

/** Fields that say that an object is the reply, and not what holds it. */
const own =
  /^(?:root_?cause|selected_?(?:workflow|playbook)|strategies|workflow_?id|playbook_?id|rca_|analysis_)/i;

/**
 * Repairs what models really send: camelCase names, JSON in a text, an object around the reply, null for what is not given, a
 * workflow or a confidence at the top, numbers in a text, and severities of other scales. What cannot be repaired stays, and is refused by its path later.
 */
export function repairReply(found: Fields): Repaired {
  const warnings = new Set<string>();
  const reply = placed(renamed(unpacked(found, warnings), warnings, 0) as Fields, warnings); // an object stays one
  return { reply, warnings: [...warnings] };
}

/** What the only field of an object holds, where that is the reply. */
function unpacked(found: Fields, warnings: Set<string>): Fields {
  const [[name, value] = [], ...others] = Object.entries(found);
  if (name === undefined || others.length > 0 || own.test(name)) return found;
  const inner = unwrap(value, name, warnings);
  if (!isFields(inner) || !Object.keys(inner).some((key) => own.test(key))) return found;
  warnings.add(`The reply stood in ${JSON.stringify(name.slice(0, 40))}.`);
  return inner;
}

function renamed(value: unknown, warnings: Set<string>, depth: number): unknown {
  if (depth > 4) return value;
  if (Array.isArray(value)) {
    return value.filter((one) => one !== null).map((one) => renamed(one, warnings, depth + 1));
  }
  if (!isFields(value)) return value;
  return Object.fromEntries(
    withoutNulls(value).map(([key, own]) => {
      const spelled = key.replace(/[a-z0-9](?=[A-Z])/g, "$&_").toLowerCase();
      const name = aliases[spelled] ?? spelled;
      if (name !== key) warnings.add("Names of fields were given in another spelling.");
      const unwrapped = nested.has(name) ? unwrap(own, name, warnings) : own;
      const inner =
        kept.has(name) && isFields(unwrapped)
          ? Object.fromEntries(withoutNulls(unwrapped))
          : renamed(unwrapped, warnings, depth + 1);
      return [name, repairedValue(name, inner, warnings)];
    }),
  );
}

/** What is null was not given, but that no workflow is selected says something. */
function withoutNulls(value: Fields) {
  return Object.entries(value).filter(
    ([key, one]) => one !== null || /^selected_?(?:workflow|playbook)$/i.test(key),
  );
}

function unwrap(value: unknown, name: string, warnings: Set<string>): unknown {
  if (typeof value !== "string" || !/^\s*[{[]/.test(value)) return value;
  try {
    const read: unknown = JSON.parse(value);
    warnings.add(`${name} was given as JSON in a text.`);
    return read;
  } catch {
    return value;
  }
}

function repairedValue(name: string, value: unknown, warnings: Set<string>): unknown {
  if (typeof value !== "string") return value;
  const text = value.trim().toLowerCase();
  if (name === "confidence" && /^\d{1,3} ?%$/.test(text)) {
    warnings.add("confidence was given in percent.");
    return Number.parseInt(text, 10) / 100;
  }
  if (name === "confidence" && /^(?:0|1|[01]?\.\d{1,12})$/.test(text)) {
    warnings.add("confidence was given as a text.");
    return Number(text);
  }
  if (name === "severity" || name === "rca_severity") {
    if (["critical", "high", "medium", "low"].includes(value)) return value;
    const known = severities[text.replace(/[\s_-]/g, "")];
    if (known === undefined) return value;
    warnings.add(
      `The severity ${JSON.stringify(text)} is of another scale, and was read as ${known}.`,
    );
    return known;
  }
  return value;
}

/** A workflow, a summary and a confidence that are at the top, in their places. */
function placed(reply: Fields, warnings: Set<string>): Fields {
  const { workflow_id, version, confidence, parameters, rationale, rca_summary, ...rest } = reply;
  const { selected_workflow: inner, ...analysed } = isFields(rest.root_cause_analysis)
    ? rest.root_cause_analysis
    : {};
  const analysis = isFields(rest.root_cause_analysis) ? analysed : rest.root_cause_analysis;
  if (inner !== undefined) warnings.add("The selected workflow stood in the root cause analysis.");
  const given = rest.selected_workflow ?? inner;
  const single: unknown = Array.isArray(given) && given.length === 1 ? given[0] : given;
  const selected = typeof single === "string" ? { workflow_id: single } : single;
  const hasTop = typeof workflow_id === "string" && !Object.hasOwn(rest, "strategies");
  if (hasTop && selected == null) warnings.add("The selected workflow stood at the top.");
  const own =
    hasTop && selected == null ? { workflow_id, version, parameters, rationale } : selected;
  const isMissing = isFields(own) && own.confidence === undefined && confidence !== undefined;
  if (isMissing) warnings.add("The confidence stood at the top.");
  const summary = typeof rca_summary === "string" ? rca_summary : undefined;
  return {
    ...rest,
    ...(analysis !== undefined && { root_cause_analysis: analysis }),
    ...(rationale !== undefined && { rationale }),
    ...(own !== undefined && {
      selected_workflow: isMissing ? { ...own, confidence } : own,
    }),
    // What stands at the top wins over what it holds.
    ...(summary !== undefined &&
      (analysis == null || isFields(analysis)) && {
        root_cause_analysis: {
          severity: rest.severity,
          contributing_factors: rest.contributing_factors,
          ...(isFields(analysis) && analysis),
          summary,
        },
      }),
  };
}
