/** Everything that can be observed, by the names that signals and workflow catalogs use. */
export const signalTypes = [
  "OOMKilled",
  "CrashLoopBackOff",
  "ImagePullBackOff",
  "InitContainerFailed",
  "FailedScheduling",
  "SchedulingGated",
  "Evicted",
  "Preempted",
  "FailedCreatePodSandBox",
  "FailedAttachVolume",
  "FailedMount",
  "PodFailed",
  "PodNotReady",
  "ReadinessProbeFailed",
  "NodeNotReady",
  "NodePressure",
  "NodeRestart",
  "NodeCordoned",
  "ReplicasUnavailable",
  "RolloutStuck",
  "ScaledToZero",
  "FailedCreate",
  "QuotaExceeded",
  "WebhookUnavailable",
  "JobFailed",
  "JobSuspended",
  "CronJobSuspended",
  "CronJobNotRunning",
  "HPAUnableToScale",
  "HPAMaxedOut",
  "PDBBlocking",
  "PDBNoPods",
  "PVCPending",
  "PVCLost",
  "PVFailed",
  "ServiceNoEndpoints",
  "IngressBackendMissing",
  "IngressClassMissing",
  "NetworkPolicyBlocking",
  "NetworkPolicyNoPods",
  "RBACDenied",
  "MissingReference",
  "CertificateNotReady",
  "ApplicationError",
  "StuckTerminating",
  "QuotaNearlyFull",
  "SubscriptionFailed",
  "MeshPolicyDenied",
  "Healthy",
] as const;

/** A row of {@link signalTypes}. */
export type SignalType = (typeof signalTypes)[number];

/** How bad it is for what runs there. */
export type Severity = "critical" | "high" | "medium" | "low";

/** Signals of a pod or of what creates pods: each of them leaves a workload short. */
const podTrouble = [
  "OOMKilled",
  "CrashLoopBackOff",
  "ImagePullBackOff",
  "InitContainerFailed",
  "FailedScheduling",
  "SchedulingGated",
  "Evicted",
  "Preempted",
  "FailedCreatePodSandBox",
  "FailedAttachVolume",
  "FailedMount",
  "PodFailed",
  "ReadinessProbeFailed",
  "MissingReference",
  "RBACDenied",
  "NetworkPolicyBlocking",
] as const satisfies readonly SignalType[];

const short = [
  "ReplicasUnavailable",
  "RolloutStuck",
  "JobFailed",
  "ServiceNoEndpoints",
  "PDBBlocking",
  "WebhookUnavailable",
  "HPAUnableToScale",
  "SubscriptionFailed",
] as const satisfies readonly SignalType[];

/** Signals of a pod that does not get to its end, so that the CronJob of its Job starts no other. */
const unending = [
  "ImagePullBackOff",
  "InitContainerFailed",
  "FailedScheduling",
  "SchedulingGated",
  "FailedCreatePodSandBox",
  "FailedAttachVolume",
  "FailedMount",
  "MissingReference",
  "CrashLoopBackOff",
] as const satisfies readonly SignalType[];

