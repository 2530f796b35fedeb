/** What people and alerts say for one and the same thing. */
interface Concept {
  readonly name: string;
  readonly form: RegExp;
}

/** What trouble befalls, and no trouble by itself: to share only these is to have little in common. */
export const things: ReadonlySet<string> = new Set([
  "node",
  "cpu",
  "disk",
  "volume",
  "stateful",
  "database",
  "helm",
  "gitops",
]);

/** Troubles of having too little of something: undoing the last change gives no more of it. */
export const shortages: ReadonlySet<string> = new Set([
  "oom",
  "memory growth",
  "capacity",
  "expand",
  "disk pressure",
  "disk",
  "cpu pressure",
  "autoscaler",
  "connections",
  "fragmentation",
  "node not ready",
  "budget",
  "quota",
]);

/** Kinds of trouble, and the things it befalls, each with the words that stand for it. */
const concepts: readonly Concept[] = [
  concept(
    "oom",
    "oom",
    "oomkill\\w*",
    "out[ -]of[ -]memory",
    "(?:ran|runs|running) out of memory",
    "exit code 137",
    "memory limits?",
    "containeroomkill\\w*",
  ),
  concept(
    "memory growth",
    "memory leaks?",
    "leak(?:s|ing)? memory",
    "memory usage",
    "memory growth",
    "high memory",
    "memory exhaust\\w*",
    "exhaust\\w* (?:its |the )?memory",
    "memory pressure",
    "memory \\w+ (?:monotonically|steadily)",
    "predicted oom",
    "memory (?:is )?(?:growing|increasing)",
    "rss",
    "working set",
  ),
  concept(
    "crash",
    "crash\\w*",
    "crash[ -]?loop\\w*",
    "back[ -]?off restarting",
    "restart(?:s|ing|ed)? (?:repeatedly|rapidly|often)",
    "restarts? (?:count|rate)",
    "repeated restarts?",
    "non-?zero exit",
  ),
  concept(
    "image",
    "image ?pull\\w*",
    "errimagepull",
    "imagepullbackoff",
    "pull (?:the )?image",
    "image (?:tag|reference|registry)",
    "invalidimagename",
    "manifest unknown",
  ),
  concept("pull secret", "(?:image ?)?pull ?secrets?", "registry credentials?", "unauthorized"),
  concept(
    "scheduling",
    "unscheduled",
    "schedul(?:ed|ing|able|e)",
    "unschedulable",
    "pending",
    "not assigned to a node",
    "failedscheduling",
    "insufficient (?:cpu|memory)",
  ),
  concept(
    "capacity",
    "capacity",
    "(?<!memory )exhaust\\w*",
    "out of space",
    "insufficient",
    "full",
    "fill(?:s|ed|ing)? up",
  ),
  concept(
    "rollout",
    "roll ?outs?",
    "progressdeadline\\w*",
    "progressing",
    "rolling update",
    "deployment (?:stuck|rollout)",
  ),
  concept("rollback", "roll(?:s|ed|ing)? ?back", "revert\\w*", "previous revision"),
  concept(
    "volume",
    "pvcs?",
    "persistent ?volume ?claims?",
    "pv",
    "persistent ?volumes?",
    "volume",
    "storage",
  ),
  concept("orphaned", "orphan\\w*", "unused", "unbound", "accumulat\\w*", "stale", "not mounted"),
  concept(
    "expand",
    "runway",
    "predict\\w*",
    "forecast\\w*",
    "projected",
    "expan\\w*",
    "growth",
    "approaching",
  ),
  concept("disk pressure", "disk ?pressure", "empty ?dir", "ephemeral[ -]storage", "evict\\w*"),
  concept("disk", "disks?", "file ?system", "storage", "no space left", "volume"),
  concept(
    "node not ready",
    "not ?ready nodes?",
    "nodes? (?:is |are )?(?:in )?not ?ready",
    "node ?not ?ready",
    "node ?unreachable",
    "kubelet",
    "node down",
  ),
  concept("node", "nodes?"),
  concept("taint", "taints?", "tolerat\\w*", "maintenance window"),
  concept(
    "autoscaler",
    "hpa",
    "horizontal ?pod ?autoscalers?",
    "max ?replicas",
    "autoscal\\w*",
    "maxed",
  ),
  concept(
    "cpu pressure",
    "throttl\\w*",
    "cpu limits?",
    "cfs",
    "high cpu",
    "cpu usage",
    "cpu utili[sz]ation",
    "cpu saturation",
  ),
  concept("cpu", "cpu", "processor"),
  concept(
    "offender",
    "noisy neighbou?rs?",
    "offending",
    "runaway",
    "resource hogs?",
    "connection leak\\w*",
  ),
  concept(
    "budget",
    "pdbs?",
    "pod ?disruption ?budgets?",
    "disruptions?",
    "min ?available",
    "drains?",
  ),
  concept(
    "error rate",
    "error[ -]?budget",
    "slo",
    "slos",
    "error rates?",
    "5xx",
    "burn\\w*",
    "error spike",
    "elevated rate",
  ),
  concept("certificate", "cert\\w*", "tls", "issuers?", "x509", "certificate authority"),
  concept(
    "network policy",
    "network ?polic\\w*",
    "deny-?all",
    "ingress traffic",
    "traffic (?:may )?(?:is |be )?(?:not|blocked)",
    "connection (?:refused|timed out)",
  ),
  concept(
    "readiness",
    "readiness",
    "health ?check failures?",
    "(?:fail\\w*|not passing) (?:\\w+ )?health ?checks?",
    "probes?",
    "unavailable replicas?",
    "replicas ?mismatch",
  ),
  concept("endpoints", "endpoints?"),
  concept("mesh", "istio", "linkerd", "mesh(?:ed)?", "authorization ?polic\\w*", "sidecar"),
  concept("forbidden", "403s?", "forbidden", "denied", "permission\\w*"),
  concept("rbac", "rbac", "role ?bindings?", "service ?accounts?", "cluster ?role\\w*"),
  concept("quota", "quotas?", "resource ?quotas?"),
  concept("stateful", "stateful ?sets?"),
  concept("database", "databases?", "postgres\\w*", "mysql", "db", "max_connections"),
  concept("connections", "connections?", "connection ?pool\\w*", "max_connections", "clients?"),
  concept("etcd", "etcd"),
  concept("fragmentation", "fragment\\w*", "defrag\\w*"),
  concept(
    "operator",
    "operators?",
    "csv",
    "olm",
    "subscriptions?",
    "cluster ?service ?versions?",
    "catalog ?sources?",
  ),
  concept("route", "routes?", "route ?target", "backend"),
  concept("build", "builds?", "build ?configs?"),
  concept("helm", "helm\\w*", "chart", "charts"),
  concept("gitops", "gitops\\w*", "git", "argo ?cd", "flux", "commits?"),
  concept(
    "configuration",
    "config ?maps?",
    "configuration",
    "directives?",
    "misconfig\\w*",
    "invalid config",
  ),
  concept(
    "security context",
    "security ?contexts?",
    "scc",
    "runasuser",
    "privileged",
    "failedcreate",
  ),
  concept("virtual machine", "virtual ?machines?", "vms?", "kubevirt", "vmi"),
  concept("data volume", "data ?volumes?", "cdi", "disk import", "importer"),
  concept(
    "scale",
    "scal(?:e|es|ing) (?:up|down|out|in)",
    "scal(?:e|es|ing)",
    "replica count",
    "add(?:ing)? replicas",
  ),
];

function concept(name: string, ...forms: readonly string[]): Concept {
  return { name, form: new RegExp(`(?<![a-z0-9])(?:${forms.join("|")})(?![a-z0-9])`, "i") };
}

/** The concepts a text speaks of. Of a text only the first 8,000 characters are read. */
export function conceptsOf(text: string): ReadonlySet<string> {
  const short = text.slice(0, 8_000);
  if (short.trim() === "") return new Set();
  const words = inWords(short);
  const readable = words === short ? short : `${short} ${words}`;
  return new Set(concepts.filter(({ form }) => form.test(readable)).map(({ name }) => name));
}

/** `KubePodCrashLooping` and `image-pull` as words. */
export function inWords(text: string): string {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/[_/-]+/g, " ")
    .replace(/\bOOM\s?Kill/gi, "OOMKill");
}
