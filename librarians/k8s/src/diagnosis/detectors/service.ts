import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, recordAt, textAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Detector } from "../detector.js";
import { fieldEvidence } from "../evidence.js";
import { type Evidence, type Finding, finding } from "../finding.js";
import { describeCommand, kubectl, option } from "../kubectl.js";
import { toObjectId } from "../object-id.js";
import { defined } from "../pod-finding.js";
import { printLabels } from "../selector.js";

/** A Service that has nothing to send to: its selector matches no pod, or no pod that it matches is ready. */
export const service: Detector = (object, view) => {
  const selector = recordAt(object, "spec", "selector");
  if (textAt(object, "spec", "type") === "ExternalName") return [];
  if (Object.keys(selector).length === 0) return unselected(object, view);
  if (isLeaderLock(object, view)) return [];
  const { name, namespace } = object.metadata;
  const labels = printLabels(selector);
  const pods = view.podsMatching(namespace, { matchLabels: selector });
  const endpoints = readEndpoints(object, view);
  const unready = endpoints.unready;
  const base = {
    signal: "ServiceNoEndpoints",
    object,
    next: [
      ...describeCommand(object),
      ...kubectl`get pods --show-labels${option("-n", namespace)}`,
    ],
    values: defined({
      selector: labels,
      matching_pods: pods.length,
      ready_endpoints: endpoints.known ? endpoints.ready : undefined,
    }),
  } as const;
  const arePodsKnown = view.presence("Pod", namespace, "\0") === "missing";
  const isEmpty = endpoints.known ? endpoints.ready === 0 : arePodsKnown && pods.length === 0;
  if (!isEmpty) return ports(object, pods);
  if (unready.length > 0) {
    return [
      finding({
        ...base,
        severity: "high",
        confidence: 0.85,
        summary: `Service ${name} has no ready endpoints: ${unready.slice(0, 5).join(", ")}${unready.length > 5 ? ` and ${unready.length - 5} more` : ""} not ready`,
        evidence: [...endpoints.evidence, fieldEvidence(object, "spec.selector", labels)],
      }),
    ];
  }
  const unnamed = pods.length > 0 ? ports(object, pods).filter(({ verified }) => verified) : [];
  if (unnamed.length > 0)
    return unnamed.map((one) => ({ ...one, severity: "high" as const, confidence: 0.88 }));
  const near = arePodsKnown && pods.length === 0 ? nearest(object, view, selector) : [];
  return [
    finding({
      ...base,
      severity: "high",
      confidence: pods.length === 0 && arePodsKnown ? 0.92 : 0.75,
      summary: `Service ${name} has no endpoints: ${pods.length === 0 ? `no pods match its selector ${labels}` : `its selector ${labels} matches ${pods.length} pods, and none is an endpoint`}`,
      evidence: [...endpoints.evidence, fieldEvidence(object, "spec.selector", labels), ...near],
    }),
  ];
};

/** A Service without a selector has the endpoints that someone else writes: here none. */
function unselected(object: KubernetesObject, view: ClusterView): readonly Finding[] {
  const { name, namespace } = object.metadata;
  const isRead = (["EndpointSlice", "Endpoints"] as const).some(
    (kind) => view.list(kind).length > 0 && view.presence(kind, namespace, "\0") === "missing",
  );
  const { known, ready, evidence } = readEndpoints(object, view);
  if (!isRead || (known && ready > 0) || isLeaderLock(object, view)) return [];
  return [
    finding({
      signal: "ServiceNoEndpoints",
      severity: "high",
      object,
      confidence: 0.8,
      summary: `Service ${name} has no endpoints: it has no selector, so an EndpointSlice for it is made by hand or by a controller, and none was found`,
      evidence: [...evidence, fieldEvidence(object, "spec.selector", "none")],
      next: describeCommand(object),
    }),
  ];
}

/** A lock of an election: it is not meant to be connected to. */
export function isLeaderLock(object: KubernetesObject, view: ClusterView): boolean {
  const found = view.get("Endpoints", object.metadata.namespace, object.metadata.name);
  return [object, found].some(
    (one) =>
      recordAt(one, "metadata", "annotations")["control-plane.alpha.kubernetes.io/leader"] !==
      undefined,
  );
}

interface Endpoints {
  readonly known: boolean;
  readonly ready: number;
  readonly unready: readonly string[];
  readonly evidence: readonly Evidence[];
}

