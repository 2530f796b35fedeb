import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt, timeAt, valueAt } from "../cluster/fields.js";
import { kindIs } from "../cluster/kind-traits.js";
import type { ClusterView } from "./cluster-view.js";
import { controlledBy, findDependents } from "./dependents.js";
import { withAllSymptoms } from "./diagnose.js";
import type { Finding } from "./finding.js";
import { isReady } from "./ready.js";

/** What a cause takes down. */
export interface Reach {
  /** Pods that depend on it and are not ready. */
  readonly pods: readonly KubernetesObject[];
  /** Services of which no pod is ready because of it. */
  readonly services: readonly KubernetesObject[];
  /** Hosts of routes that lead to such a Service, or that cannot work themselves; names of routes without a host. */
  readonly routes: readonly string[];
  /** 3: users; 2: callers in the cluster; 1: some pods or runs; 0: nothing yet. */
  readonly level: 0 | 1 | 2 | 3;
}

/** Maximum number of objects that a cause is on, from which its reach is followed. */
const maxStarts = 20;
const routeKinds: ReadonlySet<string> = new Set(["Ingress", "HTTPRoute", "Gateway"]);
/** Follows from a finding and its symptoms what depends on them, and which of that does not work. */
export function findReach(one: Finding, view: ClusterView): Reach {
  const starts = withAllSymptoms(one)
    .flatMap(({ object, others }) => [object, ...others])
    .slice(0, maxStarts);
  const ids = new Set([
    ...(one.affects ?? []),
    ...starts.flatMap((object) => [...findDependents(object, view), ...controlledBy(object, view)]),
  ]);
  const objects = [...ids].flatMap((id) => view.byId(id) ?? []);
  const pods = objects.filter(
    (object) =>
      object.kind === "Pod" &&
      textAt(object, "status", "phase") !== "Succeeded" &&
      !isReady(object),
  );
  const services = objects.filter(
    (object) => object.kind === "Service" && hasNoReadyPod(object, view),
  );
  const isRoute = starts.some(({ kind }) => routeKinds.has(kind));
  const routes = objects.filter(
    ({ kind }) => routeKinds.has(kind) && (services.length > 0 || isRoute),
  );
  const isExposed = services.some((service) =>
    /^(?:LoadBalancer|NodePort)$/.test(textAt(service, "spec", "type") ?? ""),
  );
  const isDown = pods.length > 0 || starts.some(({ kind }) => kindIs(kind, "ofRun"));
  return {
    pods,
    services,
    routes: [...new Set(routes.flatMap(namesOf))],
    level: routes.length > 0 || isExposed ? 3 : services.length > 0 ? 2 : isDown ? 1 : 0,
  };
}

function hasNoReadyPod(service: KubernetesObject, view: ClusterView): boolean {
  const hasSelector = valueAt(service, "spec", "selector") !== undefined;
  return hasSelector && view.behind(service).every((pod) => !isReady(pod));
}

function namesOf(route: KubernetesObject): readonly string[] {
  const hosts = [
    ...listAt(route, "spec", "rules").flatMap((rule) => textAt(rule, "host") ?? []),
    ...listAt(route, "spec", "hostnames").map(String),
    ...listAt(route, "spec", "listeners").flatMap((one) => textAt(one, "hostname") ?? []),
  ];
  return hosts.length > 0 ? hosts : [`${route.kind} ${route.metadata.name}`];
}

/** Epoch milliseconds of the first sign of a finding, in conditions and warnings. Undefined where none has a time. */
export function findFirstSign(
  objects: readonly KubernetesObject[],
  view: ClusterView,
): number | undefined {
  const conditions = objects.flatMap((object) =>
    listAt(object, "status", "conditions").flatMap((condition) => {
      const isBad =
        /^(?:Ready|Available|PodScheduled)$/.test(textAt(condition, "type") ?? "") &&
        textAt(condition, "status") !== "True";
      return isBad ? (timeAt(condition, "lastTransitionTime") ?? []) : [];
    }),
  );
  const warned = objects.flatMap((object) =>
    view
      .events(object)
      .flatMap(({ type, firstSeen }) => (type === "Warning" ? (firstSeen ?? []) : [])),
  );
  const first = Math.min(...conditions, ...warned);
  return Number.isFinite(first) && first <= view.now ? first : undefined;
}

/** Epoch milliseconds since when a finding is there: its first sign, else the oldest moment of its evidence. */
export function findSince(one: Finding, view: ClusterView): number | undefined {
  const own = findFirstSign([one.object, ...one.others.slice(0, maxStarts)], view);
  const shown = one.evidence.flatMap(({ at }) => at ?? []).filter((at) => at <= view.now);
  return own ?? (shown.length === 0 ? undefined : Math.min(...shown));
}

/** Names and labels of places that serve no users. */
const notProduction =
  /(?:^|[-_.])(?:sandbox|dev|devel|development|test|tests|testing|qa|uat|stage|staging|preview|demo|playground|experiments?|scratch|lab)(?:$|[-_.\d])/i;

/** False for an object in a namespace whose labels, or else its name, say that it serves no users. */
export function isProduction({ metadata }: KubernetesObject, view: ClusterView): boolean {
  const { namespace } = metadata;
  if (namespace === undefined) return true;
  const labels = Object.entries(
    view.get("Namespace", undefined, namespace)?.metadata.labels ?? {},
  ).flatMap(([key, value]) =>
    /(?:^|\/)(?:env|environment|stage|tier)$/.test(key) ? [String(value)] : [],
  );
  return ![...(labels.length > 0 ? labels : [namespace])].some((text) => notProduction.test(text));
}

const hourMs = 3_600_000;

/** 3: new in the last hour; 2: of today; 1: older, or of an unknown time; 0: older than a week. */
export function rateRecency(since: number | undefined, now: number): 0 | 1 | 2 | 3 {
  if (since === undefined) return 1;
  const age = now - since;
  if (age <= hourMs) return 3;
  return age <= 24 * hourMs ? 2 : age <= 7 * 24 * hourMs ? 1 : 0;
}

/**
 * How much a cause matters to people who are on call, from 0: outages of production first, then by what is taken down
 * and how new it is.
 */
export function weighFinding(one: Finding, view: ClusterView): number {
  const { level } = findReach(one, view);
  const outage = level === 0 ? 0 : isProduction(one.object, view) ? 2 : 1;
  return outage * 100 + level * 10 + rateRecency(findSince(one, view), view.now) * 5;
}
