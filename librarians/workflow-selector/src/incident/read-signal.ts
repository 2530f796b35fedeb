import { z } from "zod";
import { labelKey } from "../search/labels.js";
import type { Incident, IncidentResource } from "./incident.js";
import { readResourcePath } from "./resource-path.js";
import { observationsIn } from "./untrusted.js";

const text = z.string().trim().max(20_000).nullish().catch(undefined);
const scalar = z.union([z.string().max(2_000), z.number(), z.boolean()]);
const scalars = z.record(z.string(), z.unknown()).nullish().catch(undefined);

const signalSchema = z.object({
  signal_type: text,
  signal_name: text,
  incident_type: text,
  alertname: text,
  severity: text,
  error_message: text,
  summary: text,
  description: text,
  environment: text,
  priority: text,
  risk_tolerance: text,
  business_category: text,
  custom_labels: scalars,
  alert_labels: scalars,
  detected_labels: scalars,
  namespace_labels: scalars,
  namespace: text,
  resource_kind: text,
  resource_name: text,
  api_version: text,
  target_resource: text,
  owner: text,
  component: text,
  named_objects: z.array(z.string()).nullish().catch(undefined),
  resource: z
    .object({ kind: text, name: text, namespace: text, api_version: text, apiVersion: text })
    .nullish()
    .catch(undefined),
});

/**
 * Reads a signal, or one fact, as data. Keys that it does not know become facts.
 *
 * @returns Undefined for what is not an object, or describes no incident.
 */
export function readSignal(value: unknown): Incident | undefined {
  const read = signalSchema.safeParse(value);
  if (!read.success) return undefined;
  const { data } = read;
  const place = toBusinessLabels(keepLabels(data.namespace_labels));
  const custom = { ...place, ...toBusinessLabels(keepLabels(data.custom_labels)) };
  const message = [data.error_message, data.summary, data.description]
    .flatMap((part) => (part ? [observationsIn(withoutTemplates(part))] : []))
    .join(" ");
  const alert = keepLabels(data.alert_labels);
  const signalType =
    data.signal_type ||
    data.signal_name ||
    data.incident_type ||
    data.alertname ||
    toText(alert.alertname);
  if (!signalType && message === "") return undefined;
  const resource = readResource(data);
  return {
    signalType: signalType || undefined,
    severity: data.severity || toText(alert.severity),
    message: message || undefined,
    environment: data.environment || toText(custom.environment),
    priority: data.priority || toText(custom.priority),
    riskTolerance: data.risk_tolerance || toText(custom.risk_tolerance),
    businessCategory: data.business_category || toText(custom.business_category),
    resource,
    owner: readResourcePath(data.owner),
    named: data.named_objects?.flatMap((path) => readResourcePath(path) ?? []),
    traits: toTraits(keepLabels(data.detected_labels)),
    facts: {
      ...alert,
      ...keepScalars(withoutLists(value as Readonly<Record<string, unknown>>)),
      ...toFacts(resource),
    }, // the schema proved an object
  };
}

function keepScalars(record: Readonly<Record<string, unknown>> | null | undefined) {
  const kept = Object.entries(record ?? {}).flatMap(([key, one]) => {
    const read = scalar.safeParse(one);
    return read.success && !Number.isNaN(read.data) ? [[key, read.data] as const] : [];
  });
  return Object.fromEntries<string | number | boolean>(kept);
}

/** A list of one is that one. */
function withoutLists(record: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [
      key,
      Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value,
    ]),
  );
}

/** Labels by key; of several values the first counts. */
function keepLabels(record: Readonly<Record<string, unknown>> | null | undefined) {
  const first = Object.entries(record ?? {}).map(([key, value]): readonly [string, unknown] => [
    key,
    Array.isArray(value) ? value[0] : value,
  ]);
  return keepScalars(Object.fromEntries(first));
}

/** Undefined for none: whether the object has any is then not known. */
function toTraits(record: Readonly<Record<string, string | number | boolean>>) {
  const traits = Object.entries(record).map(
    ([key, one]) => [key, typeof one === "number" ? String(one) : one] as const,
  );
  return traits.length === 0 ? undefined : Object.fromEntries<string | boolean>(traits);
}

/** Labels by their keys without a prefix: `kubernaut.ai/environment` is `environment`. */
function toBusinessLabels(record: Readonly<Record<string, string | number | boolean>>) {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [labelKey(key), value]));
}

function toText(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** Alert rules as written, before their values were filled in. */
function withoutTemplates(part: string): string {
  return part
    .replace(/\{\{[^{}]{0,200}\}\}/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function readResource(data: z.infer<typeof signalSchema>): IncidentResource | undefined {
  const { name, kind, namespace } = readResourcePath(data.target_resource) ?? {};
  const resource = {
    kind: data.resource?.kind || data.resource_kind || kind || data.component || undefined,
    name: data.resource?.name || data.resource_name || name || undefined,
    namespace: data.resource?.namespace || data.namespace || namespace || undefined,
    apiVersion:
      data.resource?.api_version || data.resource?.apiVersion || data.api_version || undefined,
  };
  return Object.values(resource).some((one) => one !== undefined) ? resource : undefined;
}

function toFacts({ kind, name, namespace, apiVersion }: IncidentResource = {}) {
  const facts = {
    resource_kind: kind,
    resource_name: name,
    namespace,
    api_version: apiVersion,
  };
  return Object.fromEntries(
    Object.entries(facts).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
  );
}
