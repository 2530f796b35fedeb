import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { isKindName } from "../cluster/kinds.js";
import type { ClusterView } from "./cluster-view.js";
import { podReferences } from "./pod-references.js";
import { findPodSpec } from "./pod-spec.js";

/** Kinds of extensions whose objects may write a Secret or a ConfigMap. */
const makers = ["Certificate", "CustomResource"] as const;
/** Fields of a spec that hold the name of what is written. */
const targets =
  /^(?:secretName|target|destination|template|output|writeConnectionSecretToRef|secretTemplate)$/i;
/** Kinds that keep a copy of a Secret, or make it, under its own name. */
const ofSameName = /Secret|Certificate|Config/;

/** True for an object of an extension that writes a Secret or a ConfigMap of this name. */
function makes(maker: KubernetesObject, name: string): boolean {
  if (maker.metadata.name === name && ofSameName.test(maker.kind)) return true;
  return Object.entries(recordAt(maker, "spec")).some(([field, value]) => {
    if (!targets.test(field)) return false;
    return value === name || textAt(value, "name") === name || textAt(value, "secretName") === name;
  });
}

/** What makes the Secrets and ConfigMaps that a pod or a workload needs: a Certificate, an ExternalSecret. */
export function makersFor(user: KubernetesObject, view: ClusterView): readonly KubernetesObject[] {
  const names = neededBy(user);
  if (names.size === 0) return [];
  return makers
    .flatMap((kind) => view.list(kind))
    .filter(
      (one) =>
        one.metadata.namespace === user.metadata.namespace &&
        !isBuiltIn(one) &&
        [...names].some((name) => makes(one, name)),
    );
}

/** Pods that need what an object of an extension makes. */
export function usersOfMade(
  maker: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  return view
    .podsMatching(maker.metadata.namespace, {})
    .filter((pod) => [...neededBy(pod)].some((name) => makes(maker, name)));
}

function neededBy(user: KubernetesObject): ReadonlySet<string> {
  const tls = user.kind === "Ingress" ? listAt(user, "spec", "tls") : [];
  const spec = findPodSpec(user);
  return new Set([
    ...tls.flatMap((one) => textAt(one, "secretName") ?? []),
    ...(spec === undefined ? [] : podReferences(spec, "spec"))
      .filter(({ kind }) => kind === "Secret" || kind === "ConfigMap")
      .map(({ name }) => name),
  ]);
}

function isBuiltIn({ kind }: KubernetesObject): boolean {
  return kind !== "Certificate" && isKindName(kind);
}

/** Certificates of a Service's namespace that are for the name a call was made to, or for the Service. */
export function certificatesOf(
  service: KubernetesObject | undefined,
  host: string | undefined,
  view: ClusterView,
): readonly KubernetesObject[] {
  if (service === undefined) return [];
  const { name, namespace = "" } = service.metadata;
  const names = new Set([
    ...(host === undefined ? [] : [host]),
    ...["", ".svc", ".svc.cluster.local"].map((end) => `${name}.${namespace}${end}`),
  ]);
  return view
    .list("Certificate")
    .filter(
      (one) =>
        one.metadata.namespace === namespace &&
        listAt(one, "spec", "dnsNames").some((each) => typeof each === "string" && names.has(each)),
    );
}
