import { readJsonReply } from "@constellation/authoring";
import type { Context, Source } from "@constellation/core";
import { z } from "zod";
import type { Evidence } from "../policy/evidence.js";
import type { Statement } from "../policy/operating-conditions.js";
import { namesUnreadable, readConcepts, readSpecificConcepts } from "../search/concepts.js";
import { labelKey } from "../search/labels.js";
import { explainSignal } from "../search/signals.js";
import { checkLabels, withoutWrongLabels } from "./business-labels.js";
import type { Incident, IncidentResource } from "./incident.js";
import {
  areElsewhere,
  isAbout,
  joinIncidents,
  type ObservedFacts,
  readFacts,
  type SortedFacts,
  sortFacts,
} from "./observed-facts.js";
import {
  type AlertedObject,
  isNotice,
  type LabelNames,
  readAlertedObjects,
} from "./read-alerts.js";
import { readSignal } from "./read-signal.js";
import { resourcePath } from "./resource-path.js";
import { quoted } from "./untrusted.js";

/** An incident, and how it became known. */
export interface Gathered {
  readonly incident: Incident;
  /**
   * `facts` came observed with the query, `librarian` from an investigation; the other two are what was reported:
   * a signal or facts that are claims, or a sentence.
   */
  readonly from: "facts" | "signal" | "librarian" | "sentence";
  /** What a proposal would rest on. */
  readonly evidence: Evidence;
  /** The payload of an alerting system names what the objects of a cluster show, such as a crash: many causes have that symptom. */
  readonly isSymptom?: boolean | undefined;
  /** An alerting system says it, and not a caller that names the trouble in a signal. */
  readonly isRelayed?: boolean | undefined;
  readonly warnings: readonly string[];
  /** Records as they came: facts, the most important first, then the signal. */
  readonly records: readonly unknown[];
  /** What is stated of the environment, by any source: the policy decides what counts. */
  readonly statements: readonly Statement[];
  /** What was observed contradicts what was reported, or could not be observed: a person must look. */
  readonly doubts?: readonly string[] | undefined;
  /** Who was asked what is wrong, and what came of it, for people. */
  readonly looked?: readonly string[] | undefined;
  /** What the documentation has on it, the best first. */
  readonly documents?: readonly Source[] | undefined;
}

/** Maximum number of characters of a question that are kept as a description of the incident. */
const maxSentence = 8_000;

/** The objects that the payload of an alerting system is about, one each; undefined where it is not one. */
export function gatherAlerts(
  query: string,
  { metadata = {} }: Context,
  names?: LabelNames,
): readonly AlertedObject[] | undefined {
  const json = query.includes("{") ? (listIn(query) ?? readJsonReply(query)) : undefined;
  return readAlertedObjects(json, names) ?? readAlertedObjects(metadata.signal, names);
}

