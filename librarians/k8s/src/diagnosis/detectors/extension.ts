import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import { listNamed } from "../agreements.js";
import {
  conditionText,
  findBadPhase,
  isBadCondition,
  listConditions,
  reportsFailure,
} from "../conditions.js";
import { type Detector, recentMs } from "../detector.js";
import { clause } from "../finding.js";
import type { SignalType } from "../signal-type.js";

/** What a status says about itself in words, under whatever name: `message`, `phaseReason`, `error.message`. */
function saidIn(object: KubernetesObject): string | undefined {
  const fields = Object.entries(recordAt(object, "status"));
  const texts = fields.flatMap(([field, value]) => {
    if (!/(?:message|error|failure|reason)s?$/i.test(field) || field === "reason") return [];
    if (Array.isArray(value)) return value.map(String);
    return (typeof value === "string" ? value : textAt(value, "message")) ?? [];
  });
  return texts.find((text) => text !== "");
}

/** What an operator's version waits for, and whom an install plan waits for. */
function describeRequirements(object: KubernetesObject): string | undefined {
  if (object.kind === "InstallPlan" && booleanAt(object, "spec", "approved") === false) {
    const names = listAt(object, "spec", "clusterServiceVersionNames").map(String).join(", ");
    return `it waits to be approved (approval ${textAt(object, "spec", "approval") ?? "Manual"}, approved false)${clause(", for ", names)}`;
  }
  const lacking = listAt(object, "status", "requirementStatus").filter((one) =>
    /^(?:NotPresent|PresentNotSatisfied)$/.test(textAt(one, "status") ?? ""),
  );
  const texts = lacking.map(
    (one) =>
      `${textAt(one, "kind") ?? ""} ${textAt(one, "name") ?? "?"} (${textAt(one, "status") ?? ""}${clause(": ", textAt(one, "message"))})`,
  );
  return lacking.length === 0 ? undefined : `it requires ${texts.slice(0, 5).join(", ")}`;
}

/** A resource of an extension whose own status says that it failed or waits. */
export const customConditions: Detector = (object, view) => {
  const bad = listConditions(object)
    // An upgrade that waits for a person is pending for good.
    .filter(
      (one) =>
        isBadCondition(one) ||
        reportsFailure(one) ||
        (one.type === "InstallPlanPending" &&
          one.reason === "RequiresApproval" &&
          one.status === "True"),
    )
    // What cannot be resolved is why the rest is not programmed.
    .sort((a, b) => Number(b.type === "ResolvedRefs") - Number(a.type === "ResolvedRefs"));
  const reason = textAt(object, "status", "reason") ?? "";
  const phase = reason === "Copied" ? undefined : findBadPhase(object);
  const connection = textAt(object, "status", "connectionState", "lastObservedState");
  const lost = /^(?:TRANSIENT_FAILURE|CONNECTING)$/.test(connection ?? "") ? connection : undefined;
  const end = timeAt(object, "status", "notAfter") ?? view.now;
  const isOver = end < view.now;
  if (bad.length === 0 && phase === undefined && lost === undefined && !isOver) return [];
  const said = bad.find(({ message }) => message !== "")?.message;
  const wanting = describeRequirements(object);
  const event = view.warning(object);
  // A controller may put into the event what the condition only sums up.
  const isNews =
    event !== undefined &&
    said?.includes(event.message.slice(0, 40)) === false &&
    view.now - (event.lastSeen ?? view.now) < 2 * recentMs;
  // Some say in a phase of several words, and in its reason, what their condition only sums up.
  const words = [textAt(object, "status", "phase") ?? "", saidIn(object) ?? ""].filter(
    (text) => bad.length > 0 && text.includes(" ") && !said?.includes(text) && text !== phase?.text,
  );
  const more = [...words, ...(isNews ? [`${event.reason}: ${event.message}`] : [])];
  const message = wanting ?? said ?? phase?.message ?? saidIn(object) ?? (reason || undefined);
  const what = [
    ...bad.map(conditionText),
    phase === undefined
      ? ""
      : `its ${phase.path.split(".").at(-1) ?? "phase"} is ${phase.text}${clause(" (", reason, ")")}`,
    clause("its connection is ", lost),
    isOver ? "it has expired" : "",
  ].filter((text) => text !== "");
  return {
    signal: findPurpose(object.kind) ?? "ReplicasUnavailable",
    severity: "high",
    summary: `${object.kind} ${object.metadata.name}: ${what.join(", ")}${message === undefined ? "" : `: ${message}`}${more.map((text) => `; ${text}`).join("")}`,
    message: message ?? event?.message,
    evidence: [
      ...bad,
      [phase?.path ?? "", phase?.text],
      ["status", wanting],
      ["status.connectionState", lost],
      ["status.notAfter", isOver ? new Date(end).toISOString() : undefined],
      event,
      ["status.notAfter", isOver ? new Date(end).toISOString() : undefined],
    ],
    values: { phase: phase?.text, reason },
  };
};

