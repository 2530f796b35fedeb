import type { Severity } from "../reply/selection.js";
import { createEnvironmentReader } from "./environment.js";

/** What was observed of an incident's effect. What is absent is not known and counts for nothing. */
export interface SeverityFacts {
  /** Production and development shift; staging and development cap at medium. Others, and unknown names, do neither. */
  readonly environment?: string | undefined;
  /** Share of users affected, in percent. */
  readonly users_affected_percent?: number | undefined;
  /** In percent. */
  readonly performance_loss_percent?: number | undefined;
  /** In percent. */
  readonly error_rate_percent?: number | undefined;
  /** The service is down for everybody. */
  readonly service_unavailable?: boolean | undefined;
  readonly data_loss?: boolean | undefined;
  readonly data_corruption?: boolean | undefined;
  readonly data_integrity_risk?: boolean | undefined;
  /** A breach that is being exploited. */
  readonly security_breach?: boolean | undefined;
  readonly revenue_loss?: boolean | undefined;
  readonly sla_violated?: boolean | undefined;
  readonly sla_at_risk?: boolean | undefined;
  readonly customer_complaints?: boolean | undefined;
  readonly escalation?: "rapid" | "stable" | "improving" | undefined;
}

/** A severity, and what it rests on. */
export interface AssessedSeverity {
  readonly severity: Severity;
  /** In the order in which they counted. */
  readonly reasons: readonly string[];
}

const environments = createEnvironmentReader();
const levels = ["low", "medium", "high", "critical"] as const;

/**
 * Assesses a severity: the highest level that any fact gives, then one up in production with user impact, one
 * down in development, one up when it escalates rapidly and one down when it improves; never beyond low and
 * critical, and in staging and development at most medium.
 */
export function assessSeverity(facts: SeverityFacts): AssessedSeverity {
  const found = listLevels(facts);
  let level = Math.max(0, ...found.map((one) => one.level));
  const reasons = found.filter((one) => one.level === level).map(({ reason }) => reason);
  if (reasons.length === 0) reasons.push("no user, business or data impact is known");
  const shift = (by: number, reason: string) => {
    level += by;
    reasons.push(reason);
  };

  const environment = environments.read(facts.environment ?? "");
  const hasUsers = (facts.users_affected_percent ?? 0) > 0 || facts.service_unavailable === true;
  if (environment === "production" && hasUsers)
    shift(1, "users in production are affected: one up");
  if (environment === "development") shift(-1, "development: one down");
  if (facts.escalation === "rapid") shift(1, "it escalates rapidly: one up");
  if (facts.escalation === "improving") shift(-1, "it improves: one down");

  level = Math.min(3, Math.max(0, level));
  if ((environment === "staging" || environment === "development") && level > 1) {
    level = 1;
    reasons.push(`${environment}: at most medium`);
  }
  return { severity: levels[level] ?? "low", reasons };
}

function listLevels(
  facts: SeverityFacts,
): readonly { readonly level: number; readonly reason: string }[] {
  const { users_affected_percent: users = 0, performance_loss_percent: loss = 0 } = facts;
  const { error_rate_percent: errors = 0 } = facts;
  const found: readonly (readonly [isSo: boolean | undefined, level: number, reason: string])[] = [
    [facts.service_unavailable, 3, "the service is unavailable"],
    [facts.data_loss, 3, "data is lost"],
    [facts.data_corruption, 3, "data is corrupted"],
    [facts.security_breach, 3, "a breach is exploited"],
    [facts.revenue_loss, 3, "revenue is lost"],
    [facts.sla_violated, 3, "the SLA is violated"],
    [users > 50, 3, `${users} % of users are affected`],
    [users >= 10, 2, `${users} % of users are affected`],
    [users > 0, 1, `${users} % of users are affected`],
    [loss >= 50, 2, `${loss} % of performance is lost`],
    [loss > 0, 1, `${loss} % of performance is lost`],
    [errors > 10, 2, `${errors} % of requests fail`],
    [errors >= 1, 1, `${errors} % of requests fail`],
    [facts.sla_at_risk, 2, "the SLA is at risk"],
    [facts.customer_complaints, 2, "customers complain"],
    [facts.data_integrity_risk, 2, "the integrity of data is at risk"],
  ];
  return found.flatMap(([isSo, level, reason]) => (isSo === true ? [{ level, reason }] : []));
}
