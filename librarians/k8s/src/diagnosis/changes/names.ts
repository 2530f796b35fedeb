import { editDistance } from "@constellation/nlu";
import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt, valueAt } from "../../cluster/fields.js";
import { isKindName, type KindName } from "../../cluster/kinds.js";
import type { ClusterView } from "../cluster-view.js";
import type { Finding } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { type Change, type Path, setField, textOf } from "./patch.js";

/** Letters that may differ between a name and the one that was meant. */
const maxTypos = 2;

/** Of names that there are, the only one, or the one that is nearly the same. */
export function findNear(name: string, there: readonly string[]): string | undefined {
  if (there.includes(name)) return undefined;
  const near = there.filter(
    (one) =>
      one.includes(name) ||
      name.includes(one) ||
      one.slice(0, 4) === name.slice(0, 4) ||
      editDistance(one, name, maxTypos) <= maxTypos,
  );
  return there.length === 1 ? there[0] : near.length === 1 ? near[0] : undefined;
}

/** Fields that name another object, by the kind that has them. `*` is every item of a list. */
const nameFields: Readonly<Record<string, readonly (readonly [path: string, kind: KindName])[]>> = {
  Ingress: [
    ["spec.ingressClassName", "IngressClass"],
    ["spec.defaultBackend.service.name", "Service"],
    ["spec.rules.*.http.paths.*.backend.service.name", "Service"],
  ],
  HorizontalPodAutoscaler: [
    ["spec.scaleTargetRef.name", "Deployment"],
    ["spec.scaleTargetRef.name", "StatefulSet"],
  ],
  ValidatingWebhookConfiguration: [["webhooks.*.clientConfig.service.name", "Service"]],
  MutatingWebhookConfiguration: [["webhooks.*.clientConfig.service.name", "Service"]],
  Certificate: [["spec.issuerRef.name", "Issuer"]],
};

/** Each place that a path with `*` leads to. */
export function expand(object: unknown, path: string): readonly Path[] {
  return path
    .split(".")
    .reduce<readonly Path[]>(
      (places, step) =>
        places.flatMap((place) =>
          step === "*"
            ? listAt(object, ...place).map((_, index) => [...place, index])
            : [[...place, step]],
        ),
      [[]],
    );
}

/** A name that leads nowhere, replaced by the only one there is, or the one that is nearly the same. */
export function replaceName({ object }: Finding, view: ClusterView): Change | undefined {
  for (const [field, kind] of nameFields[object.kind] ?? []) {
    for (const path of expand(object, field)) {
      const parent = recordAt(object, ...path.slice(0, -1));
      const named = textAt(parent, "kind") ?? kind;
      const before = textAt(object, ...path);
      if (before === undefined || named !== kind || !isKindName(named)) continue;
      const namespace = textAt(parent, "namespace") ?? object.metadata.namespace;
      const there = view
        .list(named)
        .filter(
          ({ metadata }) => metadata.namespace === undefined || metadata.namespace === namespace,
        )
        .map(({ metadata }) => metadata.name);
      const to = findNear(before, there);
      if (to === undefined) continue;
      return setField(
        object,
        path,
        `${path.join(".")} is ${before}, and there is no ${named} of that name; there is ${to}`,
        to,
      );
    }
  }
  return object.kind === "Ingress" ? replacePort(object, view) : undefined;
}

/** The port of a backend that its Service does not have. */
function replacePort(object: KubernetesObject, view: ClusterView): Change | undefined {
  for (const path of expand(object, "spec.rules.*.http.paths.*.backend.service")) {
    const name = textAt(object, ...path, "name") ?? "";
    const service = view.get("Service", object.metadata.namespace, name);
    const ports = listAt(service, "spec", "ports").map((port) => recordAt(port));
    const { number, name: named } = recordAt(object, ...path, "port");
    const wanted = number ?? named;
    const [only] = ports;
    const isThere = ports.some((port) => port.port === wanted || port.name === wanted);
    if (wanted === undefined || isThere || only === undefined || ports.length > 1) continue;
    return setField(
      object,
      [...path, "port"],
      `${path.join(".")}.port is ${String(wanted)}, and Service ${name} has only port ${String(only.port)}`,
      { number: only.port },
    );
  }
  return undefined;
}

