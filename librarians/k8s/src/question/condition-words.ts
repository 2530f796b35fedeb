import { type SignalType, signalTypes } from "../diagnosis/signal-type.js";

/** Words of people -> what they may be speaking of. */
const table: readonly (readonly [RegExp, readonly SignalType[]])[] = [
  [/\bpending\b|\bschedul|\bplaced\b/, ["FailedScheduling", "SchedulingGated", "PVCPending"]],
  // Whatever keeps a container from starting leaves its pod pending.
  [
    /\bpending\b/,
    [
      "PodNotReady",
      "ImagePullBackOff",
      "InitContainerFailed",
      "FailedCreatePodSandBox",
      "FailedAttachVolume",
      "FailedMount",
      "MissingReference",
    ],
  ],
  [/\bnot bound\b|\bunbound\b/, ["PVCPending", "PVCLost", "PVFailed"]],
  [/\bgate[ds]?\b/, ["SchedulingGated"]],
  [
    /\bcrash|\brestart|\bflapping\b|\bbackoff\b/,
    ["CrashLoopBackOff", "OOMKilled", "InitContainerFailed", "NodeRestart"],
  ],
  [/\boom|\bout of memory\b|\bmemory\b/, ["OOMKilled", "NodePressure", "Evicted"]],
  [/\bevict(?:ed)?\b/, ["Evicted"]],
  [
    /\bevictions?\b|\bdrain|\bdisruption|\bnodes? (?:upgrade|maintenance)|\b(?:upgrade|upgrading|maintenance) (?:of |on )?(?:the |our )?nodes?\b/,
    ["PDBBlocking", "PDBNoPods", "Evicted"],
  ],
  [
    /\bprotects? no\b|\bselects? no|\bno pods?\b.{0,100}\b(?:match|protect|select)|\bprotects? nothing/,
    ["PDBNoPods", "NetworkPolicyNoPods"],
  ],
  [/\bpull|\bimages?\b|\bregistry\b/, ["ImagePullBackOff"]],
  [/\binit\b/, ["InitContainerFailed"]],
  [
    /\bnot ready\b|\bunready\b|\breadiness\b|\bprobe/,
    ["ReadinessProbeFailed", "PodNotReady", "NodeNotReady", "CertificateNotReady"],
  ],
  // Whatever keeps a container from running keeps its pod from being ready.
  [
    /\bnot ready\b|\bunready\b|\bunavailable\b|\bnot available\b/,
    [
      "ReplicasUnavailable",
      "OOMKilled",
      "CrashLoopBackOff",
      "ImagePullBackOff",
      "FailedScheduling",
    ],
  ],
  [/\battach|\bmulti-attach\b|\bmount|\bvolumes?\b/, ["FailedAttachVolume", "FailedMount"]],
  [/\bcordon|\bunschedulable\b|\bscheduling disabled\b/, ["NodeCordoned"]],
  [/\bpressure\b/, ["NodePressure"]],
  [/\bterminat|\bdelet|\bfinali[sz]er|\bgo away\b/, ["StuckTerminating"]],
  [/\breboot|\bnode\b.{0,100}\brestart/, ["NodeRestart"]],
  [/\brollout\b|\broll out\b|\bstuck\b|\bprogress/, ["RolloutStuck"]],
  [
    /\bscaled? (?:down )?to (?:0|zero)\b|\bzero replicas\b|\bno pods\b/,
    ["ScaledToZero", "FailedCreate", "QuotaExceeded"],
  ],
  [/\bquota/, ["QuotaExceeded", "FailedCreate"]],
  [/\bwebhook/, ["WebhookUnavailable"]],
  [/\bsuspend/, ["JobSuspended", "CronJobSuspended"]],
  [/\bscale\b|\bscaling\b|\bautoscal|\bhpa\b/, ["HPAUnableToScale", "HPAMaxedOut"]],
  [
    /\bendpoints?\b|\bnot answer|\btraffic\b|\b50[234]\b/,
    ["ServiceNoEndpoints", "IngressBackendMissing"],
  ],
  [
    /\broute[sd]?\b|\brouting\b/,
    ["IngressBackendMissing", "IngressClassMissing", "ServiceNoEndpoints"],
  ],
  [
    /\bnetwork polic|\bconnect|\btimed? ?out|\bunreachable\b|\bnetpol/,
    ["NetworkPolicyBlocking", "NetworkPolicyNoPods"],
  ],
  [
    /\baccess denied\b|\b403\b|\bauthorization ?polic|\bistio\b|\bmtls\b|\bservice mesh\b|\bpeer ?authentication/,
    ["MeshPolicyDenied"],
  ],
  [/\bforbidden\b|\bpermission|\brbac\b|\bdenied\b|\ballowed to\b/, ["RBACDenied"]],
  [/\breferenc|\bdangling\b/, ["MissingReference"]],
  [
    /\bdo(?:es)? not exist\b|\bdon't exist\b|\bdoesn't exist\b|\bconfigured\b|\bmisconfigur|\bvalid\b|\bmissing\b|\breferenc/,
    ["MissingReference", "HPAUnableToScale", "IngressBackendMissing"],
  ],
  [/\bcertificates?\b|\btls\b|\bcert\b/, ["CertificateNotReady"]],
  [/\blogs?\b|\bexceptions?\b|\berrors?\b/, ["ApplicationError"]],
  [/\blost\b/, ["PVCLost"]],
];

/** What a question's own words ask about, and how many of them do. Empty when it only asks what is wrong. */
export function conditionsIn(query: string): ReadonlyMap<SignalType, number> {
  const text = query.toLowerCase();
  const named = signalTypes.filter(
    (signal) => signal !== "Healthy" && text.includes(signal.toLowerCase()),
  );
  const counts = new Map<SignalType, number>();
  const all = [
    ...named,
    ...table.flatMap(([pattern, signals]) => (pattern.test(text) ? signals : [])),
  ];
  for (const signal of all) counts.set(signal, (counts.get(signal) ?? 0) + 1);
  return counts;
}

/** True when it asks what happened, and not only what is. */
export function asksHistory(query: string): boolean {
  return /\b(?:restart|restarts|restarted|restarting|crash(?:ed|es|ing)?|oom|oomkilled|killed|happened|was|were|did|yesterday|earlier|ago|last|past|history)\b/i.test(
    query,
  );
}
