/** How one kind of object is addressed in the Kubernetes API, and which right reading it takes. */
export interface Kind {
  /** API group. Empty for the core group. */
  readonly group: string;
  /** Version that is asked for. A snapshot may hold another one. */
  readonly version: string;
  /** Name of the kind in a path and in a rule of a role. */
  readonly plural: string;
  /** False for kinds that belong to the whole cluster. */
  readonly namespaced: boolean;
  /** `view`: the built-in cluster role `view` is enough. `extra`: the small role shipped beside it is needed. `none`: it is read from recordings only. */
  readonly right: "view" | "extra" | "none";
  /** Groups this kind had in older clusters; a snapshot may still hold them. */
  readonly formerGroups?: readonly string[];
}

/**
 * Every kind that can be read, in the order that questions name them most.
 *
 * Secrets are left out on purpose: no adapter can read one, whatever its rights.
 */
export const kinds = {
  Pod: core("pods"),
  Node: { ...core("nodes"), namespaced: false, right: "extra" },
  Namespace: { ...core("namespaces"), namespaced: false },
  Service: core("services"),
  Endpoints: core("endpoints"),
  EndpointSlice: grouped("discovery.k8s.io", "v1", "endpointslices"),
  Deployment: { ...grouped("apps", "v1", "deployments"), formerGroups: ["extensions"] },
  ReplicaSet: { ...grouped("apps", "v1", "replicasets"), formerGroups: ["extensions"] },
  ReplicationController: core("replicationcontrollers"),
  StatefulSet: grouped("apps", "v1", "statefulsets"),
  DaemonSet: { ...grouped("apps", "v1", "daemonsets"), formerGroups: ["extensions"] },
  Job: grouped("batch", "v1", "jobs"),
  CronJob: grouped("batch", "v1", "cronjobs"),
  HorizontalPodAutoscaler: grouped("autoscaling", "v2", "horizontalpodautoscalers"),
  PodDisruptionBudget: grouped("policy", "v1", "poddisruptionbudgets"),
  PersistentVolumeClaim: core("persistentvolumeclaims"),
  PersistentVolume: { ...core("persistentvolumes"), namespaced: false, right: "extra" },
  StorageClass: clusterWide("storage.k8s.io", "v1", "storageclasses"),
  VolumeAttachment: clusterWide("storage.k8s.io", "v1", "volumeattachments"),
  ConfigMap: core("configmaps"),
  Ingress: { ...grouped("networking.k8s.io", "v1", "ingresses"), formerGroups: ["extensions"] },
  IngressClass: clusterWide("networking.k8s.io", "v1", "ingressclasses"),
  NetworkPolicy: {
    ...grouped("networking.k8s.io", "v1", "networkpolicies"),
    formerGroups: ["extensions"],
  },
  ResourceQuota: core("resourcequotas"),
  LimitRange: core("limitranges"),
  ServiceAccount: core("serviceaccounts"),
  Role: extra("rbac.authorization.k8s.io", "v1", "roles"),
  RoleBinding: extra("rbac.authorization.k8s.io", "v1", "rolebindings"),
  ClusterRole: clusterWide("rbac.authorization.k8s.io", "v1", "clusterroles"),
  ClusterRoleBinding: clusterWide("rbac.authorization.k8s.io", "v1", "clusterrolebindings"),
  MutatingWebhookConfiguration: clusterWide(
    "admissionregistration.k8s.io",
    "v1",
    "mutatingwebhookconfigurations",
  ),
  ValidatingWebhookConfiguration: clusterWide(
    "admissionregistration.k8s.io",
    "v1",
    "validatingwebhookconfigurations",
  ),
  PriorityClass: clusterWide("scheduling.k8s.io", "v1", "priorityclasses"),
  Lease: extra("coordination.k8s.io", "v1", "leases"),
  GatewayClass: clusterWide("gateway.networking.k8s.io", "v1", "gatewayclasses"),
  Gateway: extra("gateway.networking.k8s.io", "v1", "gateways"),
  HTTPRoute: extra("gateway.networking.k8s.io", "v1", "httproutes"),
  Certificate: extra("cert-manager.io", "v1", "certificates"),
  CertificateRequest: extra("cert-manager.io", "v1", "certificaterequests"),
  Issuer: extra("cert-manager.io", "v1", "issuers"),
  ClusterIssuer: clusterWide("cert-manager.io", "v1", "clusterissuers"),
  Order: extra("acme.cert-manager.io", "v1", "orders"),
  Challenge: extra("acme.cert-manager.io", "v1", "challenges"),
  Subscription: extra("operators.coreos.com", "v1alpha1", "subscriptions"),
  InstallPlan: extra("operators.coreos.com", "v1alpha1", "installplans"),
  ClusterServiceVersion: extra("operators.coreos.com", "v1alpha1", "clusterserviceversions"),
  CatalogSource: extra("operators.coreos.com", "v1alpha1", "catalogsources"),
  AuthorizationPolicy: extra("security.istio.io", "v1", "authorizationpolicies"),
  PeerAuthentication: extra("security.istio.io", "v1", "peerauthentications"),
  DestinationRule: extra("networking.istio.io", "v1", "destinationrules"),
  VirtualService: extra("networking.istio.io", "v1", "virtualservices"),
  ScaledObject: extra("keda.sh", "v1alpha1", "scaledobjects"),
  APIService: clusterWide("apiregistration.k8s.io", "v1", "apiservices"),
  Application: extra("argoproj.io", "v1alpha1", "applications"),
  HelmRelease: extra("helm.toolkit.fluxcd.io", "v2", "helmreleases"),
  Kustomization: extra("kustomize.toolkit.fluxcd.io", "v1", "kustomizations"),
  /** What extensions have beside these, of any group: a recording may hold them, and no path leads to all of them. */
  CustomResource: {
    group: "*",
    version: "*",
    plural: "customresources",
    namespaced: true,
    right: "none",
  },
} as const satisfies Record<string, Kind>;