/** How long a controller has to act on a new object, in milliseconds. */
const patienceMs = 300_000;

/** What a controller writes into each status at once, by kind, and what it means that it did not. */
const written: readonly (readonly [RegExp, string, string])[] = [
  [/^Certificate$/, "conditions", "no controller has looked at it"],
  [/^CertificateSigningRequest$/, "conditions", "it has been neither approved nor denied"],
  [/^(?:HTTP|GRPC|TLS|TCP|UDP)Route$/, "parents", "no gateway has taken it"],
];

/** An object that its controller has not looked at. */
export const untouched: Detector = (object, view) => {
  const [, field, text] = written.find(([kind]) => kind.test(object.kind)) ?? [];
  const born = timeAt(object, "metadata", "creationTimestamp");
  const isNew = born !== undefined && view.now - born <= patienceMs;
  if (field === undefined || isNew || !("status" in object)) return [];
  if (listAt(object, "status", field).length > 0) return [];
  const { signerName, username } = recordAt(object, "spec");
  const waits = [
    ...listNamed(object)
      .filter(({ at }) => at.startsWith("spec.parentRefs"))
      .map(({ namespace, name }) => `${namespace ?? ""}/${name}`),
    ...[username, signerName].filter((one) => typeof one === "string"),
  ];
  return {
    signal: findPurpose(object.kind) ?? "RolloutStuck",
    severity: "high",
    summary: `${object.kind} ${object.metadata.name}: ${text}${clause(" (of ", waits.join(", "), ")")}`,
    evidence: [[`status.${field}`, "none"]],
  };
};

/** How long a controller has to act on a change, in milliseconds. */
const changeMs = 60_000;

/** An object whose controller has not acted on its spec: the status is that of an earlier generation. */
export const unobserved: Detector = (object, view) => {
  const generation = numberAt(object, "metadata", "generation");
  const own = numberAt(object, "status", "observedGeneration");
  const path =
    own === undefined ? "status.conditions[].observedGeneration" : "status.observedGeneration";
  // The newest generation that a status speaks of.
  const observed =
    own ??
    Math.max(
      ...listAt(object, "status", "conditions").flatMap(
        (one) => numberAt(one, "observedGeneration") ?? [],
      ),
    );
  if (generation === undefined || !Number.isFinite(observed) || observed >= generation) return [];
  const name = `${object.kind} ${object.metadata.name}`;
  const changed = timeAt(object, "metadata", "lastEdit", "at") ?? Number.NEGATIVE_INFINITY;
  const behind = `its controller has observed generation ${observed} of ${generation} (${path})`;
  return {
    signal: findPurpose(object.kind) ?? "RolloutStuck",
    severity: "high",
    // Not every controller writes it to each condition.
    verified: own !== undefined,
    summary: `the last change of ${name} is not processed: ${behind}, so what the status says, and what runs, is of the spec before`,
    message: `observedGeneration ${observed}, generation ${generation}`,
    evidence: [
      [path, `${observed}`],
      ["metadata.generation", `${generation}`],
    ],
    values: { is_unobserved: true },
    ...(view.now - changed < changeMs && {
      standing: {
        kind: "early",
        why: `${name} was changed ${Math.round((view.now - changed) / 1_000)} s ago, and ${behind}: its status speaks of the spec before`,
      },
    }),
  };
};

const signals: Readonly<Record<string, SignalType>> = {
  VolumeAttachment: "FailedAttachVolume",
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
function findPurpose(kind: string): SignalType | undefined {
  return signals[kind] ?? purposes.find(([words]) => words.test(kind))?.[1];
}
