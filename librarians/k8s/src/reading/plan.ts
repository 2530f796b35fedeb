import type { KindName } from "../cluster/kinds.js";
import { readClaims } from "../question/claims.js";
import type { Question } from "../question/question.js";
import { requestLookups } from "../question/requested.js";

const workloads = [
  "Pod",
  "ReplicaSet",
  "Deployment",
  "StatefulSet",
  "DaemonSet",
] as const satisfies readonly KindName[];
/** Kinds that may cause failures of a workload or show them. */
const around = [
  ...workloads,
  "Job",
  "Node",
  "PersistentVolumeClaim",
  "PersistentVolume",
  "StorageClass",
  "ConfigMap",
  "ServiceAccount",
  "ResourceQuota",
  "NetworkPolicy",
  "Service",
] as const satisfies readonly KindName[];

/** What may be scaled, with what scales it and what limits its disruption. */
const scaled = [
  ...around,
  "HorizontalPodAutoscaler",
  "PodDisruptionBudget",
] as const satisfies readonly KindName[];
const services = [...around, "Endpoints", "EndpointSlice"] as const satisfies readonly KindName[];
/** What admits an object, or refuses it. */
export const webhooks = [
  "MutatingWebhookConfiguration",
  "ValidatingWebhookConfiguration",
] as const satisfies readonly KindName[];
const bindings = [
  "Role",
  "ClusterRole",
  "RoleBinding",
  "ClusterRoleBinding",
  "ServiceAccount",
] as const satisfies readonly KindName[];

/** What a question without a kind is answered from. */
export const everything: readonly KindName[] = [
  ...services,
  "CronJob",
  "Ingress",
  "IngressClass",
  "HorizontalPodAutoscaler",
  "PodDisruptionBudget",
  ...webhooks,
  "Certificate",
];

/** What people name most. */
export const workloadKinds: readonly KindName[] = [...workloads, "Job", "CronJob", "Service"];

/** What a call into another namespace may fail on. */
export const behindCalls: readonly KindName[] = [
  ...workloads,
  "Service",
  "Endpoints",
  "EndpointSlice",
  "NetworkPolicy",
  "PersistentVolumeClaim",
  "ConfigMap",
  "Certificate",
];

/** What makes certificates: read where a call fails for one. */
export const issuers: readonly KindName[] = [
  "Certificate",
  "CertificateRequest",
  "Issuer",
  "ClusterIssuer",
];

/** Extensions, which most clusters have some of: read where the question or what was found leads there. */
export const extensions: readonly KindName[] = [
  "Lease",
  "GatewayClass",
  "Gateway",
  "HTTPRoute",
  "CertificateRequest",
  "Issuer",
  "ClusterIssuer",
  "Order",
  "Challenge",
  "Subscription",
  "InstallPlan",
  "ClusterServiceVersion",
  "CatalogSource",
  "AuthorizationPolicy",
  "PeerAuthentication",
  "DestinationRule",
  "VirtualService",
  "ScaledObject",
  "Application",
  "HelmRelease",
  "Kustomization",
  "APIService",
  "CustomResource",
];

/** Policies and routes of a service mesh. */
export const meshKinds: readonly KindName[] = [
  "AuthorizationPolicy",
  "PeerAuthentication",
  "DestinationRule",
  "VirtualService",
];

/** Behind an autoscaler's metrics: the API that gives them. */
export const metricsKinds: readonly KindName[] = ["APIService"];

/** Which node a volume is attached to. */
export const attachments: readonly KindName[] = ["VolumeAttachment"];

/** Kinds of access control. */
export const rights: readonly KindName[] = [
  "Role",
  "ClusterRole",
  "RoleBinding",
  "ClusterRoleBinding",
];

const certificates = [
  "Certificate",
  "CertificateRequest",
  "Issuer",
  "ClusterIssuer",
  "Order",
  "Challenge",
] as const satisfies readonly KindName[];
const operators = [
  "Subscription",
  "InstallPlan",
  "ClusterServiceVersion",
  "CatalogSource",
] as const satisfies readonly KindName[];

