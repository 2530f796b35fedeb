import type { KubernetesObject } from "../../cluster/cluster-reader.js";
import { booleanAt, listAt, numberAt, recordAt, textAt, timeAt } from "../../cluster/fields.js";
import { findDisagreements } from "../agreements.js";
import type { ClusterView } from "../cluster-view.js";
import { readContainers } from "../container-state.js";
import type { Detector } from "../detector.js";
import { clause, type Draft, type Shown } from "../finding.js";
import { siblingKey } from "../pod-finding.js";
import { podReferences } from "../pod-references.js";
import { podSpecPath } from "../pod-spec.js";
import { quote } from "../quote.js";
import { listIngressBackends } from "../routes.js";

/** References of an object that lead nowhere, or to what does not agree with them, as `data/agreements.json` lists them. */
export const disagreement: Detector = (object, view) => {
  const found = findDisagreements(object, view);
  const meanings = [...new Set(found.map(({ means }) => means))];
  return meanings.flatMap((meaning): readonly Draft[] => {
    const some = found.filter(({ means }) => means === meaning);
    const [first] = some;
    if (first === undefined) return [];
    const texts = [...new Set(some.map(({ text }) => text))];
    return [
      {
        signal: first.signal,
        severity: "high",
        summary: `${object.kind} ${object.metadata.name} ${first.means}: ${texts.join("; ")}`,
        evidence: some.map(({ at, shown }) => [at, shown] as const),
        values: { is_disagreement: true },
      },
    ];
  });
};

/** Two settings that do not fit together. */
interface Mismatch {
  readonly text: string;
  readonly shown: readonly Shown[];
  /** True where it cannot work like this; else it may be meant. */
  readonly isSure?: boolean;
}

type Check = (object: KubernetesObject, view: ClusterView) => readonly Mismatch[];

/** Variables that a container sets more than once: the last one wins. */
const repeatedVariables: Check = (object) => {
  const path = podSpecPath(object);
  if (path === undefined || object.kind === "Pod") return [];
  return listAt(object, ...path, "containers").flatMap((container, index) => {
    const names = listAt(container, "env").flatMap((one) => textAt(one, "name") ?? []);
    const twice = [...new Set(names.filter((name, place) => names.indexOf(name) < place))];
    const at = `${path.join(".")}.containers[${index}].env`;
    return twice.map((name) => ({
      text: `container ${textAt(container, "name") ?? "?"} sets the variable ${name} twice, and the last one wins`,
      shown: [[at, `${name} twice`] as const],
    }));
  });
};

/** ConfigMaps that a running container reads only at its start, and that were edited after it. */
const changedSince: Check = (pod, view) => {
  if (pod.kind !== "Pod") return [];
  const starts = readContainers(pod).flatMap(({ runningSince }) => runningSince ?? []);
  const started = starts.length === 0 ? timeAt(pod, "status", "startTime") : Math.min(...starts);
  if (started === undefined) return [];
  const names = new Set(
    podReferences(pod.spec, "spec", true)
      // What is mounted as a file is renewed.
      .filter(({ kind, at }) => kind === "ConfigMap" && /\.env(?:From)?$/.test(at))
      .map(({ name }) => name),
  );
  return [...names].flatMap((name) => {
    const edited = timeAt(
      view.get("ConfigMap", pod.metadata.namespace, name),
      "metadata",
      "lastEdit",
      "at",
    );
    if (edited === undefined || edited <= started) return [];
    const print = (at: number) => new Date(at).toISOString().slice(0, 16).replace("T", " ");
    return [
      {
        text: `pod ${pod.metadata.name} still runs with the old values of ConfigMap ${name}: it started ${print(started)} UTC, the ConfigMap was edited ${print(edited)} UTC, and variables are read only at the start, so it needs a restart`,
        shown: [["spec.containers[].env", `from ConfigMap ${name}`, edited] as const],
      },
    ];
  });
};

/** Annotations by which an Ingress reports what its backend speaks. */
const ofProtocol = /(?:backend-protocol|secure-backends|ssl-passthrough|serversscheme|scheme)$/i;