/** A query that is a list in JSON. */
function listIn(query: string): unknown {
  if (!query.trimStart().startsWith("[")) return undefined;
  try {
    return JSON.parse(query) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * What is known without asking another librarian: facts in the context's metadata, and a signal, in JSON in the query or
 * in the metadata. Observed facts decide over the signal, whose business labels are kept. Facts that someone claims are
 * part of what is reported.
 *
 * @param alert - One object of a payload; the query and the metadata are a signal where it is not given.
 * @throws MeshError `INVALID_QUERY` for a priority or risk tolerance that does not exist.
 */
export function gatherGiven(
  query: string,
  context: Context,
  alert?: AlertedObject,
): Gathered | undefined {
  const { metadata = {} } = context;
  const json = alert?.signal ?? (query.includes("{") ? readJsonReply(query) : undefined);
  const reported = readSignal(json) === undefined ? metadata.signal : json;
  const signal = readSignal(reported);
  const facts = sortFacts(metadata.facts, context);
  const statements = [...statedBy(json, context), ...statementsOfFacts(facts)];
  const records = signal === undefined ? [] : [reported];
  const observed = withFacts({ signal, records, statements }, facts.observed);
  if (observed !== undefined) {
    checkLabels(observed.incident);
    return { ...observed, from: "facts" };
  }
  const incident = withClaims(signal, facts.claimed);
  if (incident === undefined) return undefined;
  checkLabels(incident);
  return {
    incident,
    from: "signal",
    evidence:
      alert?.isOver === true || isNotice(incident.signalType)
        ? "ended"
        : hasPlace(incident)
          ? "reported"
          : "no object",
    isSymptom: alert !== undefined && !namesUnreadable(incident.signalType ?? ""),
    isRelayed: alert !== undefined,
    warnings: [],
    records: [...facts.claimed, ...records],
    statements,
  };
}

/** A question in words, as far as it describes an incident. */
export function gatherSentence(query: string, context: Context): Gathered {
  const incident = { message: query.trim().slice(0, maxSentence), facts: {} };
  const statements = statedBy(undefined, context);
  return {
    incident,
    from: "sentence",
    evidence: "reported",
    warnings: [],
    records: [],
    statements,
  };
}

/** Whether an incident names an object or a namespace. */
function hasPlace({ resource, owner }: Incident): boolean {
  return [resource, owner].some((one) => one?.name !== undefined || one?.namespace !== undefined);
}

/** Adds what librarians observed to what was reported. Undefined: they observed nothing. */
export function gatherObserved(reported: Gathered, facts: SortedFacts): Gathered | undefined {
  const isSignal = reported.from === "signal";
  const signal = isSignal ? reported.incident : undefined;
  const statements = [...reported.statements, ...statementsOfFacts(facts)];
  const observed = withFacts({ signal, records: reported.records, statements }, facts.observed);
  if (observed === undefined) return undefined;
  const { incident, warnings } = withoutWrongLabels(observed.incident);
  return {
    ...observed,
    incident,
    from: "librarian",
    warnings: [...observed.warnings, ...warnings],
  };
}

/** Whether facts show the trouble that was reported, of the same object. */
export function confirms({ incident, evidence }: Gathered, facts: readonly unknown[]): boolean {
  if (evidence !== "reported" && evidence !== "unread") return false;
  const { fact, signal, observations, symptoms } = readFacts(facts, incident);
  const isTrouble = signal !== undefined && signal.toLowerCase() !== "healthy";
  return (
    isTrouble &&
    fact !== undefined &&
    isAbout(fact, incident) &&
    describeDisagreement(incident, { observed: signal, observations, symptoms }) === undefined
  );
}

/** What facts state of the environment. What a librarian says beside the labels of the namespace may repeat its caller. */
export function statementsOfFacts({
  observed,
  vouched,
  claimed,
}: SortedFacts): readonly Statement[] {
  return [
    ...observed.flatMap((fact) => [
      ...statementsIn(readRecord(fact).signal, "alert", vouched.has(fact)),
      ...statementsIn({ namespace_labels: readRecord(fact).namespace_labels }, "cluster", true),
      ...statementsIn(
        { ...readRecord(fact), namespace_labels: undefined },
        "cluster",
        vouched.has(fact),
      ),
    ]),
    ...claimed.flatMap((fact) => statementsIn(fact, "caller", false)),
  ];
}

/** What the alert and the caller state. */
function statedBy(json: unknown, { metadata = {}, observed }: Context): readonly Statement[] {
  const { signal, environment, risk_tolerance } = metadata;
  return [
    ...statementsIn(json, "alert", false),
    ...statementsIn(signal, "alert", observed?.(signal)?.by === "caller"),
    ...statementsIn(
      { environment, risk_tolerance },
      "caller",
      observed?.(metadata)?.by === "caller",
    ),
  ];
}

/** Keys of a record whose labels state an environment too. */
const labelGroups = ["custom_labels", "alert_labels", "namespace_labels"] as const;
const statedKeys = new Map([
  ["environment", "environment"],
  ["env", "environment"],
  ["stage", "environment"],
  ["risk_tolerance", "riskTolerance"],
]);

/** Every statement of a record counts, so that none hides a stricter one. */
function statementsIn(
  record: unknown,
  by: Statement["by"],
  isObserved: boolean,
): readonly Statement[] {
  const fields = readRecord(record);
  const groups = [fields, ...labelGroups.map((key) => readRecord(fields[key]))];
  return groups.flatMap(Object.entries).flatMap(([key, value]) => {
    const field = statedKeys.get(labelKey(key));
    if (field === undefined) return [];
    return [value]
      .flat()
      .filter((one) => typeof one === "string" || typeof one === "number")
      .map((one): Statement => ({ by, isObserved, [field]: String(one) }));
  });
}

function readRecord(value: unknown): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).safeParse(value).data ?? {};
}