const table: Partial<Record<KindName, readonly KindName[]>> = {
  Pod: scaled,
  Deployment: scaled,
  ReplicaSet: around,
  ReplicationController: [...around, "ReplicationController"],
  StatefulSet: scaled,
  DaemonSet: around,
  Job: [...around, "CronJob"],
  CronJob: [...around, "CronJob"],
  Node: ["Node", "Lease"],
  HorizontalPodAutoscaler: [...around, "HorizontalPodAutoscaler"],
  PodDisruptionBudget: [...around, "PodDisruptionBudget"],
  PersistentVolumeClaim: ["PersistentVolumeClaim", "PersistentVolume", "StorageClass", "Pod"],
  PersistentVolume: ["PersistentVolume", "PersistentVolumeClaim", "StorageClass"],
  StorageClass: ["StorageClass", "PersistentVolumeClaim", "Pod"],
  Service: services,
  Ingress: [...services, "Ingress", "IngressClass", "Certificate"],
  IngressClass: ["Ingress", "IngressClass"],
  NetworkPolicy: [...workloads, "NetworkPolicy"],
  MutatingWebhookConfiguration: [...webhooks, "Service", "Pod"],
  ValidatingWebhookConfiguration: [...webhooks, "Service", "Pod"],
  ServiceAccount: ["ServiceAccount", "Pod", ...bindings],
  Role: bindings,
  RoleBinding: bindings,
  ClusterRoleBinding: bindings,
  Certificate: [...certificates, "Ingress"],
  Issuer: certificates,
  ClusterIssuer: certificates,
  Subscription: [...operators, ...workloads],
  ClusterServiceVersion: [...operators, ...workloads],
  Gateway: [...services, "Gateway", "GatewayClass", "HTTPRoute"],
  HTTPRoute: [...services, "Gateway", "GatewayClass", "HTTPRoute"],
  ResourceQuota: ["ResourceQuota", "LimitRange", ...workloads],
  ConfigMap: ["ConfigMap", ...around],
  ScaledObject: [...around, "HorizontalPodAutoscaler", "ScaledObject"],
  Application: ["Application", ...workloads],
  VirtualService: [...services, "VirtualService", "DestinationRule"],
  AuthorizationPolicy: [...services, ...meshKinds],
  PeerAuthentication: [...services, ...meshKinds],
  APIService: ["APIService", ...services],
  HelmRelease: ["HelmRelease", ...workloads],
  Kustomization: ["Kustomization", ...workloads],
  InstallPlan: [...operators, ...workloads],
  CatalogSource: [...operators, ...workloads],
  Lease: ["Lease", "Node"],
};

/** Kinds that must be read for a question about these kinds; without a kind, all kinds. */
export function kindsFor(kinds: readonly KindName[]): readonly KindName[] {
  if (kinds.length === 0) return everything;
  return [...new Set(kinds.flatMap((kind) => [kind, ...(table[kind] ?? [])]))];
}

/** `shop.example.com`, and no file or version. */
function isHost(name: string): boolean {
  return /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,8}\.[a-z]{2,24}$/i.test(name);
}

/** Kinds that a question is answered from, by the kinds that it names and by what it asks for. */
export function plannedFor(question: Question, asked: readonly KindName[]): readonly KindName[] {
  const lookups = requestLookups(question).lookups.map(({ lookup }) => lookup);
  const claims = readClaims(question.query);
  const isNamespaces = asked.length > 0 && asked.every((kind) => kind === "Namespace");
  const isOverview = isNamespaces && lookups.length === 0;
  return [
    ...new Set<KindName>([
      ...(isOverview ? [...asked, ...everything] : kindsFor(asked)),
      // A call without an answer may fail anywhere between the address and the pods.
      ...(asked.length > 0 && (claims.calls || question.names.some(isHost)) ? everything : []),
      ...(lookups.includes("users") ? everything : []),
      ...(lookups.includes("rights") ? (["ServiceAccount", ...rights] as const) : []),
      ...(question.signals.has("FailedAttachVolume") ? attachments : []),
      ...(question.signals.has("PDBBlocking") ? (["Pod", "PodDisruptionBudget"] as const) : []),
      // A question about connections of a node is about the node's pods.
      ...(asked.includes("Node") && (claims.calls || claims.names) ? services : []),
      ...(lookups.includes("list") || lookups.includes("count")
        ? asked.includes("Node")
          ? (["Pod"] as const)
          : []
        : []),
    ]),
  ];
}
