import { createEntityIndex, findNames, kindOfKinds, type NamedEntity } from "@constellation/nlu";
import { type KindName, kindNames } from "../cluster/kinds.js";

/** A word of people for kinds. */
interface KindEntity extends NamedEntity {
  readonly kinds: readonly KindName[];
}

/** How people write kinds; plurals, and words written apart or together, are found as well. */
const table: readonly (readonly [kinds: readonly KindName[], words: readonly string[]])[] = [
  [["HorizontalPodAutoscaler"], ["horizontal pod autoscaler", "hpa", "autoscaler"]],
  [["PodDisruptionBudget"], ["pod disruption budget", "disruption budget", "pdb"]],
  [["PersistentVolumeClaim"], ["persistent volume claim", "volume claim", "pvc", "claim"]],
  [["PersistentVolume"], ["persistent volume", "pv"]],
  [["PersistentVolume", "PersistentVolumeClaim"], ["volume"]],
  [["StorageClass", "PersistentVolumeClaim"], ["storage class"]],
  [["CronJob"], ["cron job", "cron", "cj"]],
  [["StatefulSet"], ["stateful set", "sts"]],
  [["DaemonSet"], ["daemon set", "ds"]],
  [
    ["Deployment", "StatefulSet", "DaemonSet", "CronJob", "Job"],
    ["workloads", "applications"],
  ],
  [["ReplicaSet"], ["replica set", "rs"]],
  [["ServiceAccount"], ["service account"]],
  [["NetworkPolicy"], ["network policy", "netpol"]],
  [["Ingress", "IngressClass"], ["ingress class"]],
  [["Ingress"], ["ingress", "ing"]],
  [
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"],
    ["webhook", "admission webhook"],
  ],
  [["ResourceQuota"], ["resource quota", "quota"]],
  [["ConfigMap"], ["config map", "cm"]],
  [["Certificate"], ["certificate", "cert"]],
  [
    ["Issuer", "ClusterIssuer"],
    ["issuer", "cluster issuer"],
  ],
  [["Subscription", "ClusterServiceVersion", "InstallPlan", "CatalogSource"], ["subscription"]],
  [
    ["ClusterServiceVersion", "Subscription"],
    ["cluster service version", "csv"],
  ],
  [["Application"], ["argo application", "argocd application"]],
  [
    ["Gateway", "HTTPRoute", "Service"],
    ["gateways", "gateway api"],
  ],
  [["Namespace"], ["namespaces"]],
  [["Deployment"], ["deployment", "deploys", "deploy"]],
  [["Pod"], ["pod", "container", "po"]],
  [["Service"], ["service", "svc", "endpoint"]],
];

/** Kinds whose own names are everyday words. */
const everyday: ReadonlySet<KindName> = new Set([
  "Namespace",
  "Order",
  "Challenge",
  "Application",
  "CustomResource",
  "Endpoints",
  "Gateway",
]);
const inTable = new Set(table.flatMap(([, words]) => words));
/** Every other kind by the words of its name: `PriorityClass` is "priority class". */
const byName = kindNames
  .map(
    (kind) =>
      [
        [kind],
        [kind.replace(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, " ").toLowerCase()],
      ] as const,
  )
  .filter(([[kind], [words]]) => !everyday.has(kind as KindName) && !inTable.has(words ?? ""));

/** Words for kinds, as an index of names takes them. */
export const kindEntities: readonly KindEntity[] = [...table, ...byName].map(
  ([kinds, [name = "", ...aliases]]) => ({
    kind: kindOfKinds,
    name,
    aliases,
    kinds,
  }),
);

const index = createEntityIndex(kindEntities, { wholeNamesOnly: true });

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
  const lower = query.toLowerCase();
  return findNames(lower, index).flatMap(({ start, end, text, candidates: [best] }) => {
    // A dash, a dot or a sign beside it makes it a part of a name or a value.
    const isPart = /[-._/]/.test(lower.charAt(start - 1)) || /[-_=]/.test(lower.charAt(end));
    if (best === undefined || isPart) return [];
    const before = lower.slice(0, start);
    const isPlural =
      (/[^s]s$|sses$/.test(text) && !/^(?:rs|ds|sts)$/.test(text)) ||
      /\b(?:every|each|all)(?: the)? $/.test(before) ||
      (short.test(text) && listed.test(before));
    return [{ kinds: best.entity.kinds, at: start, text, isPlural }];
  });
}
