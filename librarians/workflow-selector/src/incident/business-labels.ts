import { MeshError } from "@constellation/core";
import type { Incident } from "./incident.js";

/** @throws MeshError `INVALID_QUERY` for a priority or risk tolerance that does not exist. */
export function checkLabels(incident: Incident): void {
  const [wrong] = wrongLabels(incident);
  if (wrong !== undefined)
    throw new MeshError("INVALID_QUERY", `${wrong.label}: expected ${wrong.expected}.`);
}

/** Wrong labels that a librarian reports are not a mistake of the caller: they are left out, with a warning. */
export function withoutWrongLabels(incident: Incident): {
  readonly incident: Incident;
  readonly warnings: readonly string[];
} {
  const wrong = wrongLabels(incident);
  const kept = Object.fromEntries(wrong.map(({ key }) => [key, undefined]));
  return {
    incident: { ...incident, ...kept },
    warnings: wrong.map(
      ({ label, expected }) => `${label} of the facts is not one of ${expected}, and was left out.`,
    ),
  };
}

function wrongLabels({ priority, riskTolerance }: Incident) {
  const rules = [
    {
      key: "priority",
      label: "priority",
      value: priority,
      form: /^P[0-3]$/i,
      expected: "P0, P1, P2 or P3",
    },
    {
      key: "riskTolerance",
      label: "risk_tolerance",
      value: riskTolerance,
      form: /^(?:low|medium|high)$/i,
      expected: "low, medium or high",
    },
  ];
  return rules.filter(({ value, form }) => value !== undefined && !form.test(value));
}
