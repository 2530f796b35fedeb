import type { RootCause } from "../model/root-cause.js";
import type { CatalogQuery } from "../search/query.js";

/** What was observed, from whatever source: no causes, no advice. */
export interface Incident {
  /** Name of the signal: `OOMKilled`, `KubePodCrashLooping`. */
  readonly signalType?: string | undefined;
  readonly severity?: string | undefined;
  /** What the signal, or a person, says about it. Untrusted. */
  readonly message?: string | undefined;
  readonly environment?: string | undefined;
  readonly priority?: string | undefined;
  readonly riskTolerance?: string | undefined;
  readonly businessCategory?: string | undefined;
  /** The object that the signal is about. */
  readonly resource?: IncidentResource | undefined;
  /** What the object belongs to, such as the Deployment of a Pod. */
  readonly owner?: IncidentResource | undefined;
  /** What the object is like, such as `helmManaged: true`; undefined: nobody looked. */
  readonly traits?: Readonly<Record<string, string | boolean>> | undefined;
  /** All that was observed, by key: what parameters are filled from and prerequisites checked against. */
  readonly facts: Readonly<Record<string, string | number | boolean>>;
}

/** An object of a cluster. */
export interface IncidentResource {
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly apiVersion?: string | undefined;
}

/**
 * The search for an incident: filtered by the four business labels alone, since the object that alerts and
 * the one to repair may be of different kinds; severity and kind of object only rank.
 */
export function queryOf(incident: Incident): CatalogQuery {
  const { signalType, message, severity, resource, traits } = incident;
  return {
    incident_type: signalType ?? message,
    ...(signalType !== undefined && message !== undefined && { details: message }),
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
