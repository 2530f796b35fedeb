import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import { type ClusterView, slicesOf } from "../cluster-view.js";
import { type Detector, recentMs } from "../detector.js";
import { type Evidence, fieldEvidence } from "../evidence.js";
import type { Draft } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { toObjectId } from "../object-id.js";
import { type Labels, printLabels } from "../selector.js";

/** A Service that has nothing to send to: its selector matches no pod, or no pod that it matches is ready. */
export const service: Detector = (object, view) => {
  const { name, namespace } = object.metadata;
  const selector = recordAt(object, "spec", "selector");
  if (textAt(object, "spec", "type") === "ExternalName" || isLeaderLock(object, view)) return [];
  const endpoints = readEndpoints(object, view);
  if (Object.keys(selector).length === 0) {
    // It has the endpoints that someone else writes.
    const isRead = (["EndpointSlice", "Endpoints"] as const).some(
      (kind) => view.list(kind).length > 0 && view.isKnown(kind, namespace),
    );
    if (!isRead || (endpoints.known && endpoints.ready > 0)) return [];
    return {
      signal: "ServiceNoEndpoints",
      severity: "high",
      summary: `Service ${name} has no endpoints: it has no selector, so an EndpointSlice for it is made by hand or by a controller, and none was found`,
      evidence: [...endpoints.evidence, ["spec.selector", "none"]],
    };
  }
  const labels = printLabels(selector);
  const pods = view.behind(object);
  const { unready } = endpoints;
  const arePodsKnown = view.isKnown("Pod", namespace);
  const isEmpty = endpoints.known ? endpoints.ready === 0 : arePodsKnown && pods.length === 0;
  const wrongPorts = undeclaredPorts(object, pods);
  if (!isEmpty) return wrongPorts;
  if (unready.length === 0 && wrongPorts !== undefined && wrongPorts.verified !== false)
    return { ...wrongPorts, severity: "high" };
  const what =
    unready.length > 0
      ? `no ready endpoints: ${unready.slice(0, 5).join(", ")}${unready.length > 5 ? ` and ${unready.length - 5} more` : ""} not ready`
      : pods.length === 0
        ? `no endpoints: no pods match its selector ${labels}`
        : `no endpoints: its selector ${labels} matches ${pods.length} pods, and none is an endpoint`;
  const isUnmatched = unready.length === 0 && pods.length === 0 && arePodsKnown;
  return {
    signal: "ServiceNoEndpoints",
    severity: "high",
    summary: `Service ${name} has ${what}`,
    evidence: [
      ...endpoints.evidence,
      ["spec.selector", labels],
      ...(isUnmatched ? nearest(object, view, selector) : []),
    ],
    next: [
      ...describeCommand(object),
      ...kubectl`get pods --show-labels${option("-n", namespace)}`,
    ],
    values: {
      selector: labels,
      matching_pods: pods.length,
      ready_endpoints: endpoints.known ? endpoints.ready : undefined,
    },
  };
};

/** A lock of an election: it is not meant to be connected to. */
export function isLeaderLock(object: KubernetesObject, view: ClusterView): boolean {
  const found = view.get("Endpoints", object.metadata.namespace, object.metadata.name);
  return [object, found].some(
    (one) => one?.metadata.annotations?.["control-plane.alpha.kubernetes.io/leader"] !== undefined,
  );
}

