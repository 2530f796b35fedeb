import type { SignalType } from "./signal-type.js";

const signals: Readonly<Record<string, SignalType>> = {
  Subscription: "SubscriptionFailed",
  InstallPlan: "SubscriptionFailed",
  ClusterServiceVersion: "SubscriptionFailed",
  CatalogSource: "SubscriptionFailed",
  GatewayClass: "IngressClassMissing",
  Gateway: "IngressBackendMissing",
  HTTPRoute: "IngressBackendMissing",
  HorizontalPodAutoscaler: "HPAUnableToScale",
  PodDisruptionBudget: "PDBBlocking",
  ScaledObject: "HPAUnableToScale",
  APIService: "ServiceNoEndpoints",
  Service: "ServiceNoEndpoints",
  HelmRelease: "RolloutStuck",
  Kustomization: "RolloutStuck",
};

/** Purposes of an extension's kinds, by words in their names, with the signal of their failure. */
const purposes: readonly (readonly [RegExp, SignalType])[] = [
  [/Certificate|Issuer|Challenge|Order/, "CertificateNotReady"],
  [/Route|Gateway|Ingress|Proxy|Listener|TargetGroup/, "IngressBackendMissing"],
  [/Scal/, "HPAUnableToScale"],
  [/Secret|Config|Store/, "MissingReference"],
  [/Snapshot|Volume|Backup|Restore|Bucket/, "PVFailed"],
  [/Machine|Node/, "NodeNotReady"],
  [/Job|Workflow|Run$|Task|Build/, "JobFailed"],
  [/Rollout|Release|Application|Deployment|Kustomization|Repository|Chart/, "RolloutStuck"],
];

/** What the failure of a thing of this kind is to those who use it. Undefined where its name does not say. */
export function findPurpose(kind: string): SignalType | undefined {
  return signals[kind] ?? purposes.find(([words]) => words.test(kind))?.[1];
}
