import type { Context } from "@constellation/core";
import { z } from "zod";
import type { Incident, IncidentResource } from "./incident.js";
import { readSignal } from "./read-signal.js";
import { readResourcePath } from "./resource-path.js";
import { observationsIn } from "./untrusted.js";

/** What facts say of an incident. */
export interface ObservedFacts {
  /** The fact about the incident's object, else the first one that names a signal; undefined: none does. */
  readonly fact: Incident | undefined;
  /** Signal of what it follows from; its own where nothing else is known to cause it. */
  readonly signal: string | undefined;
  /** Findings about the same object, what it follows from, and those that name no object, one text each. */
  readonly observations: readonly string[];
  /** Findings that follow from these. */
  readonly symptoms: readonly string[];
  /** Objects that the facts name, that of `fact` first. */
  readonly objects: readonly IncidentResource[];
  /** Objects whose trouble that of `fact` follows from. */
  readonly causes: readonly IncidentResource[];
  /** All of it is over: what is there now is healthy. */
  readonly isPast: boolean;
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

/** Facts as they came, by who vouches for them. A text is a finding without further fields. */
export interface SortedFacts {
  /** Returned by a librarian of this run with a capability `*.facts`, or handed in by a trusted caller. */
  readonly observed: readonly unknown[];
  /** Those of `observed` that a trusted caller handed in. */
  readonly vouched: ReadonlySet<unknown>;
  /** What anyone else states: it describes what is asked, and decides nothing. */
  readonly claimed: readonly unknown[];
}

/** Sorts facts, one or a list, by what the router recorded of them. Without a router every fact is a claim. */
export function sortFacts(facts: unknown, { observed }: Pick<Context, "observed">): SortedFacts {
  const list: readonly unknown[] = Array.isArray(facts) ? facts : facts == null ? [] : [facts];
  const read = list.slice(0, maxFacts).map((one) => {
    const by = observed?.(typeof one === "object" ? one : list);
    const isObserved = by?.by === "caller" || by?.capabilities.some(isFactsCapability) === true;
    const fact: unknown = typeof one === "string" ? { observation: one } : one;
    return { fact, isObserved, isVouched: by?.by === "caller" };
  });
  return {
    observed: read.filter((one) => one.isObserved).map(({ fact }) => fact),
    vouched: new Set(read.filter((one) => one.isVouched).map(({ fact }) => fact)),
    claimed: read.filter((one) => !one.isObserved).map(({ fact }) => fact),
  };
}

function isFactsCapability(capability: string): boolean {
  return capability.split(".").slice(1).includes("facts");
}

/**
 * Reads what was observed: of the incident's object, of what its trouble follows from, and of what follows from that.
 *
 * @param about - The incident as it was reported, whose object the facts may name.
 */
export function readFacts(records: readonly unknown[], about?: Incident): ObservedFacts {
  const all = records.map((record) => ({
    incident: readIncident(record),
    findings: readFindings(record),
    ...readLinks(record),
  }));
  const current = all.filter(({ isCurrent }) => isCurrent);
  const read = current.length === 0 ? all : current;
  const named = read.filter(({ incident }) => incident?.signalType !== undefined);
  const first =
    named.find(
      ({ incident }) => about !== undefined && incident !== undefined && isAbout(incident, about),
    ) ??
    named[0] ??
    read.find(({ incident }) => incident !== undefined);
  const related = new Set(
    read.filter(
      (one) => one === first || !hasObject(one.incident) || isSame(one.incident, first?.incident),
    ),
  );
  const causes = (one: (typeof read)[number]) =>
    one.cause === undefined
      ? []
      : read.filter(({ incident }) =>
          one.cause?.resource === undefined
            ? incident?.signalType === one.cause?.signal
            : isSameObject(incident?.resource, one.cause.resource),
        );
  for (const one of related) for (const cause of causes(one)) related.add(cause); // those added are visited too
  const kept = read.filter((one) => related.has(one));
  const roots = kept.filter((one) => one.cause === undefined || causes(one).length === 0);
  const symptoms = kept.filter((one) => !roots.includes(one));
  const texts = (of: readonly (typeof read)[number][]) => [
    ...new Set(of.flatMap(({ findings }) => findings)),
  ];
  const observations = texts(roots.length === 0 ? kept : roots);
  return {
    isPast: all.length > 0 && current.length === 0,
    fact: first?.incident,
    signal:
      roots.find(({ incident }) => incident?.signalType !== undefined)?.incident?.signalType ??
      first?.incident?.signalType,
    observations,
    symptoms: texts(symptoms).filter((text) => !observations.includes(text)),
    objects: objectsOf([first, ...kept]),
    causes: first === undefined || roots.includes(first) ? [] : objectsOf(roots),
  };
}

function objectsOf(of: readonly ({ readonly incident: Incident | undefined } | undefined)[]) {
  return of
    .flatMap((one) => [one?.incident?.resource, one?.incident?.owner])
    .flatMap((object) => object ?? []);
}

const linksSchema = z.object({
  is_current: z.boolean().nullish().catch(undefined),
  caused_by: z.object({ signal_type: text, target_resource: text }).nullish().catch(undefined),
});

/** Whether a fact is about what is there now, and the object that it follows from. */
function readLinks(record: unknown) {
  const { data } = linksSchema.safeParse(record);
  return {
    isCurrent: data?.is_current !== false,
    cause:
      data?.caused_by == null
        ? undefined
        : {
            signal: data.caused_by.signal_type ?? undefined,
            resource: readResourcePath(data.caused_by.target_resource),
          },
  };
}

/** A fact may repeat the signal that led to it: what that says beside it is kept. */
function readIncident(record: unknown): Incident | undefined {
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

const evidenceSchema = z.object({
  evidence: z.array(z.object({ source: z.string(), text: z.string() })).catch([]),
  change: z.object({ what: z.string() }).optional().catch(undefined),
});
/** Maximum number of lines of logs of one fact that are read. */
const maxLogLines = 5;

/** What a fact says, which setting is wrong, and what the program said in its log. */
function readFindings(record: unknown): readonly string[] {
  const { data } = findingSchema.safeParse(record);
  if (data === undefined) return [];
  const { evidence = [], change } = evidenceSchema.safeParse(record).data ?? {};
  const logs = evidence.filter(({ source }) => source.includes("/log/")).slice(0, maxLogLines);
  return [...Object.values(data), change?.what, ...logs.map((one) => one.text)]
    .map((value) => observationsIn(value ?? ""))
    .filter((value) => value !== "");
}

/** Whether objects are only in other namespaces than the one that was reported. */
export function areElsewhere(
  objects: readonly IncidentResource[],
  reported: IncidentResource | undefined,
): boolean {
  return (
    reported?.name !== undefined &&
    reported.namespace !== undefined &&
    objects.length > 0 &&
    objects.every(({ namespace }) => !isEqualOrUnknown(namespace, reported.namespace))
  );
}

function hasObject(incident: Incident | undefined): boolean {
  return incident?.resource?.name !== undefined;
}

function isSame(one: Incident | undefined, other: Incident | undefined): boolean {
  return one !== undefined && other !== undefined && isAbout(one, other);
}

/** Whether two incidents concern one object, or what it belongs to. */
export function isAbout(one: Incident, other: Incident): boolean {
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
