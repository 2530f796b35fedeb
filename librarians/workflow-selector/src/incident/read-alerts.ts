import { readFileSync } from "node:fs";
import { z } from "zod";
import { labelKey } from "../search/labels.js";
import { readResourcePath } from "./resource-path.js";

/** One alert of a payload, as a signal. */
export interface Alert {
  readonly signal: Readonly<Record<string, unknown>>;
  /** It is resolved, silenced, or fires always. */
  readonly isOver: boolean;
}

/** Labels that alerts have for what the selector reads, beside the usual ones: `{ environment: ["stage"] }`. */
export type LabelNames = Readonly<Record<string, readonly string[] | undefined>>;

const paths = z.array(z.string()).default([]);
const textFields = [
  "signal_type",
  "summary",
  "description",
  "severity",
  "priority",
  "firing_time",
] as const;
const payloadSchema = z.object({
  name: z.string(),
  requires: z.array(z.string()),
  json: z.string().optional(),
  each: z.string().optional(),
  /** Where the alerts are a text, as Alertmanager writes them for PagerDuty. */
  text: paths,
  signal_type: paths,
  summary: paths,
  description: paths,
  severity: paths,
  priority: paths,
  firing_time: paths,
  status: paths,
  labels: paths,
  resource: paths,
});
const tableSchema = z.object({
  notices: z.array(z.string()),
  payloads: z.array(payloadSchema),
  ended: z.array(z.string()),
  severities: z.array(z.string()),
  kinds: z.array(z.tuple([z.string(), z.string()])),
  fields: z.record(z.string(), z.array(z.string())),
});
type Payload = z.infer<typeof payloadSchema>;

/** Maximum number of alerts of one payload that are read, and of labels of one alert. */
export const maxAlerts = 100;
const maxLabels = 200;

let table: z.infer<typeof tableSchema> | undefined;

function readTable(): z.infer<typeof tableSchema> {
  table ??= tableSchema.parse(
    JSON.parse(readFileSync(new URL("../../data/payloads.json", import.meta.url), "utf8")),
  );
  return table;
}

/**
 * Reads the payload of an alerting system, by the paths of `data/payloads.json`: Alertmanager and Grafana, PagerDuty,
 * Opsgenie, Datadog, CloudWatch. The first 100 alerts are read, the most severe first.
 *
 * @returns Undefined for another value.
 */
export function readAlerts(value: unknown, names: LabelNames = {}): readonly Alert[] | undefined {
  if (Array.isArray(value)) return readAlerts({ alerts: value }, names);
  const payload = readTable().payloads.find(({ requires }) =>
    requires.every((path) => valueAt(value, path) !== undefined),
  );
  if (payload === undefined) return undefined;
  if (payload.json !== undefined) return readAlerts(parsed(valueAt(value, payload.json)), names);
  const written = payload.text.flatMap((path) => alertsInText(toText(valueAt(value, path))));
  const listed = payload.each === undefined ? [value] : valueAt(value, payload.each);
  const each: unknown = written.length === 0 ? listed : written;
  if (!Array.isArray(each)) return undefined;
  const { severities } = readTable();
  const rank = ({ signal }: Alert) => {
    const at = severities.indexOf(String(signal.severity ?? "").toLowerCase());
    return at === -1 ? severities.length : at;
  };
  return each
    .slice(0, maxAlerts)
    .map((one) => readAlert(one, value, { payload, names }))
    .toSorted((a, b) => rank(a) - rank(b));
}

function readAlert(
  alert: unknown,
  whole: unknown,
  { payload, names }: { readonly payload: Payload; readonly names: LabelNames },
): Alert {
  const first = (of: readonly string[]) =>
    of
      .flatMap((path) => [valueAt(alert, path), alert === whole ? undefined : valueAt(whole, path)])
      .map(toText)
      .find((text) => text !== undefined);
  const labels = Object.fromEntries(
    payload.labels
      .toReversed()
      .flatMap((path) => [...labelsIn(valueAt(whole, path)), ...labelsIn(valueAt(alert, path))])
      .slice(0, maxLabels),
  );
  const byKey = new Map(Object.entries(labels).map(([key, text]) => [plainKey(key), text]));
  const { kinds, fields, ended } = readTable();
  const labelled = Object.fromEntries(
    Object.entries(fields).map(([field, usual]) => [
      field,
      [...(names[field] ?? []).map(plainKey), ...usual].flatMap((key) => byKey.get(key) ?? [])[0],
    ]),
  );
  const named = kinds.find(
    ([key, kind]) => byKey.has(key) || (names[kind] ?? []).some((one) => byKey.has(plainKey(one))),
  );
  const [key = "", kind] = named ?? [];
  const path = readResourcePath(first(payload.resource));
  const own = Object.fromEntries(textFields.map((field) => [field, first(payload[field])]));
  const name =
    byKey.get(key) ??
    (names[kind ?? ""] ?? []).flatMap((one) => byKey.get(plainKey(one)) ?? [])[0] ??
    labelled.resource_name ??
    path?.name ??
    (byKey.has("namespace") ? byKey.get("name") : undefined) ??
    byKey.get("host");
  const status = readStatus(first(payload.status) ?? "");
  const title = own.summary?.replace(/^\[[^\]]*\] */, "");
  const signalType = own.signal_type ?? labels.alertname ?? title;
  return {
    isOver:
      ended.includes(status) ||
      isNotice(signalType) ||
      listAt(alert, "status.silencedBy").length > 0 ||
      listAt(alert, "status.inhibitedBy").length > 0,
    signal: {
      ...own,
      ...labelled,
      signal_type: signalType,
      signal_source: payload.name,
      severity: own.severity ?? labelled.severity,
      priority: /^P[0-3]$/i.test(own.priority ?? "") ? own.priority : labelled.priority,
      namespace: labelled.namespace ?? path?.namespace,
      resource_kind:
        kind ??
        labelled.resource_kind ??
        path?.kind ??
        (name !== undefined && name === byKey.get("host") ? "Node" : undefined),
      resource_name: name,
      alert_labels: labels,
    },
  };
}