/** The slices of a Service's endpoints. */
export function listSlices(
  { metadata: { namespace, name } }: KubernetesObject,
  view: ClusterView,
): readonly KubernetesObject[] {
  return view
    .list("EndpointSlice")
    .filter(
      (slice) =>
        slice.metadata.namespace === namespace &&
        slice.metadata.labels?.["kubernetes.io/service-name"] === name,
    );
}

function readEndpoints(object: KubernetesObject, view: ClusterView): Endpoints {
  const { name, namespace } = object.metadata;
  const slices = listSlices(object, view);
  if (slices.length > 0) {
    const all = slices.flatMap((slice) => listAt(slice, "endpoints"));
    const isReady = (one: unknown) => booleanAt(one, "conditions", "ready") !== false;
    const unready = all
      .filter((one) => !isReady(one))
      .flatMap((one) => textAt(one, "targetRef", "name") ?? []);
    return {
      known: true,
      ready: all.filter(isReady).length,
      unready,
      evidence: slices
        .slice(0, 1)
        .map((slice) =>
          fieldEvidence(
            slice,
            "endpoints",
            `${all.filter(isReady).length} ready${unready.length === 0 ? "" : `, not ready: ${unready.slice(0, 5).join(", ")}`}`,
          ),
        ),
    };
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
  const ready = subsets.flatMap((subset) => listAt(subset, "addresses")).length;
  const unready = subsets
    .flatMap((subset) => listAt(subset, "notReadyAddresses"))
    .map((one) => textAt(one, "targetRef", "name") ?? textAt(one, "ip") ?? "an address");
  return {
    known: true,
    ready,
    unready,
    evidence: [
      fieldEvidence(
        found,
        "subsets",
        unready.length === 0
          ? `${ready} ready addresses`
          : `${ready} ready addresses, notReadyAddresses: ${unready.slice(0, 5).join(", ")}`,
      ),
    ],
  };
}

/** Pods that meet a part of the selector: what a wrong label looks like. */
function nearest(
  object: KubernetesObject,
  view: ClusterView,
  selector: Readonly<Record<string, unknown>>,
): readonly Evidence[] {
  const names = new Set(Object.values(selector).map(String));
  const pods = view.podsMatching(object.metadata.namespace, {});
  const close = pods.filter((pod) => {
    const labels = Object.entries(pod.metadata.labels ?? {});
    return (
      labels.some(([key, value]) => selector[key] === value || names.has(value)) ||
      pod.metadata.name.startsWith(object.metadata.name)
    );
  });
  return close
    .slice(0, 2)
    .map((pod) => fieldEvidence(pod, "metadata.labels", printLabels(pod.metadata.labels ?? {})));
}

/** A port that no container of a matching pod has. A name must be there; a number need not be declared. */
function ports(object: KubernetesObject, pods: readonly KubernetesObject[]) {
  const [pod] = pods;
  if (pod === undefined) return [];
  const declared = listAt(pod, "spec", "containers")
    .flatMap((container) => listAt(container, "ports"))
    .map((port) => recordAt(port));
  const wrong = listAt(object, "spec", "ports").flatMap((port, index) => {
    const target = recordAt(port).targetPort;
    const same = declared.filter((one) => one.name === target || one.containerPort === target);
    const protocol = textAt(port, "protocol") ?? "TCP";
    const isThere = same.some((one) => (one.protocol ?? "TCP") === protocol);
    return target === undefined || isThere || (typeof target === "number" && declared.length === 0)
      ? []
      : [
          {
            target: same.length === 0 ? String(target) : `${String(target)}/${protocol}`,
            index,
            // What is declared for another protocol is meant for that.
            named: typeof target === "string" || same.length > 0,
          },
        ];
  });
  if (wrong.length === 0) return [];
  const listed =
    declared
      .map((one) =>
        [one.name, one.containerPort, one.protocol === "UDP" ? "UDP" : undefined]
          .filter((part) => part !== undefined)
          .join(" "),
      )
      .join(", ") || "none";
  return [
    finding({
      signal: "ServiceNoEndpoints",
      severity: "medium",
      object,
      confidence: 0.6,
      verified: wrong.some(({ named }) => named),
      summary: `Service ${object.metadata.name} sends to targetPort ${wrong.map(({ target }) => target).join(", ")}, which no container of its pods declares (ports: ${listed})`,
      evidence: [
        ...wrong.map(({ target, index }) =>
          fieldEvidence(object, `spec.ports[${index}].targetPort`, target),
        ),
        fieldEvidence(pod, "spec.containers", `ports ${listed}`),
      ],
      next: describeCommand(object),
      values: defined({
        target_port: wrong.map(({ target }) => target).join(", "),
        example_pod: toObjectId(pod),
      }),
    }),
  ];
}
