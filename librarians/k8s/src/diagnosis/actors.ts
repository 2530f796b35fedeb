import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import type { Finding } from "./finding.js";
import { listClaims } from "./pod-references.js";

/** API groups that the control plane itself serves: no pod of an extension acts for them. */
const ownGroups =
  /^(?:apps|batch|autoscaling|policy|extensions|(?:admissionregistration|apiextensions|apiregistration|authentication|authorization|certificates|coordination|discovery|events|flowcontrol\.apiserver|networking|node|rbac\.authorization|resource|scheduling|storage|storagemigration)\.k8s\.io)$/;
/** Finalizers that the control plane takes away by itself. */
const ownFinalizers =
  /^(?:kubernetes$|foregroundDeletion$|orphan$|(?:batch\.)?kubernetes\.io\/|service\.kubernetes\.io\/)/;
/** What makes addresses of load balancers, by the names that such controllers have. */
const balancers = ["cloud-controller-manager", "metallb", "load-balancer", "kube-vip"];

/**
 * Names of the components that an object waits for: the provisioner of a claim's class, the driver of its volume, the
 * controller of an Ingress's class, the scheduler that a pod names, the API group of a custom resource. Empty for
 * objects that the control plane itself manages.
 */
export function actorsFor(object: KubernetesObject, view: ClusterView): readonly string[] {
  const { kind, apiVersion, metadata } = object;
  switch (kind) {
    case "PersistentVolumeClaim":
      return listProvisioners(object, view);
    case "PersistentVolume":
      return toTexts(textAt(object, "spec", "csi", "driver"));
    case "Ingress":
      return listIngressControllers(object, view);
    case "GatewayClass":
      return toTexts(textAt(object, "spec", "controllerName"));
    case "Gateway": {
      const name = textAt(object, "spec", "gatewayClassName") ?? "\0";
      const gatewayClass = view.get("GatewayClass", undefined, name);
      return toTexts(textAt(gatewayClass, "spec", "controllerName") ?? name);
    }
    case "Service":
      return textAt(object, "spec", "type") === "LoadBalancer"
        ? [...toTexts(textAt(object, "spec", "loadBalancerClass")), ...balancers]
        : [];
    case "Pod": {
      const scheduler = textAt(object, "spec", "schedulerName") ?? "default-scheduler";
      if (textAt(object, "spec", "nodeName") !== undefined) return [];
      return [scheduler === "default-scheduler" ? "kube-scheduler" : scheduler];
    }
    default: {
      const [group = ""] = (apiVersion ?? "").includes("/") ? (apiVersion ?? "").split("/") : [];
      const isOwn = group === "" || ownGroups.test(group);
      const keepers = listAt(metadata, "finalizers").map(String);
      const going = textAt(metadata, "deletionTimestamp") === undefined ? [] : keepers;
      return [...(isOwn ? [] : [group]), ...going.filter((one) => !ownFinalizers.test(one))];
    }
  }
}

/** As {@link actorsFor}, for what a finding waits for: the driver that its own text names first. */
export function findActors(one: Finding, view: ClusterView): readonly string[] {
  if (one.signal === "FailedAttachVolume") {
    const [, after = ""] = (one.message ?? "").split("external-attacher of ");
    const said = /^[\w.-]{3,100}/.exec(after)?.[0];
    const claims = listClaims(one.object).flatMap((name) => {
      const claim = view.get("PersistentVolumeClaim", one.object.metadata.namespace, name);
      return claim === undefined ? [] : listProvisioners(claim, view);
    });
    return said === undefined ? claims : [said];
  }
  if (one.signal === "FailedScheduling") return listExtendedResources(one);
  const waits =
    one.signal === "PVCPending" ||
    one.signal === "StuckTerminating" ||
    one.signal === "CertificateNotReady" ||
    (one.signal === "ServiceNoEndpoints" && one.values.service_type === "LoadBalancer") ||
    (one.object.kind === "Pod" && one.signal === "PodNotReady");
  return waits || isOfExtension(one.object) ? actorsFor(one.object, view) : [];
}

/** Resources that no kubelet knows by itself, of which the scheduler found too little: `nvidia.com/gpu`. */
export function listExtendedResources({ message = "" }: Finding): readonly string[] {
  const [text = ""] = message.split(/\bpreemption:/i);
  return [...text.matchAll(/insufficient ([a-z0-9.-]{1,60}\/[\w.-]{1,60})/gi)].flatMap(
    ([, name]) => name?.replace(/[.,]$/, "") ?? [],
  );
}

/** True for an object of an API group that an extension serves. */
export function isOfExtension({ apiVersion }: KubernetesObject): boolean {
  const [group = ""] = (apiVersion ?? "").includes("/") ? (apiVersion ?? "").split("/") : [];
  return group !== "" && !ownGroups.test(group);
}

function listProvisioners(claim: KubernetesObject, view: ClusterView): readonly string[] {
  const name = textAt(claim, "spec", "storageClassName") ?? "\0";
  const named = textAt(view.get("StorageClass", undefined, name), "provisioner");
  const annotated =
    claim.metadata.annotations?.["volume.kubernetes.io/storage-provisioner"] ??
    claim.metadata.annotations?.["volume.beta.kubernetes.io/storage-provisioner"];
  const said = view
    .events(claim)
    .flatMap(({ message }) => /provisioner ['"]([\w./-]{3,100})['"]/.exec(message)?.[1] ?? []);
  return toTexts(named ?? annotated ?? said[0]);
}

function listIngressControllers(ingress: KubernetesObject, view: ClusterView): readonly string[] {
  const name =
    textAt(ingress, "spec", "ingressClassName") ??
    ingress.metadata.annotations?.["kubernetes.io/ingress.class"];
  const used = view
    .list("IngressClass")
    .find(({ metadata }) =>
      name === undefined
        ? metadata.annotations?.["ingressclass.kubernetes.io/is-default-class"] === "true"
        : metadata.name === name,
    );
  return toTexts(textAt(used, "spec", "controller") ?? name);
}

function toTexts(text: string | undefined): readonly string[] {
  return text === undefined || text === "" ? [] : [text];
}
