import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { textAt } from "../cluster/fields.js";
import { isOfExtension } from "../diagnosis/actors.js";
import { failedCallIn } from "../diagnosis/call.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { findConfigCause, secretNames } from "../diagnosis/config-cause.js";
import { findDependency } from "../diagnosis/dependency.js";
import type { Interest } from "../diagnosis/detector.js";
import type { Evidence } from "../diagnosis/evidence.js";
import { type Finding, finding } from "../diagnosis/finding.js";
import { describeCommand } from "../diagnosis/kubectl.js";
import { certificatesOf } from "../diagnosis/makers.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findBrokenBackend } from "./broken-behind.js";
import { refusedPlaintext } from "./mesh-cause.js";
import { withMetricsApi } from "./metrics-cause.js";

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
    return { ...withText(one, text), evidence: [...one.evidence, ...cause.evidence.slice(0, 2)] };
  }
  if (cause !== undefined) {
    return {
      ...cause,
      symptoms: isClaimed ? cause.symptoms : [...cause.symptoms, withText(one, dependency.text)],
      affects: [...(cause.affects ?? []), toObjectId(pod), ...one.others.map(toObjectId)],
    };
  }
  const secrets = best.call.failure === "auth" ? secretNames(pod, one.values.container) : [];
  const credentials =
    secrets.length === 0
      ? ""
      : `; its credentials come from Secret ${secrets.join(", ")}, which is not read`;
  return {
    ...withText(one, `${dependency.text}${credentials}`),
    evidence: [...one.evidence, ...dependency.evidence],
    values: { ...one.values, called: best.call.host },
  };
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
    return {
      ...withText(one, cause.text),
      evidence: [...one.evidence, ...cause.evidence],
    };
  }
  return one;
}

/** What a program that the kernel cannot run means. */
function otherArchitecture(pod: KubernetesObject, view: ClusterView): string {
  const name = textAt(pod, "spec", "nodeName");
  const node = name === undefined ? undefined : view.get("Node", undefined, name);
  const architecture =
    textAt(node, "status", "nodeInfo", "architecture") ??
    node?.metadata.labels?.["kubernetes.io/arch"];
  const of =
    architecture === undefined ? "that of its node" : `${architecture}, that of node ${name}`;
  return `the program is not for this machine: the image is built for another CPU architecture than ${of}, or its script has no interpreter line`;
}

function withText(one: Finding, text: string): Finding {
  return { ...one, summary: `${one.summary}; ${text}` };
}

function findPod(one: Finding, view: ClusterView): KubernetesObject | undefined {
  if (one.object.kind === "Pod") return one.object;
  return view.owned(one.object).find(({ kind }) => kind === "Pod");
}
