import { isSecretName, redacted } from "@constellation/authoring";
import { admitCustomBody } from "./admit-custom.js";
import { cleanName, cleanRecord } from "./clean.js";
import type { KubernetesObject } from "./cluster-reader.js";
import { isRecord, listAt, recordAt, textAt, type UnknownRecord, valueAt } from "./fields.js";
import { kindOfObject } from "./kinds.js";
import { keepOwnFields } from "./own-fields.js";

/** Annotations that copy whole objects, and so may hold what the object must not show. */
const copies: ReadonlySet<string> = new Set(["kubectl.kubernetes.io/last-applied-configuration"]);

/**
 * Admits an object of unknown origin: cleans its text, and drops everything that must not be kept.
 *
 * Left out: Secrets before all; of kinds outside the table everything but what they name and report;
 * field managers; annotations that copy manifests; the values of ConfigMaps (keys stay); values of
 * container variables named like a secret. What is left out of unknown kinds and of ConfigMaps is kept beside the object,
 * see {@link keepOwnFields}, for questions about it.
 *
 * All names, keys and texts are safe to print on a line, see {@link cleanName}. An object with a name that
 * no API server would accept is admitted under its clean name: it may be the cause of a failure.
 *
 * @param value - What a file, a server or a reader gave.
 * @param defaults - Used where the value does not say, as in the items of a `PodList`.
 * @returns Undefined for anything that is not a readable object with a name.
 */
export function admit(
  value: unknown,
  defaults: { readonly kind?: string; readonly apiVersion?: string } = {},
): KubernetesObject | undefined {
  if (!isRecord(value)) return undefined;
  const kind = textAt(value, "kind") ?? defaults.kind ?? "";
  const apiVersion = textAt(value, "apiVersion") ?? defaults.apiVersion ?? "";
  const known = kindOfObject(kind, apiVersion);
  if (known === undefined) return undefined;
  const metadata = admitMetadata(value.metadata);
  if (metadata === undefined) return undefined;
  const { metadata: _, ...body } =
    known === "CustomResource" ? admitCustomBody(value) : { ...value, ...admitBody(kind, value) };
  const object = {
    ...cleanRecord(body),
    apiVersion: cleanName(apiVersion),
    kind: cleanName(kind),
    metadata,
  };
  admitted.add(object);
  if (known === "CustomResource") keepOwnFields(object, ownFieldsOf(value));
  if (kind === "ConfigMap" && isRecord(value.data)) keepOwnFields(object, { data: value.data });
  return object;
}

/** Every field of a resource of an unknown kind but those of all objects. */
function ownFieldsOf({ metadata: _, kind: __, apiVersion: ___, ...fields }: UnknownRecord) {
  return fields;
}

const admitted = new WeakSet<object>();

/** True for what {@link admit} gave. */
export function isAdmitted(object: object): boolean {
  return admitted.has(object);
}

function admitMetadata(value: unknown): KubernetesObject["metadata"] | undefined {
  if (!isRecord(value)) return undefined;
  const name = nameIn(value.name) ?? nameIn(value.uid) ?? nameIn(value.generateName);
  if (name === undefined) return undefined;
  const { managedFields, namespace: given, labels, annotations, ownerReferences, ...rest } = value;
  const namespace = nameIn(given);
  const owners = listAt(cleanRecord({ ownerReferences }), "ownerReferences").filter(isOwner);
  return {
    ...cleanRecord(rest),
    name: cleanName(name),
    ...(namespace !== undefined && { namespace: cleanName(namespace) }),
    ...(isRecord(labels) && { labels: pickTexts(cleanRecord(labels)) }),
    ...(isRecord(annotations) && {
      annotations: pickTexts(recordAt(cleanRecord({ annotations }), "annotations"), copies),
    }),
    ...(owners.length > 0 && { ownerReferences: owners }),
    ...readLastEdit(managedFields),
  };
}

