import type { KindName } from "../cluster/kinds.js";

/** How people write kinds, longest first: the first that fits stands. */
const table: readonly (readonly [RegExp, readonly KindName[]])[] = [
  [/\b(?:horizontal ?pod ?autoscalers?|hpas?|auto-?scalers?)\b/, ["HorizontalPodAutoscaler"]],
  [/\b(?:pod ?disruption ?budgets?|disruption budgets?|pdbs?)\b/, ["PodDisruptionBudget"]],
  [/\b(?:persistent ?volume ?claims?|volume claims?|pvcs?|claims?)\b/, ["PersistentVolumeClaim"]],
  [/\b(?:persistent ?volumes?|pvs?)\b/, ["PersistentVolume"]],
  [/\bvolumes?\b/, ["PersistentVolume", "PersistentVolumeClaim"]],
  [/\bstorage ?class(?:es)?\b/, ["StorageClass", "PersistentVolumeClaim"]],
  [/\bcron ?jobs?\b|\bcj\b/, ["CronJob"]],
  [/\bstateful ?sets?\b|\bsts\b/, ["StatefulSet"]],
  [/\bdaemon ?sets?\b|\bds\b/, ["DaemonSet"]],
  [/\breplica ?sets?\b|\brs\b/, ["ReplicaSet"]],
  [/\breplication ?controllers?\b/, ["ReplicationController"]],
  [/\bservice ?accounts?\b/, ["ServiceAccount"]],
  [/\bnetwork ?polic(?:y|ies)\b|\bnetpols?\b/, ["NetworkPolicy"]],
  [/\bingress ?class(?:es)?\b/, ["Ingress", "IngressClass"]],
  [/\bingress(?:es)?\b|\bing\b/, ["Ingress"]],
  [
    /\b(?:admission )?webhooks?\b/,
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
  ],
  [/\bresource ?quotas?\b|\bquotas?\b/, ["ResourceQuota"]],
  [/\bconfig ?maps?\b|\bcms?\b/, ["ConfigMap"]],
  [/\bcertificates?\b/, ["Certificate"]],
  [/\b(?:cluster ?)?issuers?\b/, ["Issuer", "ClusterIssuer"]],
  [/\bsubscriptions?\b/, ["Subscription", "ClusterServiceVersion", "InstallPlan", "CatalogSource"]],
  [/\binstall ?plans?\b/, ["InstallPlan"]],
  [/\bcatalog ?sources?\b/, ["CatalogSource"]],
  [/\b(?:cluster ?service ?versions?|csvs?)\b/, ["ClusterServiceVersion", "Subscription"]],
  [/\bscaled ?objects?\b/, ["ScaledObject"]],
  [/\bvirtual ?services?\b/, ["VirtualService"]],
  [/\bauthorization ?polic(?:y|ies)\b/, ["AuthorizationPolicy"]],
  [/\bpeer ?authentications?\b/, ["PeerAuthentication"]],
  [/\bdestination ?rules?\b/, ["DestinationRule"]],
  [/\bapi ?services?\b/, ["APIService"]],
  [/\bhelm ?releases?\b/, ["HelmRelease"]],
  [/\bkustomizations?\b/, ["Kustomization"]],
  [/\bargo ?(?:cd)? ?applications?\b/, ["Application"]],
  [/\bcluster ?roles?\b/, ["ClusterRole"]],
  [/\bhttp ?routes?\b/, ["HTTPRoute"]],
  [/\bgateways\b|\bgateway api\b/, ["Gateway", "HTTPRoute", "Service"]],
  [/\bstorage ?class(?:es)?\b/, ["StorageClass"]],
  [/\blimit ?ranges?\b/, ["LimitRange"]],
  [/\bcluster ?role ?bindings?\b/, ["ClusterRoleBinding"]],
  [/\brole ?bindings?\b/, ["RoleBinding"]],
  [/\bnamespaces\b/, ["Namespace"]],
  [/\bdeployments?\b|\bdeploys?\b/, ["Deployment"]],
  [/\bjobs?\b/, ["Job"]],
  [/\bnodes?\b/, ["Node"]],
  [/\bpods?\b|\bcontainers?\b|\bpo\b/, ["Pod"]],
  [/\bservices?\b|\bsvcs?\b|\bendpoints?\b/, ["Service"]],
];

/** Kinds as `kubectl` writes them, one or many. */
const short = /^(?:po|svc|deploy|sts|ds|rs|ing|cm|pvc|pv|hpa|pdb|netpol|np|ns|sa|ep|cj|no|quota)$/;
/** Before which there are many. */
const listed = /\b(?:list|show(?: me)?|get|all|any|which|what|how many|count)(?: the| of)? $/;

/** A kind that a question names. */
export interface KindMention {
  readonly kinds: readonly KindName[];
  /** Place in the query, and the words there. */
  readonly at: number;
  readonly text: string;
  readonly isPlural: boolean;
}

/** Kinds that a question names, in the order they stand there. */
export function kindsIn(query: string): readonly KindMention[] {
  let rest = query.toLowerCase();
  const found: KindMention[] = [];
  for (const [pattern, kinds] of table) {
    for (let match = pattern.exec(rest); match !== null; match = pattern.exec(rest)) {
      const [text] = match;
      // A dash or a dot beside it makes it a part of a name.
      const before = rest[match.index - 1] ?? " ";
      const after = rest[match.index + text.length] ?? " ";
      const isWord = !/[-._/]/.test(before) && !(/[-_/=]/.test(after) && after !== "/");
      if (isWord)
        found.push({
          kinds,
          at: match.index,
          text,
          isPlural:
            (/(?:s|ies)$/.test(text) && !/^(?:ingress|rs|ds|sts)$/.test(text)) ||
            /\b(?:every|each) $/.test(rest.slice(0, match.index)) ||
            (short.test(text) && listed.test(rest.slice(0, match.index))),
        });
      rest =
        rest.slice(0, match.index) +
        "\u0001".repeat(text.length) +
        rest.slice(match.index + text.length);
    }
  }
  return found.sort((a, b) => a.at - b.at);
}
