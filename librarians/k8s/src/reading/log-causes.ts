import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, recordAt, textAt } from "../cluster/fields.js";
import { isOfExtension } from "../diagnosis/actors.js";
import { failedCallIn } from "../diagnosis/call.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { findCondition } from "../diagnosis/conditions.js";
import { findConfigCause, secretNames } from "../diagnosis/config-cause.js";
import { findDependency } from "../diagnosis/dependency.js";
import type { Interest } from "../diagnosis/detector.js";
import { dnsPods } from "../diagnosis/dns.js";
import { type Evidence, fieldEvidence } from "../diagnosis/evidence.js";
import type { Dependency } from "../diagnosis/failed-dependency.js";
import { type Finding, finding } from "../diagnosis/finding.js";
import { describeCommand } from "../diagnosis/kubectl.js";
import { certificatesOf } from "../diagnosis/makers.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { matchesSelector } from "../diagnosis/selector.js";
import { findBrokenBackend, underCause, withText } from "./causes.js";

/**
 * Goes one step further than a log: what the failed call in it was made to, and what is wrong there.
 *
 * @returns The finding on what was called, with the given one under it; or the given one, with what was
 *   found out about the call.
 */
export function withCalled(one: Finding, view: ClusterView, interest: Interest): Finding {
  // A controller says of a thing what it called for it.
  const isReported = one.signal === "WebhookUnavailable" || isOfExtension(one.object);
  if (one.signal === "HPAUnableToScale" && !isReported) return withMetricsApi(one, view, interest);
  const pod = findPod(one, view) ?? (isReported ? one.object : undefined);
  if (pod === undefined) return one;
  const lines = one.evidence.filter(({ kind }) => kind === "log" || isReported);
  const calls = lines.flatMap((line) => {
    const call = failedCallIn(line.text);
    return call === undefined ? [] : [{ line, call }];
  });
  const followed = calls
    .sort((a, b) => Number(b.call.host !== undefined) - Number(a.call.host !== undefined))
    .flatMap(({ line, call }) => {
      const dependency = findDependency(call, pod, view);
      return dependency === undefined ? [] : [{ line, call, dependency }];
    });
  const best = followed.find(({ dependency }) => dependency.policies.length > 0) ?? followed[0];
  if (best === undefined) return isReported ? one : withConfig(one, pod, lines, view);
  const { dependency } = best;
  // A call that only the question reports is not shown as a log line.
  const isClaimed = one.values.is_claimed === true;
  const [policy] = dependency.policies;
  if (policy !== undefined) {
    return finding({
      signal: "NetworkPolicyBlocking",
      severity: "high",
      object: policy,
      others: dependency.policies.slice(1),
      current: one.current,
      summary: isClaimed
        ? `pod ${pod.metadata.name}: ${dependency.text}`
        : `${dependency.text}; pod ${pod.metadata.name} logs: ${best.line.text}`,
      ...(!isClaimed && { message: best.line.text }),
      evidence: [
        ...dependency.evidence,
        ...(isClaimed
          ? []
          : [best.line, ...one.evidence.filter((item) => item !== best.line).slice(0, 3)]),
      ],
      next: describeCommand(policy),
      values: { observed_signal: one.signal, pod: toObjectId(pod) },
      symptoms: isClaimed ? [] : [one],
      affects: [toObjectId(pod), ...one.others.map(toObjectId)],
    });
  }
  const plain =
    best.call.failure === "reset"
      ? refusedPlaintext(one, { pod, line: best.line, dependency }, view)
      : undefined;
  if (plain !== undefined) return plain;
  const certificates =
    best.call.failure === "tls" ? certificatesOf(dependency.service, best.call.host, view) : [];
  const [cause] = [
    ...findBrokenBackend({ pods: certificates, service: undefined }, pod, view, interest),
    ...findBrokenBackend(dependency, pod, view, interest),
  ];
  if (cause !== undefined && one.signal === "WebhookUnavailable") {
    const text = `${dependency.text} (${cause.signal} of ${toObjectId(cause.object)})`;
    return withText(one, text, cause.evidence.slice(0, 2));
  }
  if (cause !== undefined) {
    const under = underCause(withText(one, dependency.text), cause);
    const affects = [...(under.affects ?? []), toObjectId(pod)];
    return { ...under, affects, symptoms: isClaimed ? cause.symptoms : under.symptoms };
  }
  const secrets = best.call.failure === "auth" ? secretNames(pod, one.values.container) : [];
  const credentials =
    secrets.length === 0
      ? ""
      : `; its credentials come from Secret ${secrets.join(", ")}, which is not read`;
  return {
    ...withText(one, `${dependency.text}${credentials}`, dependency.evidence),
    values: { ...one.values, called: best.call.host },
  };
}

/**
 * Pods whose own log may say why a call to them failed, while their state shows nothing: those that the call in a log was
 * made to, or those of the cluster's DNS where a name was not found.
 */
export function findAnswering(one: Finding, view: ClusterView): readonly KubernetesObject[] {
  const pod = findPod(one, view);
  if (pod === undefined) return [];
  const calls = one.evidence.flatMap(({ kind, text }) =>
    kind === "log" ? (failedCallIn(text) ?? []) : [],
  );
  const [call] = calls.sort((a, b) => Number(b.host !== undefined) - Number(a.host !== undefined));
  if (call === undefined) return [];
  const pods = call.failure === "name" ? dnsPods(view) : findDependency(call, pod, view)?.pods;
  return (pods ?? []).filter((each) => each !== pod);
}

