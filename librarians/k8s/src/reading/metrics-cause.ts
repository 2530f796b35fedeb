import { listAt, recordAt, textAt } from "../cluster/fields.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import type { Interest } from "../diagnosis/detector.js";
import { fieldEvidence } from "../diagnosis/evidence.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findBrokenBackend } from "./broken-behind.js";

const group = /\b(?:custom\.|external\.)?metrics\.k8s\.io\b/i;
const named: readonly (readonly [RegExp, string])[] = [
  [/custom metrics API/i, "custom.metrics.k8s.io"],
  [/external metrics API/i, "external.metrics.k8s.io"],
  [/metrics API/i, "metrics.k8s.io"],
];

/** Follows an autoscaler without metrics to the API that gives them, its Service and its pods. */
export function withMetricsApi(one: Finding, view: ClusterView, interest: Interest): Finding {
  const text = one.message ?? "";
  const wanted = group.exec(text)?.[0] ?? named.find(([pattern]) => pattern.test(text))?.[1];
  if (wanted === undefined) return one;
  const api = view
    .list("APIService")
    .find((each) => (textAt(each, "spec", "group") ?? each.metadata.name).includes(wanted));
  const condition = listAt(api, "status", "conditions").find(
    (each) => textAt(each, "type") === "Available" && textAt(each, "status") === "False",
  );
  if (api === undefined || condition === undefined) return one;
  const name = textAt(api, "spec", "service", "name") ?? "";
  const namespace = textAt(api, "spec", "service", "namespace");
  const said = `${textAt(condition, "reason") ?? ""}: ${textAt(condition, "message") ?? ""}`;
  const what = `APIService ${api.metadata.name} is not available (${said}), behind it is Service ${namespace ?? ""}/${name}`;
  const service = view.get("Service", namespace, name);
  const selector = recordAt(service, "spec", "selector");
  const pods =
    Object.keys(selector).length === 0
      ? []
      : view.podsMatching(namespace, { matchLabels: selector });
  const [cause] = findBrokenBackend({ pods, service }, one.object, view, interest);
  const symptom = {
    ...one,
    summary: `${one.summary}; ${what}`,
    evidence: [...one.evidence, fieldEvidence(api, "status.conditions", said)],
  };
  if (cause === undefined) return symptom;
  return {
    ...cause,
    symptoms: [...cause.symptoms, symptom],
    affects: [...(cause.affects ?? []), toObjectId(one.object), ...(one.affects ?? [])],
  };
}
