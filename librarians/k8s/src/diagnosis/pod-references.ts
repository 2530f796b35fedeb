import { booleanAt, listAt, recordAt, textAt } from "../cluster/fields.js";
import type { Reference } from "./custom-references.js";

/**
 * What a pod's spec names: account, pull secrets, ConfigMaps, Secrets and claims. What is optional is left out.
 *
 * @param at - Path of the spec in its object.
 * @param isAll - True for what is optional, too.
 */
export function podReferences(spec: unknown, at: string, isAll = false): readonly Reference[] {
  const one = (kind: string, reference: unknown, place: string) =>
    !isAll && booleanAt(reference, "optional") === true
      ? []
      : named(kind, textAt(reference, "name") ?? textAt(reference, "secretName"), place);
  const account = textAt(spec, "serviceAccountName");
  const containers = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")];
  return [
    ...named(
      "ServiceAccount",
      account === "default" ? undefined : account,
      `${at}.serviceAccountName`,
    ),
    ...listAt(spec, "imagePullSecrets").flatMap((secret, index) =>
      one("Secret", secret, `${at}.imagePullSecrets[${index}]`),
    ),
    ...listAt(spec, "volumes").flatMap((volume, index) => [
      ...one("ConfigMap", recordAt(volume, "configMap"), `${at}.volumes[${index}].configMap`),
      ...one("Secret", recordAt(volume, "secret"), `${at}.volumes[${index}].secret`),
      ...named(
        "PersistentVolumeClaim",
        textAt(volume, "persistentVolumeClaim", "claimName"),
        `${at}.volumes[${index}].persistentVolumeClaim`,
      ),
    ]),
    ...containers.flatMap((container, index) => [
      ...listAt(container, "envFrom").flatMap((from) => [
        ...one("ConfigMap", recordAt(from, "configMapRef"), `${at}.containers[${index}].envFrom`),
        ...one("Secret", recordAt(from, "secretRef"), `${at}.containers[${index}].envFrom`),
      ]),
      ...listAt(container, "env").flatMap((variable) => {
        const from = recordAt(variable, "valueFrom");
        return [
          ...one("ConfigMap", from.configMapKeyRef, `${at}.containers[${index}].env`),
          ...one("Secret", from.secretKeyRef, `${at}.containers[${index}].env`),
        ];
      }),
    ]),
  ];
}

/** Names of the ConfigMaps that a pod mounts, or takes variables from. */
export function listConfigMaps(spec: unknown): readonly string[] {
  const projected = listAt(spec, "volumes")
    .flatMap((volume) => listAt(volume, "projected", "sources"))
    .flatMap((source) => textAt(source, "configMap", "name") ?? []);
  const own = podReferences(spec, "", true).filter(({ kind }) => kind === "ConfigMap");
  return [...new Set([...own.map(({ name }) => name), ...projected])];
}

/** Names of the claims that a pod mounts. */
export function listClaims(pod: unknown): readonly string[] {
  return listAt(pod, "spec", "volumes").flatMap(
    (volume) => textAt(volume, "persistentVolumeClaim", "claimName") ?? [],
  );
}

/** A reference, where there is a name. */
export function named(kind: string, name: string | undefined, at: string): readonly Reference[] {
  return name === undefined || name === "" || kind === "" ? [] : [{ kind, name, at }];
}
