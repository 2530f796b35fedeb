import { listAt, numberAt, recordAt, textAt, valueAt } from "../../cluster/fields.js";
import type { ClusterView } from "../cluster-view.js";
import type { Finding } from "../finding.js";
import { kubectl, option } from "../kubectl.js";
import { matchesSelector } from "../selector.js";
import { findTopOwner } from "../top-of.js";
import { nearestValue } from "./labels.js";
import { expand, findNear } from "./names.js";
import {
  type Change,
  findTemplateContainer,
  patch,
  setField,
  templatePath,
  textOf,
} from "./patch.js";

/** A field that a failure shows to be wrong. Texts speak of its value as `{value}` and of the new one as `{to}`. */
interface FieldRow {
  /** What was said of the failure: each of these. */
  readonly says: readonly RegExp[];
  /** The path below the pod spec of the template, or below the container. `*` is every item of a list. */
  readonly of: "pod" | "container";
  readonly path: string;
  /** The value to set, `null` to remove it; undefined where there is nothing to change. */
  readonly to: (value: unknown, context: Context) => unknown;
  readonly what: string;
}

interface Context {
  /** The pod spec, or the container. */
  readonly spec: unknown;
  /** What the field is in. */
  readonly within: unknown;
  readonly view: ClusterView;
}

const scaled =
  (factor: number, fallback: number) =>
  (value: unknown): number =>
    Math.ceil((typeof value === "number" ? value : fallback) * factor);
const whenIs =
  (wrong: unknown, to: unknown) =>
  (value: unknown): unknown =>
    value === wrong ? to : undefined;
/** Only of a probe that is there. */
const ofProbe =
  (probe: string, to: (value: unknown) => unknown) =>
  (value: unknown, { spec }: Context): unknown =>
    valueAt(spec, probe) === undefined ? undefined : to(value);
/** The path that another probe of the container asks. */
const pathOfOther =
  (other: string) =>
  (value: unknown, { spec }: Context): unknown => {
    const path = textAt(spec, other, "httpGet", "path");
    return value === undefined || path === value ? undefined : path;
  };

const unresolved = [
  /no such host|ENOTFOUND|EAI_AGAIN|not resolve|name resolution|unknown host|name or service not known|nodename nor servname|dnsPolicy/i,
];