/** A name; YAML without quotes makes a number of some. */
function nameIn(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Who last wrote anything but the status, and when: all that is kept of the field managers. */
function readLastEdit(managedFields: unknown): {
  readonly lastEdit?: { readonly at: string; readonly by: string };
} {
  if (!Array.isArray(managedFields)) return {};
  const edits = managedFields.flatMap((entry) => {
    const at = textAt(entry, "time");
    const isStatus = textAt(entry, "subresource") === "status";
    return at === undefined || isStatus ? [] : [{ at, by: textAt(entry, "manager") ?? "" }];
  });
  const [last] = edits.sort((a, b) => (a.at < b.at ? 1 : -1));
  return last === undefined ? {} : { lastEdit: { at: cleanName(last.at), by: cleanName(last.by) } };
}

/** The entries of a map that are texts. */
function pickTexts(map: UnknownRecord, without?: ReadonlySet<string>): Record<string, string> {
  const texts: [string, string][] = [];
  for (const [key, text] of Object.entries(map)) {
    if (typeof text === "string" && without?.has(key) !== true) texts.push([key, text]);
  }
  return Object.fromEntries(texts);
}

function isOwner(value: unknown): value is { kind: string; name: string } {
  return textAt(value, "kind") !== undefined && textAt(value, "name") !== undefined;
}

function admitBody(kind: string, value: UnknownRecord): UnknownRecord {
  if (kind === "ConfigMap") return withKeysOnly(value);
  const pod = podSpecPath(kind);
  return pod === undefined ? {} : withoutSecretVariables(value, pod);
}

function withKeysOnly(value: UnknownRecord): UnknownRecord {
  const parts: Record<string, unknown> = {};
  for (const field of ["data", "binaryData"]) {
    const data = value[field];
    if (!isRecord(data)) continue;
    parts[field] = Object.fromEntries(Object.keys(data).map((key) => [key, ""]));
  }
  return parts;
}

function podSpecPath(kind: string): readonly string[] | undefined {
  if (kind === "Pod") return ["spec"];
  if (kind === "CronJob") return ["spec", "jobTemplate", "spec", "template", "spec"];
  const templated = [
    "Deployment",
    "ReplicaSet",
    "ReplicationController",
    "StatefulSet",
    "DaemonSet",
  ];
  return templated.includes(kind) || kind === "Job" ? ["spec", "template", "spec"] : undefined;
}

const containerLists = ["containers", "initContainers", "ephemeralContainers"] as const;

function withoutSecretVariables(value: UnknownRecord, path: readonly string[]): UnknownRecord {
  const spec = valueAt(value, ...path);
  const lists = containerLists.filter((list) => listAt(spec, list).some(hasSecretVariable));
  if (!isRecord(spec) || lists.length === 0) return {};
  const changed = Object.fromEntries(
    lists.map((list) => [list, listAt(spec, list).map(maskVariables)]),
  );
  return replaceAt(value, path, { ...spec, ...changed });
}

function hasSecretVariable(container: unknown): boolean {
  return listAt(container, "env").some(isSecretVariable);
}

/** What turns something on or off, which is no secret. */
const switched = /^(?:true|false|yes|no|on|off|none)$/i;

function isSecretVariable(variable: unknown): boolean {
  const value = textAt(variable, "value") ?? "";
  const name = textAt(variable, "name") ?? "";
  return value !== "" && !switched.test(value) && isSecretName(name);
}

function maskVariables(container: unknown): unknown {
  if (!isRecord(container) || !hasSecretVariable(container)) return container;
  const env = listAt(container, "env").map((variable) =>
    isRecord(variable) && isSecretVariable(variable) ? { ...variable, value: redacted } : variable,
  );
  return { ...container, env };
}

/** A copy of `value` with another value at a path that exists; only the objects on the path are copied. */
function replaceAt(value: UnknownRecord, path: readonly string[], put: unknown): UnknownRecord {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const below = value[step];
  return {
    ...value,
    [step]: rest.length === 0 || !isRecord(below) ? put : replaceAt(below, rest, put),
  };
}