/** Cause -> what it shows itself as, on the objects that depend on the one with the cause. */
const explained: Partial<Record<SignalType, readonly SignalType[]>> = {
  ...Object.fromEntries(podTrouble.map((signal) => [signal, short])),
  ...Object.fromEntries(unending.map((signal) => [signal, [...short, "CronJobNotRunning"]])),
  // A job that gave up is what its failed pods are about.
  CrashLoopBackOff: [...short.filter((signal) => signal !== "JobFailed"), "CronJobNotRunning"],
  PodFailed: short.filter((signal) => signal !== "JobFailed"),
  JobFailed: ["PodFailed", "CrashLoopBackOff", "PodNotReady"],
  // A resource that should make a Secret, and the pod that lacks it.
  MissingReference: [...short, "CronJobNotRunning", "MissingReference", "FailedMount"],
  JobSuspended: ["CronJobNotRunning"],
  NodeNotReady: [
    ...short,
    "PodNotReady",
    "ReadinessProbeFailed",
    "PodFailed",
    "Evicted",
    "FailedScheduling",
    "FailedAttachVolume",
    "FailedMount",
    "StuckTerminating",
  ],
  NodeRestart: [...short, "PodNotReady", "PodFailed", "ReadinessProbeFailed", "CrashLoopBackOff"],
  NodePressure: ["FailedScheduling", "ReplicasUnavailable"],
  NetworkPolicyBlocking: [
    ...short,
    "ReadinessProbeFailed",
    "PodNotReady",
    "CrashLoopBackOff",
    "ApplicationError",
  ],
  QuotaExceeded: [...short, "FailedCreate"],
  FailedCreate: short,
  ScaledToZero: ["ServiceNoEndpoints", "HPAUnableToScale", "WebhookUnavailable", "PDBNoPods"],
  NodeCordoned: ["FailedScheduling"],
  PVFailed: ["PVCPending", "PVCLost", "FailedScheduling", "FailedMount"],
  PVCPending: [...short, "FailedScheduling"],
  PVCLost: [...short, "FailedScheduling", "FailedAttachVolume", "FailedMount"],
  StuckTerminating: ["FailedAttachVolume", "FailedMount"],
  ReplicasUnavailable: [
    "ServiceNoEndpoints",
    "PDBBlocking",
    "WebhookUnavailable",
    "PodNotReady",
    "ReplicasUnavailable",
  ],
  RolloutStuck: ["ReplicasUnavailable", "PodNotReady", "ServiceNoEndpoints"],
  WebhookUnavailable: [...short, "FailedCreate"],
  CertificateNotReady: ["MissingReference", "CertificateNotReady", "FailedMount"],
  IngressBackendMissing: ["IngressBackendMissing"],
  IngressClassMissing: ["IngressBackendMissing"],
  SubscriptionFailed: ["SubscriptionFailed", "ReplicasUnavailable"],
};

/** True when `cause`, on something an object depends on, is what `symptom` on that object comes from. */
export function explains(cause: SignalType, symptom: SignalType): boolean {
  return explained[cause]?.includes(symptom) === true;
}

/** Order among causes that are equally close to the question: what others wait for comes first. */
export function getCausalDepth(signal: SignalType): number {
  return depths.findIndex((level) => level.includes(signal));
}

const depths: readonly (readonly SignalType[])[] = [
  ["NodeNotReady", "QuotaExceeded", "NodeRestart"],
  ["NodePressure", "PVFailed", "PVCLost", "RBACDenied", "NetworkPolicyBlocking"],
  ["OOMKilled", "ImagePullBackOff", "PVCPending", "FailedCreate", "WebhookUnavailable"],
  [
    "MissingReference",
    "InitContainerFailed",
    "FailedScheduling",
    "FailedCreatePodSandBox",
    "FailedAttachVolume",
    "FailedMount",
    "Evicted",
    "Preempted",
    "SchedulingGated",
    "StuckTerminating",
    "SubscriptionFailed",
    "MeshPolicyDenied",
  ],
  ["CrashLoopBackOff", "CertificateNotReady"],
  [
    "PodFailed",
    "ReadinessProbeFailed",
    "JobFailed",
    "IngressBackendMissing",
    "IngressClassMissing",
  ],
  [
    "RolloutStuck",
    "ReplicasUnavailable",
    "ServiceNoEndpoints",
    "HPAUnableToScale",
    "CronJobNotRunning",
  ],
  ["PodNotReady", "ApplicationError", "ScaledToZero", "JobSuspended", "CronJobSuspended"],
  [
    "HPAMaxedOut",
    "NodeCordoned",
    "QuotaNearlyFull",
    "PDBBlocking",
    "PDBNoPods",
    "NetworkPolicyNoPods",
  ],
  ["Healthy"],
];
