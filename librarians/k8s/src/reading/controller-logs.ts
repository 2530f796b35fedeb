import type { ClusterReader, KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import { type Finding, finding } from "../diagnosis/finding.js";
import { describeCommand } from "../diagnosis/kubectl.js";
import { toObjectId } from "../diagnosis/object-id.js";
import type { SignalType } from "../diagnosis/signal-type.js";
import { hostsOfRoute } from "../question/hosts.js";
import { readLog } from "./log-evidence.js";

/** Pods that send traffic on for the entries of a cluster, by their names and their images. */
const controllers = /ingress|gateway|traefik|haproxy|envoy|contour|kong|router|istiod/i;
/** Maximum number of such logs that are read. */
const maxLogs = 2;

/** What a controller's own words mean for what they name. */
const meanings: readonly (readonly [RegExp, SignalType])[] = [
  [
    /endpoint|healthy upstream|no (?:available )?servers?\b|no live upstreams/i,
    "ServiceNoEndpoints",
  ],
  [/expired|not yet valid|not valid for/i, "CertificateNotReady"],
  [/certificate|secret|tls|x509/i, "MissingReference"],
];

/**
 * What the logs of ingress controllers say of a Service or an Ingress that a question names, where nothing else
 * shows what is wrong: only lines that name it count.
 */
export async function saidByControllers(
  objects: readonly KubernetesObject[],
  view: ClusterView,
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<readonly Finding[]> {
  const entries = withBackends(objects, view);
  const pods = view
    .list("Pod")
    .filter((pod) =>
      [
        pod.metadata.name,
        ...listAt(pod, "spec", "containers").map((one) => textAt(one, "image") ?? ""),
      ].some((text) => controllers.test(text)),
    );
  if (entries.length === 0 || pods.length === 0) return [];
  const reports = await Promise.all(
    pods.slice(0, maxLogs).flatMap((pod) => {
      const { namespace, name } = pod.metadata;
      const container = textAt(pod, "spec", "containers", 0, "name");
      return namespace === undefined
        ? []
        : [readLog(reader, { namespace, pod: name, container, previous: false }, signal)];
    }),
  );
  signal.throwIfAborted();
  const lines = reports.flatMap(({ error, evidence }) => (error === undefined ? [] : evidence));
  return entries.flatMap((object) => {
    const said = lines.filter(({ text }) =>
      listLogNames(object).some((name) => text.includes(name)),
    );
    const [line] = said;
    if (line === undefined) return [];
    const meant = meanings.find(([words]) => words.test(line.text))?.[1];
    return [
      finding({
        signal: meant ?? "IngressBackendMissing",
        severity: "high",
        object,
        summary: `${object.kind} ${object.metadata.name}: the log of the controller in front of it says: ${line.text}`,
        message: line.text,
        evidence: [...said, fieldEvidence(object, "metadata.name", object.metadata.name)],
        next: describeCommand(object),
        key: `controller|${meant ?? ""}|${line.id}`,
      }),
    ];
  });
}

/** Services and Ingresses, with the Services behind an Ingress: these first. */
function withBackends(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly KubernetesObject[] {
  const own = objects.filter(({ kind }) => kind === "Ingress" || kind === "Service");
  const backends = own.flatMap((object) =>
    listAt(object, "spec", "rules").flatMap((rule) =>
      listAt(rule, "http", "paths").flatMap(
        (path) =>
          view.get(
            "Service",
            object.metadata.namespace,
            textAt(path, "backend", "service", "name") ?? "",
          ) ?? [],
      ),
    ),
  );
  return [...new Map([...backends, ...own].map((one) => [toObjectId(one), one])).values()];
}

/** How controllers write the name of something. */
function listLogNames(object: KubernetesObject): readonly string[] {
  const { namespace = "", name } = object.metadata;
  return [
    `${namespace}/${name}`,
    `${namespace}-${name}-`,
    `${name}.${namespace}`,
    ...hostsOfRoute(object),
    ...listAt(object, "spec", "tls").map(
      (one) => `${namespace}/${textAt(one, "secretName") ?? ""}`,
    ),
  ];
}
