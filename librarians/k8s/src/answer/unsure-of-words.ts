import type { KindName } from "../cluster/kinds.js";
import { isTrace } from "../diagnosis/detectors/trace.js";
import type { Investigation } from "../investigation.js";
import { readClaims } from "../question/claims.js";
import { plurals, unread } from "./unread.js";

/** Kinds that a question's own words ask about, of which at least one must have been read. */
const neededFor: readonly (readonly [RegExp, readonly KindName[]])[] = [
  [/\bnetwork ?polic|\bnetpol/i, ["NetworkPolicy"]],
  [
    /\b(?:connect|reach|unreachable|timed? ?out|timeout)/i,
    ["NetworkPolicy", "Service", "EndpointSlice", "Endpoints"],
  ],
  [/\b(?:istio|service mesh|mtls|authorization ?polic|access denied)/i, ["AuthorizationPolicy"]],
  [/\bscal(?:e|es|ed|ing)\b/i, ["HorizontalPodAutoscaler", "ScaledObject"]],
  [/\b(?:autoscal|hpa)/i, ["HorizontalPodAutoscaler", "ScaledObject"]],
  [/\b(?:drain|disruption|pdb)/i, ["PodDisruptionBudget"]],
  [/\bcertificates?\b|\btls\b|\bcert\b/i, ["Certificate"]],
  [/\bquota/i, ["ResourceQuota"]],
  [/\bwebhook/i, ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]],
  [
    /\b(?:forbidden|permission|rbac|allowed to)/i,
    ["RoleBinding", "ClusterRoleBinding", "AuthorizationPolicy"],
  ],
  [/\b(?:restart|crash|kill|oom)/i, ["Pod"]],
  [
    /\b(?:progress|roll(?:ing|ed|s)? ?out|rollouts?|deploys?|new (?:version|release|image))\b/i,
    ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet"],
  ],
  [
    /\b(?:creat(?:e|es|ed|ing)|new pods?|admission)\b/i,
    ["ReplicaSet", "StatefulSet", "DaemonSet", "Job", "ResourceQuota"],
  ],
  [/\b(?:pvc|claim|volume)/i, ["PersistentVolumeClaim", "PersistentVolume", "Pod"]],
];

/** Words for what runs on a node. */
const onNode = /\b(?:everything|anything|all|pods?|workloads?|containers?|restart\w*|on)\b/i;

/** Words for addresses, which only Services, Ingresses and Gateways have. */
const addresses = /\b(?:external|address|addresses|load ?balancers?|hostnames?|ips?)\b/i;
const entries = ["Service", "Ingress", "Gateway"] as const satisfies readonly KindName[];

/** Explains that objects which the question's words ask about were not read. Undefined when they were. */
export function explainUnreadWords({ question, view, objects }: Investigation): string | undefined {
  // An object that is known only from its events was not read.
  const own = new Set(objects.filter((one) => !isTrace(one)).map(({ kind }) => kind));
  const isOnNode = own.size === 1 && own.has("Node") && onNode.test(question.query);
  if (isOnNode && unread(["Pod"], view)) return "the pods that run there were not read";
  const isAddress = addresses.test(question.query) && !entries.some((kind) => own.has(kind));
  if (isAddress && unread(entries, view))
    return `${plurals(entries)} were not read; they hold the addresses`;
  // "Is web allowed to reach api?" asks for policies of the network, and not for rights.
  const { reach } = readClaims(question.query);
  for (const [pattern, kinds] of neededFor) {
    if (reach && kinds.includes("RoleBinding")) continue;
    if (!pattern.test(question.query) || kinds.some((kind) => own.has(kind))) continue;
    if (unread(kinds, view)) return `${plurals(kinds)} were not read; the question is about them`;
  }
  return undefined;
}