/** Adds where the variable or the file comes from that a log speaks of. */
function withConfig(
  one: Finding,
  pod: KubernetesObject,
  lines: readonly Evidence[],
  view: ClusterView,
): Finding {
  const isAuth = lines.some(({ text }) => failedCallIn(text)?.failure === "auth");
  const secrets = isAuth ? secretNames(pod, one.values.container) : [];
  if (secrets.length > 0)
    return withText(
      one,
      `its credentials come from Secret ${secrets.join(", ")}, which is not read`,
    );
  if (lines.some(({ text }) => /exec format error/i.test(text))) {
    return withText(one, otherArchitecture(pod, view));
  }
  for (const { text } of lines) {
    const cause = findConfigCause(text, pod, one.values.container, view);
    if (cause === undefined) continue;
    return withText(one, cause.text, cause.evidence);
  }
  return one;
}

/** What a program that the kernel cannot run means. */
function otherArchitecture(pod: KubernetesObject, view: ClusterView): string {
  const node = view.nodeOf(pod);
  const architecture =
    textAt(node, "status", "nodeInfo", "architecture") ??
    node?.metadata.labels?.["kubernetes.io/arch"];
  const of =
    architecture === undefined
      ? "that of its node"
      : `${architecture}, that of node ${node?.metadata.name ?? "?"}`;
  return `the program is not for this machine: the image is built for another CPU architecture than ${of}, or its script has no interpreter line`;
}

function findPod(one: Finding, view: ClusterView): KubernetesObject | undefined {
  if (one.object.kind === "Pod") return one.object;
  return view.owned(one.object).find(({ kind }) => kind === "Pod");
}

/** A call that was cut off because what it was made to takes only calls from inside the mesh. */
function refusedPlaintext(
  one: Finding,
  {
    pod,
    line,
    dependency,
  }: {
    readonly pod: KubernetesObject;
    readonly line: Evidence;
    readonly dependency: Dependency;
  },
  view: ClusterView,
): Finding | undefined {
  const { service } = dependency;
  if (service === undefined || isInMesh(pod)) return undefined;
  const labels = recordAt(service, "spec", "selector");
  const policy = view
    .list("PeerAuthentication")
    .filter(
      ({ metadata }) =>
        metadata.namespace === service.metadata.namespace || metadata.namespace === "istio-system",
    )
    .find((each) => {
      const selector = recordAt(each, "spec", "selector");
      return (
        textAt(each, "spec", "mtls", "mode") === "STRICT" &&
        (Object.keys(selector).length === 0 || matchesSelector(selector, labels))
      );
    });
  if (policy === undefined) return undefined;
  return finding({
    ...one,
    signal: "MeshPolicyDenied",
    object: policy,
    summary: `PeerAuthentication ${policy.metadata.name} is STRICT for Service ${service.metadata.name}, and pod ${pod.metadata.name} has no sidecar, so its calls are cut off; its log: ${line.text}`,
    evidence: [
      fieldEvidence(policy, "spec.mtls.mode", "STRICT"),
      line,
      ...one.evidence.filter((item) => item !== line),
    ],
    affects: [toObjectId(pod)],
    symptoms: [{ ...one, symptoms: [] }, ...one.symptoms],
    next: describeCommand(policy),
  });
}

/** True for a pod with a proxy of the mesh beside it. */
function isInMesh(pod: KubernetesObject): boolean {
  const annotations = recordAt(pod, "metadata", "annotations");
  const containers = [
    ...listAt(pod, "spec", "containers"),
    ...listAt(pod, "spec", "initContainers"),
  ];
  return (
    annotations["sidecar.istio.io/status"] !== undefined ||
    containers.some((one) => textAt(one, "name") === "istio-proxy")
  );
}

const group = /\b(?:custom\.|external\.)?metrics\.k8s\.io\b/i;
const named: readonly (readonly [RegExp, string])[] = [
  [/custom metrics API/i, "custom.metrics.k8s.io"],
  [/external metrics API/i, "external.metrics.k8s.io"],
  [/metrics API/i, "metrics.k8s.io"],
];

/** Follows an autoscaler without metrics to the API that gives them, its Service and its pods. */
function withMetricsApi(one: Finding, view: ClusterView, interest: Interest): Finding {
  const text = one.message ?? "";
  const wanted = group.exec(text)?.[0] ?? named.find(([pattern]) => pattern.test(text))?.[1];
  if (wanted === undefined) return one;
  const api = view
    .list("APIService")
    .find((each) => (textAt(each, "spec", "group") ?? each.metadata.name).includes(wanted));
  const condition = findCondition(api, "Available", "False");
  if (api === undefined || condition === undefined) return one;
  const name = textAt(api, "spec", "service", "name") ?? "";
  const namespace = textAt(api, "spec", "service", "namespace");
  const said = `${condition.reason}: ${condition.message}`;
  const what = `APIService ${api.metadata.name} is not available (${said}), behind it is Service ${namespace ?? ""}/${name}`;
  const service = view.get("Service", namespace, name);
  const called = { pods: view.behind(service), service };
  const [cause] = findBrokenBackend(called, one.object, view, interest);
  const symptom = withText(one, what, [fieldEvidence(api, "status.conditions", said)]);
  return cause === undefined ? symptom : underCause(symptom, cause);
}
