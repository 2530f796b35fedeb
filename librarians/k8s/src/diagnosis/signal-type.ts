import { readFileSync } from "node:fs";

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
  "SettingsMismatch",
  "Healthy",
] as const;

/** A row of {@link signalTypes}. */
export type SignalType = (typeof signalTypes)[number];

/** How bad it is for what runs there. */
export type Severity = "critical" | "high" | "medium" | "low";

/** What is known of a kind of signal: a row of `data/signals.json`. */
interface SignalRow {
  readonly name: SignalType;
  /** What is wrong, said of the thing it is wrong with, in words that need no knowledge of Kubernetes' names. */
  readonly words: string;
  /** Order among causes that are equally close to the question: what others wait for comes first. */
  readonly depth: number;
  /** What it shows itself as, on the objects that depend on the one with it; `shortage` for all of those. */
  readonly explains?: readonly (SignalType | "shortage")[];
  readonly is?: readonly SignalTrait[];
}

/** What several kinds of signals have in common. */
export type SignalTrait =
  /** Its cause may be in what does not belong to the object. */
  | "causedElsewhere"
  /** Its cause may be in the resources of an extension. */
  | "causedByExtension"
  /** It reports only that something does not work yet, without the reason. */
  | "notYet"
  /** A new template may bring it. */
  | "ofTemplate"
  /** Another configuration may bring it. */
  | "ofConfig"
  /** A container ended. */
  | "endOfContainer"
  /** A run ended, of a container or of all on a node. */
  | "endOfRun"
  /** A driver for volumes or networks on the node may be behind it. */
  | "ofNodeDriver"
  /** It is intended. */
  | "onPurpose"
  /** The API refuses to create a pod. */
  | "refusedByApi"
  /** It blocks a call. */
  | "blocksCalls"
  /** It happens once, and does not go on. */
  | "happensOnce"
  /** It reports that something ended or is missing, without the reason. */
  | "withoutReason";

const table = JSON.parse(
  readFileSync(new URL("../../data/signals.json", import.meta.url), "utf8"),
) as { readonly shortage: readonly SignalType[]; readonly signals: readonly SignalRow[] };
const rows = new Map(table.signals.map((row) => [row.name, row] as const));
const explained = new Map(
  table.signals.map(({ name, explains: symptoms = [] }) => [
    name,
    new Set(symptoms.flatMap((one) => (one === "shortage" ? table.shortage : [one]))),
  ]),
);

/** True when `cause`, on something an object depends on, is what `symptom` on that object comes from. */
export function explains(cause: SignalType, symptom: SignalType): boolean {
  return explained.get(cause)?.has(symptom) === true;
}

/** Order among causes that are equally close to the question: what others wait for comes first. */
export function getCausalDepth(signal: SignalType): number {
  return rows.get(signal)?.depth ?? -1;
}

/** What is wrong, in plain words: `runs out of memory`. */
export function describeSignal(signal: SignalType): string {
  return rows.get(signal)?.words ?? signal;
}

/** True for a signal that has a trait. */
export function hasTrait(signal: SignalType, trait: SignalTrait): boolean {
  return rows.get(signal)?.is?.includes(trait) === true;
}
