import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, textAt } from "../cluster/fields.js";
import { failedCallIn, hostsIn } from "../diagnosis/call.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import { findDependency } from "../diagnosis/dependency.js";
import type { Interest } from "../diagnosis/detector.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { findBrokenBackend, withText } from "./causes.js";

/** Failures that something else may be behind, where no log says so. */
const open: ReadonlySet<string> = new Set([
  "ReadinessProbeFailed",
  "CrashLoopBackOff",
  "PodFailed",
]);
/** Variables that hold the name of a host. */
const hostName =
  /(?:^|_)(?:HOST|HOSTNAME|ADDR|ADDRESS|SERVER|ENDPOINT|URL|URI|DSN|BROKERS?|SERVICE|SERVERS|HOSTS|ENDPOINTS|URLS|ADDRS|ADDRESSES)$/i;
const plainHost = /^[a-z][a-z0-9.-]{0,252}(?::\d{1,5})?$/i;

/**
 * Adds what a failing pod is set to call and what is wrong there, where no log says which call fails. It may be the
 * cause: the failure of the pod stays the finding.
 */
export function withConfigured(one: Finding, view: ClusterView, interest: Interest): Finding {
  const isOpen = one.current && open.has(one.signal) && one.object.kind === "Pod";
  const isSaid = one.evidence.some(
    ({ kind, text }) => kind === "log" && failedCallIn(text)?.host !== undefined,
  );
  if (!isOpen || isSaid) return one;
  for (const { name, host } of listConfiguredHosts(one.object)) {
    const call = { failure: "refused", host, port: undefined } as const;
    const dependency = findDependency(call, one.object, view);
    if (dependency?.service === undefined) continue;
    const [cause] = findBrokenBackend(dependency, one.object, view, interest);
    if (cause === undefined) continue;
    const text = `it is set to call ${host} (${name}), which has ${cause.signal}: ${cause.summary}`;
    return {
      ...withText(one, text, [...dependency.evidence, ...cause.evidence.slice(0, 2)]),
      values: { ...one.values, may_depend_on: toObjectId(cause.object) },
    };
  }
  return one;
}

/** Hosts in the variables of a pod's containers. */
function listConfiguredHosts(
  pod: KubernetesObject,
): readonly { readonly name: string; readonly host: string }[] {
  return listAt(findPodSpec(pod), "containers")
    .flatMap((container) => listAt(container, "env"))
    .flatMap((variable) => {
      const name = textAt(variable, "name") ?? "";
      const value = textAt(variable, "value") ?? "";
      if (!hostName.test(name) || value.length > 500) return [];
      const hosts = plainHost.test(value) ? [value.split(":")[0] ?? ""] : hostsIn(value);
      return hosts.map((host) => ({ name, host }));
    })
    .slice(0, 10);
}