/** A signal with what claimed facts add to it: their fields, and their findings as its message. */
function withClaims(
  signal: Incident | undefined,
  claimed: readonly unknown[],
): Incident | undefined {
  const { fact, observations } = readFacts(claimed, signal);
  if (fact === undefined && observations.length === 0) return signal;
  const incident = joinIncidents(signal, fact);
  return { ...incident, message: incident.message ?? observations.join(" ").slice(0, maxSentence) };
}

function withFacts(
  {
    signal,
    records,
    statements,
  }: Pick<Gathered, "records" | "statements"> & { readonly signal: Incident | undefined },
  facts: readonly unknown[],
): Omit<Gathered, "from"> | undefined {
  const read = readFacts(facts, signal);
  const { fact, signal: observed, observations, symptoms, objects, causes, isPast } = read;
  if (fact === undefined && observations.length === 0) return undefined;
  if (signal !== undefined && areElsewhere(objects, signal.resource)) {
    const found = quoted(resourcePath(objects[0]));
    const warnings = [
      `Other objects were observed, such as ${found}: not the one that was reported.`,
    ];
    return {
      incident: signal,
      evidence: "absent",
      records: [...facts, ...records],
      statements,
      warnings,
    };
  }
  const isWell = isPast || observed?.toLowerCase() === "healthy";
  const disagreement = isWell
    ? undefined
    : describeDisagreement(signal, { observed, observations, symptoms });
  // A cluster that shows another trouble denies only what its objects can show.
  const isAlertKept =
    (isWell || disagreement !== undefined) && healthyEvidence(signal) === "reported";
  const reported = [signal?.signalType, signal?.message].flatMap((one) => one ?? []);
  const joined = isAlertKept ? joinIncidents(fact, signal) : joinIncidents(signal, fact);
  const incident: Incident = {
    ...joined,
    signalType: (isAlertKept ? signal?.signalType : observed) ?? joined.signalType,
    observations: isWell || isAlertKept ? [] : observations,
    symptoms: isAlertKept ? [] : symptoms,
    objects: [
      ...(isAlertKept ? [] : ofSameKind(causes, [signal?.resource, fact?.resource, fact?.owner])),
      ...[signal?.resource].flatMap((one) => one ?? []),
      ...objects,
    ],
    observedSignal: observed,
    added: addedLabels(signal, fact),
    ...(reported.length > 0 && observed !== undefined && { reported: reported.join(": ") }),
  };
  return {
    incident,
    evidence: isAlertKept ? "reported" : isWell ? "healthy" : "observed",
    records: [...facts, ...records],
    statements,
    warnings: disagreement === undefined ? [] : [`${disagreement}.`],
    ...(disagreement !== undefined && { doubts: [disagreement] }),
  };
}

/** Of the objects that a trouble follows from, those of the kind of its own: what mends it changes them. */
function ofSameKind(
  causes: readonly IncidentResource[],
  own: readonly (IncidentResource | undefined)[],
): readonly IncidentResource[] {
  return causes.filter(({ kind }) => own.some((one) => one?.kind === kind));
}

/** Healthy objects deny what objects can show; a latency or a fill level stays as reported. */
function healthyEvidence(signal: Incident | undefined): Evidence {
  return namesUnreadable(signal?.signalType ?? "") ? "reported" : "healthy";
}

/** Labels that the facts give and the signal does not. */
function addedLabels(signal: Incident | undefined, fact: Incident | undefined) {
  if (signal === undefined) return [];
  return (["priority", "businessCategory"] as const).filter(
    (key) => signal[key] === undefined && fact?.[key] !== undefined,
  );
}

/** What the alert names, other than symptoms that any trouble may show, is nothing that was observed: it may be beside it. */
function describeDisagreement(
  signal: Incident | undefined,
  {
    observed,
    observations,
    symptoms,
  }: Pick<ObservedFacts, "observations" | "symptoms"> & { readonly observed: string | undefined },
): string | undefined {
  const alert = signal?.signalType;
  if (alert === undefined || observed === undefined || observed.toLowerCase() === "healthy")
    return undefined;
  const specific = readSpecificConcepts(alert);
  const meanings = [observed, ...observations].flatMap((text) => {
    const { own, causes } = explainSignal(text, observations);
    return (causes.length > 0 ? causes : own).map(({ means }) => means);
  });
  const seen = readConcepts([observed, ...observations, ...symptoms, ...meanings].join(". "));
  if (specific.size === 0 || [...specific].some((name) => seen.has(name))) return undefined;
  return `the alert says ${quoted(alert, 80)}, and ${quoted(observed, 80)} was observed`;
}
