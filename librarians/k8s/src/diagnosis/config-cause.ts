import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, valueAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { type Evidence, fieldEvidence } from "./evidence.js";
import { toObjectId } from "./object-id.js";

/** Where a setting or a file that a log line names comes from. */
export interface ConfigCause {
  /** One clause for the summary. */
  readonly text: string;
  readonly evidence: readonly Evidence[];
}

/** How programs name a setting that they miss. The first group is its name. */
const missing: readonly RegExp[] = [
  /KeyError: ['"]([A-Za-z_][\w.-]{1,99})['"]/,
  /required (?:key|variable|setting|property|option|config(?:uration)?(?: key| value)?) ['"`]?([A-Za-z_][\w.-]{1,99})['"`]? (?:is )?(?:missing|not|unset)/i,
  /resolve placeholder '([\w.-]{2,100})'/i,
  /(?:missing|unset|undefined|no|empty)(?: required| mandatory)? (?:env(?:ironment)?(?: var(?:iable)?)?s?|config(?:uration)?(?: key| value)?|setting|property|variable|key|option|parameter)[: ]{1,3}['"`$]?\{?([A-Za-z_][\w.-]{1,99})/i,
  /(?:env(?:ironment)?(?: var(?:iable)?)?|config(?:uration)? key|setting|property|variable) ['"`$]?\{?([A-Za-z_][\w.-]{1,99})\}?['"`]? (?:is |was |must |has |not |required|missing|undefined|unset)/i,
  /\b([A-Z][A-Z0-9]{1,40}_[A-Z0-9_]{1,60})['"`]?:? (?:is |was )?(?:(?:not |must be |un)(?:set|defined|found|provided|configured)|missing|required|empty|undefined)/,
  /\b([A-Z][A-Z0-9]{1,40}_[A-Z0-9_]{1,60})\s{1,4}Field required/,
];
const fileTrouble =
  /no such file|filenotfound|enoent|eacces|permission denied|read-only file system|erofs|no space left|enospc|not a directory|is a directory|\[emerg\]|yaml: |invalid character|parse|syntax|unmarshal|unexpected|invalid|cannot open|can't open|failed to (?:open|load|read)|could not (?:open|load|read|write)|cannot (?:load|read)|unable to (?:open|load|read)/i;
const pathForm = /(?:^|[\s"'`(=:])(\/[\w.@-]{1,100}(?:\/[\w.@-]{1,100}){0,12})/g;

/** Follows a log line to the variable, ConfigMap, Secret or volume that it speaks of. */
export function findConfigCause(
  line: string,
  pod: KubernetesObject,
  container: unknown,
  view: ClusterView,
): ConfigCause | undefined {
  const text = line.slice(0, 1_000);
  const spec = containerSpec(pod, container);
  if (spec === undefined) return undefined;
  if (/serviceaccount\/token|in-cluster config/i.test(text)) return tokenCause(pod, view);
  for (const pattern of missing) {
    const name = pattern.exec(text)?.[1];
    if (name !== undefined) return variableCause(name, spec, pod, view);
  }
  if (!fileTrouble.test(text)) return undefined;
  for (const [, path = ""] of text.matchAll(pathForm)) {
    const cause = pathCause(path, spec, pod, view);
    if (cause !== undefined) return cause;
  }
  return undefined;
}

function containerSpec(pod: KubernetesObject, name: unknown): unknown {
  const all = [...listAt(pod, "spec", "containers"), ...listAt(pod, "spec", "initContainers")];
  return all.find((one) => textAt(one, "name") === name) ?? (all.length === 1 ? all[0] : undefined);
}

function variableCause(
  name: string,
  spec: unknown,
  pod: KubernetesObject,
  view: ClusterView,
): ConfigCause {
  const own = listAt(spec, "env").find((one) => textAt(one, "name") === name);
  if (own !== undefined) {
    const from = describeSource(own);
    return {
      text: `${name} is set for the container${from === undefined ? "" : `, from ${from}`}`,
      evidence: [
        fieldEvidence(
          pod,
          "spec.containers.env",
          `${name}${from === undefined ? "" : ` from ${from}`}`,
        ),
      ],
    };
  }
  const sources = listAt(spec, "envFrom").flatMap((one) => {
    const map = textAt(one, "configMapRef", "name");
    const secret = textAt(one, "secretRef", "name");
    if (map !== undefined) return [{ kind: "ConfigMap", name: map }];
    return secret === undefined ? [] : [{ kind: "Secret", name: secret }];
  });
  const described = sources.map(({ kind, name: source }) => {
    if (kind === "Secret") return `Secret ${source} (not read)`;
    const keys = listDataKeys(view.get(kind, pod.metadata.namespace, source));
    return `ConfigMap ${source}${keys === undefined ? "" : ` (keys ${keys.join(", ") || "none"})`}`;
  });
  const set = listAt(spec, "env").flatMap((one) => textAt(one, "name") ?? []);
  const where =
    described.length === 0
      ? set.length === 0
        ? "the container has no env or envFrom"
        : `its env has ${set.slice(0, 8).join(", ")}`
      : `its variables come from ${described.join(", ")}${set.length === 0 ? "" : `, and env ${set.slice(0, 8).join(", ")}`}`;
  return {
    text: `${name} is not set: ${where}`,
    evidence: [
      fieldEvidence(pod, "spec.containers.env", `no ${name}; ${where}`),
      ...sources.flatMap(({ kind, name: source }) => {
        const object = view.get(kind, pod.metadata.namespace, source);
        return object === undefined
          ? []
          : [
              fieldEvidence(
                object,
                "data",
                `keys ${(listDataKeys(object) ?? []).join(", ") || "none"}`,
              ),
            ];
      }),
    ],
  };
}

/** Where a variable's value comes from, by name only. */
function describeSource(variable: unknown): string | undefined {
  for (const [field, kind] of [
    ["configMapKeyRef", "ConfigMap"],
    ["secretKeyRef", "Secret"],
  ] as const) {
    const reference = recordAt(variable, "valueFrom", field);
    const name = textAt(reference, "name");
    if (name !== undefined) return `${kind} ${name}, key ${textAt(reference, "key") ?? "?"}`;
  }
  return undefined;
}

/** Volumes by where they are mounted: the longest mount path that a path lies under. */
function pathCause(
  path: string,
  spec: unknown,
  pod: KubernetesObject,
  view: ClusterView,
): ConfigCause | undefined {
  const [mount] = listAt(spec, "volumeMounts")
    .filter((one) => {
      const at = textAt(one, "mountPath") ?? "\0";
      return path === at || path.startsWith(at.endsWith("/") ? at : `${at}/`);
    })
    .sort((a, b) => (textAt(b, "mountPath")?.length ?? 0) - (textAt(a, "mountPath")?.length ?? 0));
  if (mount === undefined) {
    return valueAt(spec, "securityContext", "readOnlyRootFilesystem") === true
      ? {
          text: `${path} is on the container's root, which is read-only (readOnlyRootFilesystem: true)`,
          evidence: [
            fieldEvidence(pod, "spec.containers.securityContext", "readOnlyRootFilesystem true"),
          ],
        }
      : undefined;
  }
  const volume = listAt(pod, "spec", "volumes").find(
    (one) => textAt(one, "name") === textAt(mount, "name"),
  );
  const { kind, name } = volumeSource(volume);
  const object = name === undefined ? undefined : view.get(kind, pod.metadata.namespace, name);
  const keys = object?.kind === "ConfigMap" ? listDataKeys(object) : undefined;
  const what = name === undefined ? kind : `${kind} ${name}`;
  const text = `${path} is in the volume ${textAt(mount, "name") ?? ""} of ${what}${keys === undefined ? "" : ` (keys ${keys.join(", ") || "none"})`}`;
  return {
    text,
    evidence: [
      fieldEvidence(pod, "spec.volumes", text),
      ...(object === undefined
        ? []
        : [
            fieldEvidence(
              object,
              keys === undefined ? "spec" : "data",
              keys === undefined ? toObjectId(object) : `keys ${keys.join(", ") || "none"}`,
            ),
          ]),
    ],
  };
}

function volumeSource(volume: unknown): {
  readonly kind: string;
  readonly name: string | undefined;
} {
  const named = [
    ["ConfigMap", textAt(volume, "configMap", "name")],
    ["Secret", textAt(volume, "secret", "secretName")],
    ["PersistentVolumeClaim", textAt(volume, "persistentVolumeClaim", "claimName")],
  ] as const;
  const found = named.find(([, name]) => name !== undefined);
  if (found !== undefined) return { kind: found[0], name: found[1] };
  if (valueAt(volume, "emptyDir") !== undefined) return { kind: "an emptyDir", name: undefined };
  return { kind: "an unknown source", name: undefined };
}

/** Keys of a ConfigMap. Its values are never kept. */
function listDataKeys(object: KubernetesObject | undefined): readonly string[] | undefined {
  if (object === undefined) return undefined;
  return [...Object.keys(recordAt(object, "data")), ...Object.keys(recordAt(object, "binaryData"))];
}

/** Why a pod has no token for the API server. */
function tokenCause(pod: KubernetesObject, view: ClusterView): ConfigCause | undefined {
  const field = "automountServiceAccountToken";
  const name = textAt(pod, "spec", "serviceAccountName") ?? "default";
  const account = view.get("ServiceAccount", pod.metadata.namespace, name);
  const holder =
    valueAt(pod, "spec", field) === false
      ? pod
      : valueAt(account, field) === false && valueAt(pod, "spec", field) !== true
        ? account
        : undefined;
  if (holder === undefined) return undefined;
  const text = `${field} is false on ${holder.kind} ${holder.metadata.name}, so no token is mounted`;
  return { text, evidence: [fieldEvidence(holder, field, "false")] };
}

/** Names of the Secrets that a container's variables come from. */
export function secretNames(pod: KubernetesObject, container: unknown): readonly string[] {
  const spec = containerSpec(pod, container);
  return [
    ...new Set([
      ...listAt(spec, "env").flatMap(
        (one) => textAt(one, "valueFrom", "secretKeyRef", "name") ?? [],
      ),
      ...listAt(spec, "envFrom").flatMap((one) => textAt(one, "secretRef", "name") ?? []),
    ]),
  ];
}