/** What is named and missing, as the message of the kubelet has it. */
const missingForms = [
  /\b(configmap|secret|serviceaccount) "([\w.-]{1,253})" not found/i,
  /\b(ConfigMap|ServiceAccount) ([\w.-]{1,253}) does not exist/,
];
const missingKey =
  /couldn't find key ([\w.-]{1,253}) in (ConfigMap|Secret) [\w-]{1,63}\/([\w.-]{1,253})/i;
const missingPullSecret = /image pull secrets? \(?([\w.-]{1,253})\)?/i;

/** Commands that create what is missing: a value that is not known is written as `VALUE`. */
const creations: Readonly<
  Record<string, (name: string, place: ReturnType<typeof option>) => readonly string[]>
> = {
  secret: (name, place) => kubectl`create secret generic ${name}${place} --from-literal=KEY=VALUE`,
  configmap: (name, place) => kubectl`create configmap ${name}${place} --from-literal=KEY=VALUE`,
  serviceaccount: (name, place) => kubectl`create serviceaccount ${name}${place}`,
  pull: (name, place) =>
    kubectl`create secret docker-registry ${name}${place} --docker-server=REGISTRY --docker-username=USER --docker-password=VALUE`,
};

/** A ConfigMap, Secret or account that is missing, or a key of one. */
export function createMissing(one: Finding, view: ClusterView): Change | undefined {
  const texts = textOf(one);
  const { namespace } = one.object.metadata;
  const place = option("-n", namespace);
  const [, key = "", keptIn = "", holder = ""] = missingKey.exec(texts) ?? [];
  const isSecret = keptIn.toLowerCase() === "secret";
  if (key !== "" && (isSecret || view.presence("ConfigMap", namespace, holder) !== "missing")) {
    const kind = keptIn.toLowerCase();
    const value = JSON.stringify({ [isSecret ? "stringData" : "data"]: { [key]: "VALUE" } });
    const back = JSON.stringify({ data: { [key]: null } });
    const [command] = kubectl`patch ${kind} ${holder}${place} --type=merge -p ${value}`;
    const [undo] = kubectl`patch ${kind} ${holder}${place} --type=merge -p ${back}`;
    const there = Object.keys(recordAt(view.get("ConfigMap", namespace, holder), "data"));
    const near = isSecret ? undefined : findNear(key, there);
    const meant = near === undefined ? "name a key that is there" : `name ${near}, which is there`;
    return command === undefined
      ? undefined
      : {
          what: `${keptIn} ${holder} has no key ${key}; put its value in place of VALUE, or ${meant}`,
          command,
          undo,
        };
  }
  const hit = missingForms.map((form) => form.exec(texts)).find((found) => found !== null);
  const pull = hit === undefined ? missingPullSecret.exec(texts)?.[1] : undefined;
  const [, kind = "secret", name = pull ?? ""] = hit ?? [];
  const lower = kind.toLowerCase();
  const [command] = creations[pull === undefined ? lower : "pull"]?.(name, place) ?? [];
  const [undo] = kubectl`delete ${lower} ${name}${place}`;
  return command === undefined || name === ""
    ? undefined
    : { what: `${kind} ${name} does not exist`, command, undo };
}

/** A class that does not exist: a claim keeps its class, so it is made again. */
export function remakeClaim({ object }: Finding, view: ClusterView): Change | undefined {
  const named = textAt(object, "spec", "storageClassName");
  const there = view.list("StorageClass").map(({ metadata }) => metadata.name);
  const [command] =
    kubectl`delete persistentvolumeclaim ${object.metadata.name}${option("-n", object.metadata.namespace)}`;
  const isMissing = named !== undefined && there.length > 0 && !there.includes(named);
  return !isMissing || command === undefined || valueAt(object, "status", "phase") === "Bound"
    ? undefined
    : {
        what: `spec.storageClassName is ${named}, which does not exist (there is ${there.join(", ")}); a claim keeps its class, so it is made again with another one`,
        command,
        undo: undefined,
      };
}
