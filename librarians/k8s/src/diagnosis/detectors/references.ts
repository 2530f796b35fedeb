import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../../cluster/fields.js";
import { isKindName } from "../../cluster/kinds.js";
import type { ClusterView } from "../cluster-view.js";
import { customReferences, type Reference } from "../custom-references.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { type Evidence, finding } from "../finding.js";
import { describeCommand } from "../kubectl.js";
import { siblingKey } from "../pod-finding.js";
import { named, podReferences } from "../pod-references.js";

/** Names of things that do not exist. By themselves they may do no harm; what suffers from one says so elsewhere. */
export const references: Detector = (object, view, { signals }) => {
  const { namespace } = object.metadata;
  const seen = new Set<string>();
  const bad: { readonly text: string; readonly evidence: Evidence; readonly verified: boolean }[] =
    [];
  for (const { kind, name, at, clusterScoped } of listReferences(object, view)) {
    const presence = view.presence(kind, clusterScoped === true ? undefined : namespace, name);
    const key = `${kind}/${name}`;
    if (presence === "there" || seen.has(key)) continue;
    seen.add(key);
    const text =
      presence === "missing"
        ? `${kind} ${name} does not exist`
        : kind === "Secret"
          ? `Secret ${name}: Secrets are never read, so whether it exists was not checked`
          : `${kind} ${name} was not found: no ${kind} could be read`;
    bad.push({
      text,
      evidence: fieldEvidence(object, at, `${kind} ${name}`),
      verified: presence === "missing",
    });
  }
  const verified = bad.filter((one) => one.verified);
  const said = signals.has("MissingReference")
    ? [...verified, ...bad.filter((one) => !one.verified)]
    : verified;
  if (said.length === 0) return [];
  return [
    finding({
      signal: "MissingReference",
      severity: verified.length > 0 ? "medium" : "low",
      object,
      confidence: verified.length > 0 ? 0.75 : 0.45,
      // That a name leads nowhere is sure; that something suffers from it is not.
      verified: false,
      summary: `${object.kind} ${object.metadata.name} references what ${verified.length > 0 ? "does not exist" : "could not be found"}: ${said.map(({ text }) => text).join("; ")}`,
      evidence: said.map(({ evidence }) => evidence),
      next: describeCommand(object),
      // Pods repeat what their controller's template says.
      key: siblingKey(view, object, "references", said.map(({ text }) => text).join()),
      values: { references: said.map(({ evidence }) => evidence.text) },
    }),
  ];
};

/** What an object names that must be there. */
export function listReferences(object: KubernetesObject, view: ClusterView): readonly Reference[] {
  switch (object.kind) {
    case "Pod":
      return podReferences(recordAt(object, "spec"), "spec");
    case "Job":
    case "Deployment":
    case "DaemonSet":
      return podReferences(recordAt(object, "spec", "template", "spec"), "spec.template.spec");
    case "CronJob":
      return podReferences(
        recordAt(object, "spec", "jobTemplate", "spec", "template", "spec"),
        "spec.jobTemplate.spec.template.spec",
      );
    case "StatefulSet":
      return [
        ...statefulReferences(object, view),
        ...podReferences(recordAt(object, "spec", "template", "spec"), "spec.template.spec"),
      ];
    case "Ingress":
      return [
        ...listAt(object, "spec", "tls").flatMap((tls, index) =>
          named("Secret", textAt(tls, "secretName"), `spec.tls[${index}].secretName`),
        ),
        ...listAt(object, "spec", "rules").flatMap((rule, index) =>
          listAt(rule, "http", "paths").flatMap((path, place) =>
            named(
              "Service",
              textAt(path, "backend", "service", "name"),
              `spec.rules[${index}].http.paths[${place}].backend`,
            ),
          ),
        ),
      ];
    case "ServiceAccount":
      return [
        ...listAt(object, "secrets").flatMap((one, index) =>
          named("Secret", textAt(one, "name"), `secrets[${index}]`),
        ),
        ...listAt(object, "imagePullSecrets").flatMap((one, index) =>
          named("Secret", textAt(one, "name"), `imagePullSecrets[${index}]`),
        ),
      ];
    case "RoleBinding":
    case "ClusterRoleBinding": {
      const kind = textAt(object, "roleRef", "kind") ?? "";
      return named(kind, textAt(object, "roleRef", "name"), "roleRef").map((one) => ({
        ...one,
        clusterScoped: kind === "ClusterRole",
      }));
    }
    default:
      return isKindName(object.kind) ? [] : customReferences(object.spec);
  }
}

function statefulReferences(object: KubernetesObject, view: ClusterView): readonly Reference[] {
  const service = textAt(object, "spec", "serviceName");
  const { namespace, name } = object.metadata;
  // A claim that was made reports its class itself.
  const isMade = (claim: unknown) =>
    view.get(
      "PersistentVolumeClaim",
      namespace,
      `${textAt(claim, "metadata", "name") ?? ""}-${name}-0`,
    ) !== undefined;
  return [
    ...named("Service", service === "" ? undefined : service, "spec.serviceName"),
    ...listAt(object, "spec", "volumeClaimTemplates").flatMap((claim, index) =>
      isMade(claim)
        ? []
        : named(
            "StorageClass",
            textAt(claim, "spec", "storageClassName"),
            `spec.volumeClaimTemplates[${index}].spec.storageClassName`,
          ).map((one) => ({ ...one, clusterScoped: true })),
    ),
  ];
}