/** Whether an alert of this name fires always, to show that alerting works. */
export function isNotice(signalType: string | undefined): boolean {
  const name = signalType?.toLowerCase();
  return readTable().notices.some((one) => one.toLowerCase() === name);
}

/** "[Recovered on {host:a}] Disk" is recovered. */
function readStatus(text: string): string {
  const [, bracketed] = /^\[([a-z]+)/i.exec(text) ?? [];
  return (bracketed ?? text).toLowerCase();
}

/** The alerts of a text with blocks of `Labels:` and `Annotations:`, a line ` - key = value` each. */
function alertsInText(text = "") {
  return text
    .split(/^Labels:/m)
    .slice(1, maxAlerts + 1)
    .map((block) => {
      const [labels = "", annotations = ""] = block.split(/^(?:Annotations|Source):/m);
      return { labels: linesIn(labels), annotations: linesIn(annotations) };
    });
}

function linesIn(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    text.split("\n").flatMap((line) => {
      const [, key, value] = /^ *- ([\w.-]+) = (.*)$/.exec(line) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value.trim()]];
    }),
  );
}

/** Labels of a record, of a list of `name` and `value`, or of texts `key:value`, as Datadog and Opsgenie have them. */
function labelsIn(value: unknown): readonly (readonly [string, string])[] {
  if (typeof value === "string") {
    const [, inBraces] = /\{([^{}]*)\}/.exec(value) ?? [];
    return (inBraces ?? value).split(",").flatMap(splitTag);
  }
  if (Array.isArray(value)) {
    return value.flatMap((one: unknown) => {
      if (typeof one === "string") return splitTag(one);
      const [name, own] = [valueAt(one, "name"), toText(valueAt(one, "value"))];
      return typeof name === "string" && own !== undefined ? [[name, own] as const] : [];
    });
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => {
    const text = toText(one);
    return text === undefined ? [] : [[key, text] as const];
  });
}

function splitTag(tag: string): readonly (readonly [string, string])[] {
  const at = tag.search(/[:=]/);
  return at < 1 ? [] : [[tag.slice(0, at).trim(), tag.slice(at + 1).trim()]];
}

/** `kube_deployment`, `PodName` and `k8s.namespace.name` as `deployment`, `pod` and `namespace`; `job` of a scrape is not `job_name`. */
function plainKey(key: string): string {
  const snake = labelKey(key.replace(/([a-z0-9])([A-Z])/g, "$1_$2")).replaceAll(".", "_");
  const bare = snake.replace(/^(?:kube|k8s|kubernetes|exported)_/, "");
  if (bare === "job") return bare === snake ? "scrape_job" : "job_name";
  return bare === "job_name" || bare === "resource_name" ? bare : bare.replace(/_name$/, "");
}

/** The value at a path of keys; undefined where something on the way is missing. */
function valueAt(value: unknown, path: string): unknown {
  let found = value;
  for (const key of path.split(".")) {
    if (typeof found !== "object" || found === null || !Object.hasOwn(found, key)) return undefined;
    found = Reflect.get(found, key);
  }
  return found ?? undefined;
}

function listAt(value: unknown, path: string): readonly unknown[] {
  const found = valueAt(value, path);
  return Array.isArray(found) ? found : [];
}

function toText(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value.trim() : undefined;
}

function parsed(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value) as unknown;
  } catch {
    return undefined;
  }
}

/** One object of a payload, with what fires on it. */
export interface AlertedObject {
  /** The most severe alert on it, with how many there are. */
  readonly signal: Readonly<Record<string, unknown>>;
  /** None of its alerts needs anything: resolved, silenced, or always firing. */
  readonly isOver: boolean;
}

/** The objects of a payload, one each, those that fire first; undefined for a value that is not one. */
export function readAlertedObjects(
  value: unknown,
  names: LabelNames = {},
): readonly AlertedObject[] | undefined {
  const isSignal = ["signal_type", "signal_name", "incident_type"].some(
    (key) => valueAt(value, key) !== undefined,
  );
  const alerts = isSignal ? undefined : readAlerts(value, names);
  if (alerts === undefined || alerts.length === 0) return undefined;
  const firing = alerts.filter(({ isOver }) => !isOver);
  const [first] = alerts;
  if (firing.length === 0) return first === undefined ? undefined : [first];
  const groups = new Map<string, Alert[]>();
  for (const alert of firing) {
    const { namespace, resource_kind, resource_name, signal_type } = alert.signal;
    const object = [namespace, resource_kind, resource_name].map((one) => String(one ?? ""));
    // Alerts about no object have nothing in common but their name.
    const key = JSON.stringify(resource_name === undefined ? [...object, signal_type] : object);
    groups.set(key, [...(groups.get(key) ?? []), alert]);
  }
  return [...groups.values()].flatMap(([one, ...others]) => {
    if (one === undefined) return [];
    const also = [...new Set(others.map(({ signal }) => signal.signal_type))];
    const storm = {
      is_storm: true,
      storm_alert_count: others.length + 1,
      also_firing: also.join(", "),
    };
    return [{ isOver: false, signal: { ...one.signal, ...(others.length > 0 && storm) } }];
  });
}
