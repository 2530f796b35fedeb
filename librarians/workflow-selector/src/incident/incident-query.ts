import type { RootCause } from "../model/root-cause.js";
import type { CatalogQuery } from "../search/query.js";
import type { Incident } from "./incident.js";

/**
 * The search for an incident: filtered by the four business labels alone, since the object that alerts and
 * the one to repair may be of different kinds; severity and kind of object only rank.
 */
export function queryOf(incident: Incident): CatalogQuery {
  const { signalType, message, severity, resource, traits, reported, observations } = incident;
  const details = [signalType === undefined ? undefined : message, reported].flatMap(
    (one) => one ?? [],
  );
  return {
    incident_type: signalType ?? message,
    ...(details.length > 0 && { details: details.join(" ") }),
    ...(observations !== undefined && { observations }),
    ...givenBy(incident),
    observed: { severity, component: resource?.kind, traits },
  };
}

/**
 * The search after a root cause analysis: what happened, how bad and to what as the analysis says; the business
 * labels as they came, whatever it says.
 */
export function queryAfter(rootCause: RootCause, incident: Incident): CatalogQuery {
  const { signalType, severity, component } = rootCause;
  return {
    incident_type: `${signalType} ${severity}`,
    ...(incident.observations !== undefined && { observations: incident.observations }),
    ...givenBy(incident),
    observed: { severity, component, traits: incident.traits },
  };
}

function givenBy({
  environment,
  priority,
  riskTolerance,
  businessCategory,
  facts,
}: Incident): Pick<CatalogQuery, "labels" | "facts"> {
  return {
    labels: {
      environment,
      priority,
      risk_tolerance: riskTolerance,
      business_category: businessCategory,
    },
    facts: Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, String(value)])),
  };
}
