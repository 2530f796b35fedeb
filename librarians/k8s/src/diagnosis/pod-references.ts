import { booleanAt, listAt, recordAt, textAt } from "../cluster/fields.js";
import type { Reference } from "./custom-references.js";

/**
 * What a pod's spec names: account, pull secrets, ConfigMaps, Secrets and claims. What is optional is left out.
 *
 * @param at - Path of the spec in its object.
 * @param isAll - True for what is optional, too.
 */
export function podReferences(spec: unknown, at: string, isAll = false): readonly Reference[] {
  const optional = (kind: string, reference: unknown, field: string, place: string) =>
    !isAll && booleanAt(reference, "optional") === true
      ? []
      : named(kind, textAt(reference, field), place);
  const account = textAt(spec, "serviceAccountName");
  const containers = [...listAt(spec, "initContainers"), ...listAt(spec, "containers")];
  return [
    ...named(
      "ServiceAccount",
      account === "default" ? undefined : account,
      `${at}.serviceAccountName`,
    ),
    ...listAt(spec, "imagePullSecrets").flatMap((one, index) =>
      named("Secret", textAt(one, "name"), `${at}.imagePullSecrets[${index}]`),
    ),
    ...listAt(spec, "volumes").flatMap((volume, index) => [
      ...optional(
        "ConfigMap",
        recordAt(volume, "configMap"),
        "name",
        `${at}.volumes[${index}].configMap`,
      ),
      ...optional(
        "Secret",
        recordAt(volume, "secret"),
        "secretName",
        `${at}.volumes[${index}].secret`,
      ),
      ...named(
        "PersistentVolumeClaim",
        textAt(volume, "persistentVolumeClaim", "claimName"),
        `${at}.volumes[${index}].persistentVolumeClaim`,
      ),
    ]),
    ...containers.flatMap((container, index) => [
      ...listAt(container, "envFrom").flatMap((one) => [
        ...optional(
          "ConfigMap",
          recordAt(one, "configMapRef"),
          "name",
          `${at}.containers[${index}].envFrom`,
        ),
        ...optional(
          "Secret",
          recordAt(one, "secretRef"),
          "name",
          `${at}.containers[${index}].envFrom`,
        ),
      ]),
      ...listAt(container, "env").flatMap((one) => [
        ...optional(
          "ConfigMap",
          recordAt(one, "valueFrom", "configMapKeyRef"),
          "name",
          `${at}.containers[${index}].env`,
        ),
        ...optional(
          "Secret",
          recordAt(one, "valueFrom", "secretKeyRef"),
          "name",
          `${at}.containers[${index}].env`,
        ),
      ]),
    ]),
  ];
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
