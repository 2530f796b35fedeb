import { z } from "zod";
import type { Incident, IncidentResource } from "./incident.js";
import { readSignal } from "./read-signal.js";
import { observationsIn } from "./untrusted.js";

/** What facts say of an incident. */
export interface ObservedFacts {
  /** The fact about the incident's object, else the first one that names a signal; undefined: none does. */
  readonly fact: Incident | undefined;
  /** Findings about the same object, and those that name no object, one text each. */
  readonly observations: readonly string[];
}

/** Maximum number of facts that are looked at. */
export const maxFacts = 100;

const text = z.string().trim().max(20_000).nullish().catch(undefined);
/** Fields of a fact that say what was observed, in this order. */
const findingSchema = z.object({
  signal_type: text,
  observed_signal: text,
  observation: text,
  finding: text,
  reason: text,
  waiting_reason: text,
  termination_reason: text,
  last_event: text,
  error_message: text,
  message: text,
  summary: text,
  description: text,
});

/** Facts as a list, whether one or several came. A text is a finding without further fields. */
export function factsIn(facts: unknown): readonly unknown[] {
  const list: readonly unknown[] = Array.isArray(facts) ? facts : facts == null ? [] : [facts];
  return list
    .slice(0, maxFacts)
    .map((one) => (typeof one === "string" ? { observation: one } : one));
}

/**
 * Reads what was observed.
 *
 * @param about - The incident as it was reported, whose object the facts may name.
 */
export function readFacts(records: readonly unknown[], about?: Incident): ObservedFacts {
  const read = records.map((record) => ({
    incident: incidentOf(record),
    findings: findingsOf(record),
  }));
  const named = read.flatMap(({ incident }) => (incident?.signalType ? [incident] : []));
  const fact =
    named.find((one) => about !== undefined && isAbout(one, about)) ??
    named[0] ??
    read.find(({ incident }) => incident !== undefined)?.incident;
  const observations = read
    .filter(({ incident }) => incident === fact || !hasObject(incident) || isSame(incident, fact))
    .flatMap(({ findings }) => findings);
  return { fact, observations: [...new Set(observations)] };
}

/** A fact may repeat the signal that led to it: what that says beside it is kept. */
function incidentOf(record: unknown): Incident | undefined {
  const incident = readSignal(record);
  if (incident === undefined) return undefined;
  const { signal } = record as { readonly signal?: unknown }; // an object, as it was read
  return joinIncidents(readSignal(signal), incident);
}

/** What is known of an incident, and what is known better. */
export function joinIncidents(known: Incident | undefined, better: Incident | undefined): Incident {
  const kept = Object.entries(better ?? {}).filter(([, value]) => value !== undefined);
  return { ...known, ...Object.fromEntries(kept), facts: { ...known?.facts, ...better?.facts } };
}

function findingsOf(record: unknown): readonly string[] {
  const { data } = findingSchema.safeParse(record);
  if (data === undefined) return [];
  return Object.values(data)
    .map((value) => observationsIn(value ?? ""))
    .filter((value) => value !== "");
}

function hasObject(incident: Incident | undefined): boolean {
  return incident?.resource?.name !== undefined;
}

function isSame(one: Incident | undefined, other: Incident | undefined): boolean {
  return one !== undefined && other !== undefined && isAbout(one, other);
}

/** Whether two incidents concern one object, or what it belongs to. */
function isAbout(one: Incident, other: Incident): boolean {
  return [one.resource, one.owner].some((mine) =>
    [other.resource, other.owner].some((theirs) => isSameObject(mine, theirs)),
  );
}

function isSameObject(one: IncidentResource | undefined, other: IncidentResource | undefined) {
  if (one?.name === undefined || one.name !== other?.name) return false;
  return isEqualOrUnknown(one.namespace, other.namespace) && isEqualOrUnknown(one.kind, other.kind);
}

function isEqualOrUnknown(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one.toLowerCase() === other.toLowerCase();
}