interface Endpoints {
  readonly known: boolean;
  readonly ready: number;
  readonly unready: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** The endpoints in the slices of a Service, with those slices. */
function readSlices(service: KubernetesObject, view: ClusterView) {
  const slices = slicesOf(service, view);
  const all = slices.flatMap((slice) => listAt(slice, "endpoints"));
  const isReady = (one: unknown) => booleanAt(one, "conditions", "ready") !== false;
  return { slices, ready: all.filter(isReady), unready: all.filter((one) => !isReady(one)) };
}

function readEndpoints(object: KubernetesObject, view: ClusterView): Endpoints {
  const { name, namespace } = object.metadata;
  const { slices, ...all } = readSlices(object, view);
  const [slice] = slices;
  const ready = all.ready.length;
  if (slice !== undefined) {
    const unready = all.unready.flatMap((one) => textAt(one, "targetRef", "name") ?? []);
    const listed = unready.length === 0 ? "" : `, not ready: ${unready.slice(0, 5).join(", ")}`;
    const evidence = [fieldEvidence(slice, "endpoints", `${ready} ready${listed}`)];
    return { known: true, ready, unready, evidence };
  }
  const found = view.get("Endpoints", namespace, name);
  if (found === undefined) {
    const known =
      view.presence("Endpoints", namespace, name) === "missing" &&
      view.presence("EndpointSlice", namespace, name) === "missing" &&
      view.list("Endpoints").length > 0;
    return { known, ready: 0, unready: [], evidence: [] };
  }
  const subsets = listAt(found, "subsets");
  const addresses = subsets.flatMap((subset) => listAt(subset, "addresses")).length;
  const unready = subsets
    .flatMap((subset) => listAt(subset, "notReadyAddresses"))
    .map((one) => textAt(one, "targetRef", "name") ?? textAt(one, "ip") ?? "an address");
  const listed =
    unready.length === 0 ? "" : `, notReadyAddresses: ${unready.slice(0, 5).join(", ")}`;
  const evidence = [fieldEvidence(found, "subsets", `${addresses} ready addresses${listed}`)];
  return { known: true, ready: addresses, unready, evidence };
}

/** Pods that meet a part of the selector: what a wrong label looks like. */
function nearest(
  object: KubernetesObject,
  view: ClusterView,
  selector: Labels,
): readonly Evidence[] {
  const names = new Set(Object.values(selector).map(String));
  return view
    .podsMatching(object.metadata.namespace, {})
    .filter(
      ({ metadata }) =>
        Object.entries(metadata.labels ?? {}).some(
          ([key, value]) => selector[key] === value || names.has(value),
        ) || metadata.name.startsWith(object.metadata.name),
    )
    .slice(0, 2)
    .map((pod) => fieldEvidence(pod, "metadata.labels", printLabels(pod.metadata.labels ?? {})));
}

/** A port that no container of a matching pod has. A name must be there; a number need not be declared. */
function undeclaredPorts(
  object: KubernetesObject,
  [pod]: readonly KubernetesObject[],
): Draft | undefined {
  if (pod === undefined) return undefined;
  const declared = listAt(pod, "spec", "containers")
    .flatMap((container) => listAt(container, "ports"))
    .map((port) => recordAt(port));
  const wrong = listAt(object, "spec", "ports").flatMap((port, index) => {
    const target = recordAt(port).targetPort;
    const same = declared.filter((one) => one.name === target || one.containerPort === target);
    const protocol = textAt(port, "protocol") ?? "TCP";
    const isThere = same.some((one) => (one.protocol ?? "TCP") === protocol);
    if (target === undefined || isThere || (typeof target === "number" && declared.length === 0))
      return [];
    return [
      {
        target: same.length === 0 ? String(target) : `${String(target)}/${protocol}`,
        index,
        // What is declared for another protocol is meant for that.
        isNamed: typeof target === "string" || same.length > 0,
      },
    ];
  });
  if (wrong.length === 0) return undefined;
  const printed = declared.map((one) =>
    [one.name, one.containerPort, one.protocol === "UDP" ? "UDP" : undefined]
      .filter((part) => part !== undefined)
      .join(" "),
  );
  const listed = printed.join(", ") || "none";
  const targets = wrong.map(({ target }) => target).join(", ");
  return {
    signal: "ServiceNoEndpoints",
    severity: "medium",
    verified: wrong.some(({ isNamed }) => isNamed),
    summary: `Service ${object.metadata.name} sends to targetPort ${targets}, which no container of its pods declares (ports: ${listed})`,
    evidence: [
      ...wrong.map(({ target, index }) => [`spec.ports[${index}].targetPort`, target] as const),
      fieldEvidence(pod, "spec.containers", `ports ${listed}`),
    ],
    values: { target_port: targets, example_pod: toObjectId(pod) },
  };
}

/**
 * A Service that answers callers only from their own node, and has no ready endpoint on some nodes. That a caller is there is
 * not known.
 */
export const localTraffic: Detector = (object, view) => {
  if (textAt(object, "spec", "internalTrafficPolicy") !== "Local") return [];
  const { ready } = readSlices(object, view);
  const served = new Set(ready.flatMap((one) => textAt(one, "nodeName") ?? []));
  const without = view.list("Node").filter(({ metadata }) => !served.has(metadata.name));
  if (served.size === 0 || without.length === 0) return [];
  const names = without.slice(0, 5).map(({ metadata }) => metadata.name);
  return {
    signal: "ServiceNoEndpoints",
    severity: "medium",
    verified: false,
    summary: `Service ${object.metadata.name} answers callers only from an endpoint on their own node (internalTrafficPolicy Local), and has none on node ${names.join(", ")}`,
    evidence: [
      ["spec.internalTrafficPolicy", "Local"],
      ["endpoints", `on node ${[...served].slice(0, 5).join(", ")}`],
    ],
  };
};

/** A Service that waits for an address of a load balancer. */
export const loadBalancer: Detector = (object, view) => {
  const isWaiting =
    textAt(object, "spec", "type") === "LoadBalancer" &&
    listAt(object, "status", "loadBalancer", "ingress").length === 0 &&
    textAt(object, "metadata", "deletionTimestamp") === undefined;
  const event = view.event(
    object,
    "SyncLoadBalancerFailed",
    "CreatingLoadBalancerFailed",
    "UnAvailableLoadBalancer",
  );
  const created = timeAt(object, "metadata", "creationTimestamp") ?? view.now;
  if (!isWaiting || (event === undefined && view.now - created < recentMs / 4)) return [];
  return {
    signal: "ServiceNoEndpoints",
    severity: "high",
    summary: `Service ${object.metadata.name} has no external address: its load balancer is pending${event === undefined ? "; no event says why, so no controller may have taken it" : `: ${event.message}`}`,
    message: event?.message,
    evidence: [event, ["status.loadBalancer", "no ingress"]],
    values: { service_type: "LoadBalancer" },
  };
};
