import { describe, expect, it } from "vitest";
import { assessSeverity, type SeverityFacts } from "./assess-severity.js";

const severityOf = (facts: SeverityFacts) => assessSeverity(facts).severity;

describe("assessSeverity", () => {
  it.each<keyof SeverityFacts>([
    "service_unavailable",
    "data_loss",
    "data_corruption",
    "security_breach",
    "sla_violated",
    "revenue_loss",
  ])("WFS-027 WFS-034 is critical in production for %s alone", (fact) => {
    expect(severityOf({ environment: "production", [fact]: true })).toBe("critical");
  });

  it("WFS-028 is high for great losses, and at the edges", () => {
    const all: readonly SeverityFacts[] = [
      { performance_loss_percent: 50 },
      { performance_loss_percent: 60 },
      { error_rate_percent: 11 },
      { users_affected_percent: 10 },
      { users_affected_percent: 50 },
      { sla_at_risk: true },
    ];

    expect(all.map(severityOf)).toEqual(all.map(() => "high"));
  });

  it("WFS-029 is medium for small losses, and low below them", () => {
    const all: readonly SeverityFacts[] = [
      { performance_loss_percent: 49 },
      { error_rate_percent: 1 },
      { error_rate_percent: 10 },
      { users_affected_percent: 9 },
    ];

    expect(all.map(severityOf)).toEqual(all.map(() => "medium"));
    expect(severityOf({ error_rate_percent: 0.5 })).toBe("low");
  });

  it("WFS-030 is low, and says why, when nothing is affected", () => {
    expect(assessSeverity({ environment: "production" })).toEqual({
      severity: "low",
      reasons: ["no user, business or data impact is known"],
    });
  });

  it("WFS-031 is at most medium in staging and development, and not capped elsewhere", () => {
    const down = { service_unavailable: true, users_affected_percent: 100 };

    expect(severityOf({ ...down, environment: "staging" })).toBe("medium");
    expect(severityOf({ ...down, environment: "development" })).toBe("medium");
    expect(severityOf({ ...down, environment: "qa" })).toBe("critical");
  });

  it("reads other names of an environment", () => {
    expect(severityOf({ environment: "prod-eu", users_affected_percent: 9 })).toBe("high");
    expect(severityOf({ environment: "Stg", service_unavailable: true })).toBe("medium");
  });

  it("WFS-032 follows the share of users", () => {
    const of = (users_affected_percent: number) => severityOf({ users_affected_percent });

    expect([100, 51, 50, 10, 9, 0].map(of)).toEqual([
      "critical",
      "critical",
      "high",
      "high",
      "medium",
      "low",
    ]);
  });

  it("WFS-033 is one up in production with users, the same in staging, one down in development", () => {
    const of = (environment: string, users_affected_percent: number) =>
      severityOf({ environment, users_affected_percent });

    expect([of("production", 9), of("staging", 9), of("development", 9)]).toEqual([
      "high",
      "medium",
      "low",
    ]);
    expect(of("development", 0)).toBe("low");
  });

  it("WFS-034 is high for complaints and an SLA at risk in production", () => {
    expect(severityOf({ environment: "production", customer_complaints: true })).toBe("high");
    expect(severityOf({ environment: "production", sla_at_risk: true })).toBe("high");
  });

  it("WFS-035 moves by one with the escalation, never beyond critical and low", () => {
    expect(severityOf({ users_affected_percent: 9, escalation: "rapid" })).toBe("high");
    expect(severityOf({ data_loss: true, escalation: "rapid" })).toBe("critical");
    expect(severityOf({ escalation: "improving" })).toBe("low");
    expect(severityOf({ users_affected_percent: 9, escalation: "stable" })).toBe("medium");
  });

  it("WFS-036 takes the highest of the factors", () => {
    expect(severityOf({ users_affected_percent: 0, data_loss: true })).toBe("critical");
    expect(severityOf({ users_affected_percent: 0, data_integrity_risk: true })).toBe("high");
    expect(severityOf({ users_affected_percent: 0 })).toBe("low");
  });
});