/** Name of a kind that can be read, spelt as in a manifest. */
export type KindName = keyof typeof kinds;

/** Every {@link KindName}, in the order of {@link kinds}. */
export const kindNames: readonly KindName[] = Object.keys(kinds).filter(isKindName);

/** True for a kind that can be read. False for `Secret`, always. */
export function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}

/** What the table says about a kind. */
export function getKind(name: KindName): Kind {
  return kinds[name];
}

/**
 * Which readable kind an object is, by its `kind` and the group in its `apiVersion`.
 *
 * @returns `CustomResource` for a kind that is not in the table, of a group with a domain; undefined for any
 *   other, and for one that only shares its name with one of another group (a Knative `Service`). An object without `apiVersion` is judged by its kind alone.
 */
export function kindOfObject(kind: string, apiVersion: string | undefined): KindName | undefined {
  const slash = apiVersion?.lastIndexOf("/") ?? -1;
  const group = apiVersion === undefined || slash === -1 ? "" : apiVersion.slice(0, slash);
  if (!isKindName(kind)) return isCustom(kind, group) ? "CustomResource" : undefined;
  if (apiVersion === undefined || apiVersion === "") return kind;
  const entry = getKind(kind);
  const fits = group === entry.group || entry.formerGroups?.includes(group) === true;
  return fits ? kind : undefined;
}

/** Extensions have a domain as their group. */
function isCustom(kind: string, group: string): boolean {
  return /^[A-Z][A-Za-z0-9]{1,62}$/.test(kind) && kind !== "Secret" && group.includes(".");
}

function core(plural: string): Kind {
  return { group: "", version: "v1", plural, namespaced: true, right: "view" };
}

function grouped(group: string, version: string, plural: string): Kind {
  return { group, version, plural, namespaced: true, right: "view" };
}

function extra(group: string, version: string, plural: string): Kind {
  return { group, version, plural, namespaced: true, right: "extra" };
}

function clusterWide(group: string, version: string, plural: string): Kind {
  return { group, version, plural, namespaced: false, right: "extra" };
}