const rows: readonly FieldRow[] = [
  {
    says: unresolved,
    of: "pod",
    path: "dnsPolicy",
    to: (value, { spec }) => {
      const isOnHost = valueAt(spec, "hostNetwork") === true;
      const to = isOnHost ? "ClusterFirstWithHostNet" : "ClusterFirst";
      return value === to || (value === undefined && !isOnHost) ? undefined : to;
    },
    what: "dnsPolicy is {value}, so names of Services are not resolved by the DNS of the cluster",
  },
  {
    says: [/hostAliases of its spec/],
    of: "pod",
    path: "hostAliases",
    to: () => null,
    what: "hostAliases send a name of the cluster to an address of their own",
  },
  {
    says: [/no such node|no node of that name|nodeName/i],
    of: "pod",
    path: "nodeName",
    to: (value, { view }) =>
      typeof value === "string" && view.presence("Node", undefined, value) === "missing"
        ? null
        : undefined,
    what: "nodeName is {value}, and there is no such node",
  },
  {
    says: [/topology spread/i],
    of: "pod",
    path: "topologySpreadConstraints.*.whenUnsatisfiable",
    to: whenIs("DoNotSchedule", "ScheduleAnyway"),
    what: "whenUnsatisfiable is {value}, and no node keeps the pods spread",
  },
  {
    says: [/didn't match pod anti-affinity rules/i],
    of: "pod",
    path: "affinity.podAntiAffinity",
    to: (value) => {
      const { requiredDuringSchedulingIgnoredDuringExecution: terms, ...rest } = recordAt(value);
      const wished = listAt(rest, "preferredDuringSchedulingIgnoredDuringExecution");
      const added = listAt(terms).map((podAffinityTerm) => ({ weight: 100, podAffinityTerm }));
      return added.length === 0
        ? undefined
        : { ...rest, preferredDuringSchedulingIgnoredDuringExecution: [...wished, ...added] };
    },
    what: "affinity.podAntiAffinity is required, and no node is without such a pod; wish for it instead, or add a node",
  },
  {
    says: [/which its affinity does not name in namespaces/],
    of: "pod",
    path: "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.*.namespaces",
    to: (value, { view, within }) => {
      const selector = recordAt(within, "labelSelector");
      const there = view
        .list("Pod")
        .filter((pod) => matchesSelector(selector, pod.metadata.labels ?? {}))
        .flatMap(({ metadata }) => metadata.namespace ?? []);
      return value === undefined && there.length > 0 ? [...new Set(there)].slice(0, 1) : undefined;
    },
    what: "affinity.podAffinity looks in the pod's own namespace, and the pods that it asks for are elsewhere",
  },
  {
    says: [/serviceaccount\/token|in-cluster config/i],
    of: "pod",
    path: "automountServiceAccountToken",
    to: whenIs(false, true),
    what: "automountServiceAccountToken is false, and the program needs the token",
  },
  {
    says: [/read-only file ?system|EROFS/i],
    of: "container",
    path: "securityContext.readOnlyRootFilesystem",
    to: whenIs(true, false),
    what: "readOnlyRootFilesystem is true, and the program writes there; or mount an emptyDir where it writes",
  },
  {
    says: [/ErrImageNeverPull|pull policy of Never/i],
    of: "container",
    path: "imagePullPolicy",
    to: whenIs("Never", "IfNotPresent"),
    what: "imagePullPolicy is Never, and the image is not on the node",
  },
  {
    says: [/runAsNonRoot/],
    of: "container",
    path: "securityContext.runAsUser",
    to: (value) => (value === undefined || value === 0 ? 1_000 : undefined),
    what: "runAsNonRoot forbids the user of the image; name one that the program can run as",
  },
  {
    says: [/InvalidImageName|invalid reference format/i],
    of: "container",
    path: "image",
    to: (value) => {
      const to = String(value).toLowerCase().trim().replaceAll(/\s+/g, "-");
      return to === value ? undefined : to;
    },
    what: "{value} is not a valid name of an image",
  },
  {
    says: [/Failed to pull|ImagePullBackOff|ErrImagePull/i, ...unresolved],
    of: "container",
    path: "image",
    to: (value, { view }) => {
      const [host = "", ...rest] = String(value).split("/");
      const known = view
        .list("Pod")
        .flatMap((pod) =>
          listAt(pod, "spec", "containers").flatMap(
            (one) => textAt(one, "image")?.split("/") ?? [],
          ),
        );
      const hosts = [
        ...new Set(known.filter((one) => one.includes(".") && one !== host && !one.includes(":"))),
      ];
      const near = rest.length > 0 && host.includes(".") ? findNear(host, hosts) : undefined;
      return near === undefined || hosts.length < 1 ? undefined : [near, ...rest].join("/");
    },
    what: "the registry of {value} is not known; others pull from that of {to}",
  },
  {
    says: [/Liveness probe failed/i, /(?:deadline exceeded|timed? ?out|Client\.Timeout)/i],
    of: "container",
    path: "livenessProbe.timeoutSeconds",
    to: ofProbe("livenessProbe", scaled(5, 1)),
    what: "the liveness probe gives up after {value} s",
  },
  {
    says: [/Readiness probe failed/i, /(?:deadline exceeded|timed? ?out|Client\.Timeout)/i],
    of: "container",
    path: "readinessProbe.timeoutSeconds",
    to: ofProbe("readinessProbe", scaled(5, 1)),
    what: "the readiness probe gives up after {value} s",
  },
  {
    says: [/Startup probe failed/i],
    of: "container",
    path: "startupProbe.failureThreshold",
    to: ofProbe("startupProbe", scaled(3, 3)),
    what: "the startup probe gives up after {value} failures",
  },
  {
    says: [/Liveness probe failed/i, /statuscode: 404/i],
    of: "container",
    path: "livenessProbe.httpGet.path",
    to: pathOfOther("readinessProbe"),
    what: "the liveness probe asks {value}, which is not found; the readiness probe asks {to}",
  },
  {
    says: [/Readiness probe failed/i, /statuscode: 404/i],
    of: "container",
    path: "readinessProbe.httpGet.path",
    to: pathOfOther("livenessProbe"),
    what: "the readiness probe asks {value}, which is not found; the liveness probe asks {to}",
  },
  {
    says: [/Liveness probe failed/i, /connection refused/i],
    of: "container",
    path: "livenessProbe.initialDelaySeconds",
    to: ofProbe("livenessProbe", scaled(6, 20)),
    what: "the liveness probe begins after {value} s, before the program listens; or add a startup probe",
  },
];

/** The first field of the template that what was said of the failure shows to be wrong. */
export function fixField(one: Finding, view: ClusterView): Change | undefined {
  if (!one.current) return undefined;
  const texts = textOf(one);
  const top = findTopOwner(one.object, view);
  const root = templatePath(top);
  const container = findTemplateContainer(one, view);
  if (root === undefined) return undefined;
  for (const { says, of, path, to, what } of rows) {
    const place = of === "pod" ? root : container?.path;
    if (place === undefined || !says.every((form) => form.test(texts))) continue;
    const spec = valueAt(top, ...place);
    for (const below of expand(spec, path)) {
      const value = valueAt(spec, ...below);
      const next = to(value, { spec, view, within: valueAt(spec, ...below.slice(0, -1)) });
      if (next === undefined || (next === null && value === undefined)) continue;
      const said = what
        .replace("{value}", String(value ?? "not set"))
        .replace("{to}", String(next));
      return setField(top, [...place, ...below], said, next);
    }
  }
  return undefined;
}

/** A variable that a container of a failing workload sets twice: the last one wins. */
export function dropRepeated(one: Finding, view: ClusterView): Change | undefined {
  const found = findTemplateContainer(one, view);
  if (found === undefined || !one.current) return undefined;
  const names = listAt(found.spec, "env").map((variable) => textAt(variable, "name"));
  const last = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
  if (last < 0) return undefined;
  const { kind, metadata } = found.top;
  const what = `the variable ${names[last] ?? ""} is set twice in env, and the last one wins`;
  const removed = setField(found.top, [...found.path, "env", last], what, null);
  // A value may be a secret, so it is not written into a command.
  const [undo] =
    kubectl`rollout undo ${kind.toLowerCase()} ${metadata.name}${option("-n", metadata.namespace)}`;
  return removed === undefined ? undefined : { ...removed, undo };
}

/** A probe that asks a port, or a named one, that the container does not declare. */
export function fixProbePort(one: Finding, view: ClusterView): Change | undefined {
  const found = findTemplateContainer(one, view);
  const ports = listAt(found?.spec, "ports");
  const declared = ports
    .map((port) => numberAt(port, "containerPort"))
    .find((port) => port !== undefined);
  for (const probe of ["readinessProbe", "livenessProbe", "startupProbe"]) {
    for (const how of ["httpGet", "tcpSocket", "grpc"]) {
      const port = valueAt(found?.spec, probe, how, "port");
      const isKnown = ports.some(
        (each) => numberAt(each, "containerPort") === port || textAt(each, "name") === port,
      );
      if (found === undefined || port === undefined || declared === undefined || isKnown) continue;
      return setField(
        found.top,
        [...found.path, probe, how, "port"],
        `${probe} asks port ${String(port)}, and the container declares only ${declared}`,
        declared,
      );
    }
  }
  return undefined;
}

/** "untolerated taint {key: value}", "had untolerated taint {key=value:NoSchedule}" */
const untolerated = /untolerated taint(?:\(s\))? \{([\w./-]{1,317}): ?([\w.-]{0,63})\}/;

/** A toleration for the taint of the nodes that have room. */
export function tolerate(one: Finding, view: ClusterView): Change | undefined {
  const top = findTopOwner(one.object, view);
  const root = templatePath(top);
  const [hit, key = "", value = ""] = untolerated.exec(one.message ?? one.summary) ?? [];
  // The taints of the control plane, and those of a node in trouble, are there for a reason.
  if (root === undefined || hit === undefined || /^node(?:-role)?\.kubernetes\.io\//.test(key))
    return undefined;
  const isAny = value === "";
  const toleration = { key, operator: isAny ? "Exists" : "Equal", ...(!isAny && { value }) };
  const before = valueAt(top, ...root, "tolerations");
  const at = `/${[...root, "tolerations"].join("/")}`;
  const what = `no toleration for the taint ${key}${isAny ? "" : `=${value}`} of the nodes that have room`;
  const all = [...listAt(before), toleration];
  const isNew = before === undefined;
  return patch(
    top,
    what,
    [{ op: isNew ? "add" : "replace", path: at, value: all }],
    [isNew ? { op: "remove", path: at } : { op: "replace", path: at, value: before }],
  );
}

/** Where a pod asks for labels of nodes or of other pods. */
const placements = [
  ["nodeSelector", "Node"],
  [
    "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms.*.matchExpressions.*",
    "Node",
  ],
  [
    "affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution.*.labelSelector.matchLabels",
    "Pod",
  ],
] as const;

/** A label that a pod asks of nodes or of other pods, and that none has in this value. */
export function fixPlacement(one: Finding, view: ClusterView): Change | undefined {
  const top = findTopOwner(one.object, view);
  const root = templatePath(top);
  if (root === undefined) return undefined;
  for (const [path, kind] of placements) {
    for (const below of expand(valueAt(top, ...root), path)) {
      const place = [...root, ...below];
      const asked = recordAt(top, ...place);
      const isExpression = typeof asked.operator === "string";
      const pairs = isExpression
        ? listAt(asked, "values").map(
            (value, index) =>
              [textAt(asked, "key") ?? "", value, [...place, "values", index]] as const,
          )
        : Object.entries(asked).map(([key, value]) => [key, value, [...place, key]] as const);
      const single = isExpression && (asked.operator !== "In" || pairs.length !== 1) ? [] : pairs;
      for (const [key, value, at] of single) {
        const to = nearestValue(key, String(value), view.list(kind));
        if (to === undefined) continue;
        return setField(
          top,
          at,
          `${below[0] === "nodeSelector" ? "nodeSelector" : String(below[1])} asks for ${key}=${String(value)}, which no ${kind.toLowerCase()} has; there is ${key}=${to}`,
          to,
        );
      }
    }
  }
  return undefined;
}