/** An Ingress that speaks plain HTTP to pods which are probed with HTTPS on the same port. */
const backendScheme: Check = (object, view) => {
  if (object.kind !== "Ingress") return [];
  const { namespace, annotations = {} } = object.metadata;
  if (Object.keys(annotations).some((key) => ofProtocol.test(key))) return [];
  return listIngressBackends(object).flatMap(({ name, port, at }) => {
    const service = view.get("Service", namespace, name);
    const [pod] = view.behind(service);
    const used = listAt(service, "spec", "ports").find((one) =>
      [recordAt(one).port, recordAt(one).name].includes(port),
    );
    if (pod === undefined || used === undefined || textAt(used, "appProtocol") !== undefined)
      return [];
    const target = recordAt(used).targetPort ?? recordAt(used).port;
    const secure = listAt(pod, "spec", "containers").some((container) => {
      const declared = listAt(container, "ports").find((one) =>
        [recordAt(one).name, recordAt(one).containerPort].includes(target),
      );
      const ends = [target, recordAt(declared).name, recordAt(declared).containerPort];
      return ["readinessProbe", "livenessProbe", "startupProbe"].some(
        (probe) =>
          textAt(container, probe, "httpGet", "scheme") === "HTTPS" &&
          ends.includes(recordAt(container, probe, "httpGet").port),
      );
    });
    return secure
      ? [
          {
            text: `it sends plain HTTP to service ${name} port ${String(port)}, and the pods there speak HTTPS (their probe uses it); no annotation such as backend-protocol says so`,
            shown: [[at, `service ${name} port ${String(port)}, no backend-protocol`] as const],
            isSure: true,
          },
        ]
      : [];
  });
};

/** How long a lease may be without renewal and still be held, in its own durations. */
const heldFor = 3;

/** A lease that something renews which is no pod of its namespace. */
const leaseHolder: Check = (object, view) => {
  const { namespace } = object.metadata;
  const holder = object.kind === "Lease" ? (textAt(object, "spec", "holderIdentity") ?? "") : "";
  const renewed = timeAt(object, "spec", "renewTime");
  const durationMs = (numberAt(object, "spec", "leaseDurationSeconds") ?? 15) * 1_000;
  if (holder === "" || renewed === undefined || view.now - renewed > heldFor * durationMs)
    return [];
  const pods = view.podsMatching(namespace, {});
  const isOurs = [...pods, ...view.list("Node")].some(({ metadata }) =>
    holder.includes(metadata.name),
  );
  if (isOurs || pods.length === 0 || !view.isKnown("Pod", namespace)) return [];
  return [
    {
      text: `it is held by ${quote(holder, 100)}, which is no pod of namespace ${namespace ?? ""} and renews it still, so none of the pods there becomes the leader`,
      shown: [["spec.holderIdentity", holder, renewed] as const],
      isSure: true,
    },
  ];
};

const switchedOff = /(?:^|[./-])paused?(?:$|[-.])/i;

/** An object that its own spec or annotation keeps from being acted on. Workloads and jobs have detectors for that. */
const heldBack: Check = (object) => {
  if (podSpecPath(object) !== undefined) return [];
  const fields = ["suspend", "suspended", "paused"].filter(
    (field) => booleanAt(object, "spec", field) === true,
  );
  const keys = Object.entries(object.metadata.annotations ?? {}).flatMap(([key, value]) =>
    switchedOff.test(key) && value !== "false" ? [[key, value] as const] : [],
  );
  return [
    ...fields.map((field) => ({
      text: `it is held back: spec.${field} is true, so its controller does nothing for it`,
      shown: [[`spec.${field}`, "true"] as const],
    })),
    ...keys.map(([key, value]) => ({
      text: `it is held back by its annotation ${key}${clause(": ", quote(value, 60))}`,
      shown: [["metadata.annotations", `${key}: ${value}`] as const],
    })),
  ];
};

const checks: readonly Check[] = [
  repeatedVariables,
  changedSince,
  backendScheme,
  leaseHolder,
  heldBack,
];

/** Settings of an object, or of it and of what it works with, that do not fit together. */
export function findMismatches(object: KubernetesObject, view: ClusterView): readonly Mismatch[] {
  return checks.flatMap((check) => check(object, view));
}

/** Settings that do not fit together; they may be meant, where nothing fails. */
export const settings: Detector = (object, view) => {
  const found = findMismatches(object, view);
  if (found.length === 0) return [];
  const isSure = found.some((one) => one.isSure === true);
  return {
    signal: "SettingsMismatch",
    severity: isSure ? "high" : "low",
    verified: isSure,
    isFaint: !isSure,
    summary: `${object.kind} ${object.metadata.name}: ${found.map(({ text }) => text).join("; ")}`,
    evidence: found.flatMap(({ shown }) => shown),
    key: siblingKey(view, object, "settings", ...found.flatMap(({ shown }) => String(shown))),
  };
};
