import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { recordAt, textAt } from "../cluster/fields.js";
import { failedCallIn } from "../diagnosis/call.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { type Finding, finding } from "../diagnosis/finding.js";
import { describeCommand } from "../diagnosis/kubectl.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { quote } from "../diagnosis/quote.js";
import { isReady } from "../diagnosis/ready.js";
import { matchesLabels } from "../diagnosis/selector.js";
import { podsUnder } from "../diagnosis/superseded.js";
import { findTopOwner } from "../diagnosis/top-of.js";
import { readClaims } from "../question/claims.js";
import type { Question } from "../question/question.js";

/**
 * A call that a question says fails, as a finding of the calling pod: between two things that it names, or
 * of one thing where the question quotes an error. Followed like the line of a log.
 */
export function claimedCalls(
  { query }: Question,
  objects: readonly KubernetesObject[],
  view: ClusterView,
): readonly Finding[] {
  const claims = readClaims(query);
  if (!claims.calls && !claims.names && !claims.reach) return [];
  const ends = new Map(objects.map((one) => [toObjectId(findTopOwner(one, view)), one]));
  const named = [...ends.values()].sort((a, b) => findPosition(a, query) - findPosition(b, query));
  const quoted = failedCallIn(query);
  const asked = /\b(?:on|port|over) (?:port |tcp ?\/? ?)?(\d{2,5})\b/i.exec(query)?.[1];
  const port = claims.reach && asked !== undefined ? `:${asked}` : "";
  // "Keeps web from reaching api" names the caller first, "traffic to api from web" last.
  const isReverse = /\bfrom\b(?! (?:reach|connect|talk|access|call|get))/i.test(query);
  const pairs = named.flatMap((from, first) =>
    named.flatMap((to, second) => {
      // "Can web reach api" asks about one direction only.
      if (claims.reach && first < second === isReverse) return [];
      const pod = findRelatedPod(from, view);
      const service = findRelatedService(to, view);
      if (from === to || pod === undefined || service === undefined) return [];
      // A Deployment and the Service of its pods are one end.
      if (toObjectId(findRelatedPod(service, view) ?? service) === toObjectId(pod)) return [];
      const { name, namespace } = service.metadata;
      const called = toObjectId(service);
      const at = `${name}.${namespace ?? ""}.svc${port}`;
      return [{ pod, line: `dial tcp ${at}: connection timed out`, called }];
    }),
  );
  // What the question says of names, or quotes as an error, of each thing that it names.
  const isOfNames = claims.names && quoted === undefined;
  const line = isOfNames ? "lookup kubernetes.default.svc.cluster.local: no such host" : query;
  const single = named.flatMap((one) => {
    const pod = isOfNames || quoted !== undefined ? findRelatedPod(one, view) : undefined;
    return pod === undefined ? [] : [{ pod, line }];
  });
  return [...pairs, ...single.map((one) => ({ ...one, called: undefined }))]
    .slice(0, 4)
    .map(({ pod, line: text, called }) =>
      finding({
        signal: "ApplicationError",
        severity: "medium",
        object: pod,
        isFaint: true,
        verified: false,
        summary: `pod ${pod.metadata.name} fails in a call, according to the question`,
        evidence: [{ id: `${toObjectId(pod)}#claim`, kind: "log", text: quote(text, 300) }],
        next: describeCommand(pod),
        values: { is_claimed: true, asked_target: called },
      }),
    );
}

/** Where a question names something. */
function findPosition({ metadata: { name } }: KubernetesObject, query: string): number {
  const text = query.toLowerCase();
  const parts = name.toLowerCase().split("-");
  // A question names web, and what was found for it may be `web-7c9d`.
  const places = parts
    .map((_, index) => text.indexOf(parts.slice(0, parts.length - index).join("-")))
    .filter((at) => at >= 0);
  return places[0] ?? query.length;
}

/** True for a finding that still rests on the question's own words alone. */
export function isClaim(one: Finding): boolean {
  return one.values.is_claimed === true && one.signal === "ApplicationError";
}

/** Of calls that were followed and lead nowhere: who may call what, as far as policies were read. */
export function allowedCalls(
  followed: readonly Finding[],
  { query }: Question,
  view: ClusterView,
): readonly string[] {
  if (
    !readClaims(query).reach ||
    !view.isRead("NetworkPolicy") ||
    view.problems.has("NetworkPolicy")
  )
    return [];
  return followed.flatMap((one) =>
    // Only a call that was followed to its target was evaluated.
    isClaim(one) && one.evidence.length > 1 && typeof one.values.asked_target === "string"
      ? [
          `NetworkPolicies that were read allow ${toObjectId(one.object)} to reach ${one.values.asked_target}`,
        ]
      : [],
  );
}

function findRelatedPod(object: KubernetesObject, view: ClusterView): KubernetesObject | undefined {
  if (object.kind === "Pod") return object;
  if (object.kind === "Node")
    return view.list("Pod").find((pod) => view.nodeOf(pod) === object && isReady(pod));
  return object.kind === "Service" ? view.behind(object)[0] : podsUnder(object, view)[0];
}

function findRelatedService(
  object: KubernetesObject,
  view: ClusterView,
): KubernetesObject | undefined {
  if (object.kind === "Service") return object;
  const labels = findRelatedPod(object, view)?.metadata.labels ?? {};
  return view
    .list("Service")
    .find(
      (one) =>
        one.metadata.namespace === object.metadata.namespace &&
        matchesLabels(recordAt(one, "spec", "selector"), labels) &&
        textAt(one, "spec", "type") !== "ExternalName",
    );
}
