import type { RootCause } from "../model/root-cause.js";
import type { OperatingConditions } from "../policy/operating-conditions.js";
import type { CatalogQuery } from "../search/query.js";
import type { Incident } from "./incident.js";

/**
 * The search for an incident: filtered by the four business labels alone, since the object that alerts and
 * the one to repair may be of different kinds; severity and kind of object only rank.
 */
export function toCatalogQuery(incident: Incident, standing: OperatingConditions): CatalogQuery {
  const { signalType, message, severity, resource, traits, reported, observations } = incident;
  const details = [
    signalType === undefined ? undefined : message,
    reported,
    ...(incident.symptoms ?? []),
  ].flatMap((one) => one ?? []);
  return {
    incident_type: signalType ?? message,
    ...(details.length > 0 && { details: details.join(" ") }),
    ...(observations !== undefined && { observations }),
    ...givenBy(incident, standing),
    observed: { severity, component: resource?.kind, traits },
  };
}

/**
 * The search after a root cause analysis: what happened, how bad and to what as the analysis says; the business
 * labels as they came, whatever it says.
 */
export function queryAfter(
  rootCause: RootCause,
  incident: Incident,
  standing: OperatingConditions,
): CatalogQuery {
  const { signalType, severity, component } = rootCause;
  return {
    incident_type: `${signalType} ${severity}`,
    ...(incident.observations !== undefined && { observations: incident.observations }),
    ...givenBy(incident, standing),
    observed: { severity, component, traits: incident.traits },
  };
}

function givenBy(
  { priority, businessCategory, facts, added = [] }: Incident,
  { environment, riskTolerance, isProduction, added: addedBy }: OperatingConditions,
): Pick<CatalogQuery, "labels" | "addedLabels" | "facts" | "isProduction"> {
  const labels = [
    ["environment", environment, addedBy.has("environment")],
    ["priority", priority, added.includes("priority")],
    ["risk_tolerance", riskTolerance, addedBy.has("riskTolerance")],
    ["business_category", businessCategory, added.includes("businessCategory")],
  ] as const;
  const select = (isAdded: boolean) =>
    Object.fromEntries(
      labels.flatMap(([key, value, is]) => (is === isAdded ? [[key, value] as const] : [])),
    );
  return {
    labels: select(false),
    addedLabels: select(true),
    isProduction,
    facts: Object.fromEntries(Object.entries(facts).map(([key, value]) => [key, String(value)])),
  };
}
