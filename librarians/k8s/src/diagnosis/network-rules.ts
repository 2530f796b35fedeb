import { BlockList, isIP, isIPv6 } from "node:net";
import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, valueAt } from "../cluster/fields.js";
import type { ClusterView } from "./cluster-view.js";
import { matchesSelector, printSelector } from "./selector.js";

/** One connection, as a policy sees it. */
export interface Connection {
  readonly pod: KubernetesObject;
  readonly direction: "ingress" | "egress";
  /** The pod at the other end. Undefined: outside the cluster, or not known. */
  readonly peer: KubernetesObject | undefined;
  /** Address of the other end, where it is known. */
  readonly address?: string | undefined;
  /** Port on the receiving pod. Undefined: any. */
  readonly port: number | undefined;
  readonly protocol: "TCP" | "UDP";
}

/** Policies that isolate a pod in a direction, when none of them allows a connection. */
export function blockingPolicies(
  connection: Connection,
  view: ClusterView,
): readonly KubernetesObject[] {
  const selecting = selectingPolicies(connection.pod, connection.direction, view);
  return selecting.some((policy) => allows(policy, connection, view)) ? [] : selecting;
}

/** Policies that isolate a pod in a direction. */
export function selectingPolicies(
  pod: KubernetesObject,
  direction: "ingress" | "egress",
  view: ClusterView,
): readonly KubernetesObject[] {
  return view
    .list("NetworkPolicy")
    .filter(
      (policy) =>
        policy.metadata.namespace === pod.metadata.namespace &&
        isolates(policy, direction) &&
        matchesSelector(recordAt(policy, "spec", "podSelector"), pod.metadata.labels ?? {}),
    );
}

/** True for a policy that applies to a direction at all. */
export function isolates(policy: KubernetesObject, direction: "ingress" | "egress"): boolean {
  const types = listAt(policy, "spec", "policyTypes");
  if (direction === "ingress") return types.length === 0 || types.includes("Ingress");
  return types.length === 0
    ? listAt(policy, "spec", "egress").length > 0
    : types.includes("Egress");
}

function allows(policy: KubernetesObject, connection: Connection, view: ClusterView): boolean {
  return listAt(policy, "spec", connection.direction).some(
    (rule) => allowsPeer(rule, policy, connection, view) && allowsPort(rule, connection),
  );
}

function allowsPeer(
  rule: unknown,
  policy: KubernetesObject,
  { direction, peer, address }: Connection,
  view: ClusterView,
): boolean {
  const peers = listAt(rule, direction === "ingress" ? "from" : "to");
  if (peers.length === 0) return true;
  return peers.some((one) => {
    // Of a pod whose address is not known, a block of addresses counts as allowed.
    if (valueAt(one, "ipBlock") !== undefined)
      return address === undefined || isInBlock(address, recordAt(one, "ipBlock"));
    if (peer === undefined) return false;
    const pods = valueAt(one, "podSelector");
    const namespaces = valueAt(one, "namespaceSelector");
    const { namespace = "", labels = {} } = peer.metadata;
    const fitsPlace =
      namespaces === undefined
        ? namespace === policy.metadata.namespace
        : matchesSelector(namespaces, labelsOfNamespace(namespace, view));
    return fitsPlace && (pods === undefined || matchesSelector(pods, labels));
  });
}

/** True for an address in a block, and in none of its exceptions. What cannot be read counts as in it. */
function isInBlock(address: string, block: unknown): boolean {
  const isIn = (cidr: unknown): boolean | undefined => {
    const [start = "", prefix] = String(cidr).split("/");
    const family = isIPv6(start) ? "ipv6" : "ipv4";
    const bits = Number(prefix);
    if (isIP(start) === 0 || !(bits >= 0 && bits <= (family === "ipv6" ? 128 : 32)))
      return undefined;
    const list = new BlockList();
    list.addSubnet(start, bits, family);
    return list.check(address, isIPv6(address) ? "ipv6" : "ipv4");
  };
  return (
    isIn(valueAt(block, "cidr")) !== false &&
    !listAt(block, "except").some((one) => isIn(one) === true)
  );
}

function labelsOfNamespace(name: string, view: ClusterView): Readonly<Record<string, string>> {
  const labels = view.get("Namespace", undefined, name)?.metadata.labels ?? {};
  return { "kubernetes.io/metadata.name": name, ...labels };
}

function allowsPort(rule: unknown, { pod, peer, direction, port, protocol }: Connection): boolean {
  const ports = listAt(rule, "ports");
  if (ports.length === 0) return true;
  const receiver = direction === "ingress" ? pod : peer;
  return ports.some((one) => {
    if ((textAt(one, "protocol") ?? "TCP") !== protocol) return false;
    const wanted = valueAt(one, "port");
    if (wanted === undefined || port === undefined) return true;
    if (typeof wanted === "string") return resolvePort(wanted, receiver) === port;
    const end = numberAt(one, "endPort");
    return end === undefined ? wanted === port : Number(wanted) <= port && port <= end;
  });
}

/** A port by its number, or by the name that a container gives it. */
export function resolvePort(value: unknown, pod: KubernetesObject | undefined): number | undefined {
  if (typeof value === "number") return value;
  const ports = listAt(pod, "spec", "containers").flatMap((one) => listAt(one, "ports"));
  return numberAt(
    ports.find((one) => textAt(one, "name") === value),
    "containerPort",
  );
}

/** The port of a pod that a port of its Service leads to. */
export function targetPort(port: unknown, pod: KubernetesObject): number | undefined {
  return resolvePort(valueAt(port, "targetPort") ?? valueAt(port, "port"), pod);
}

/** What a policy allows in a direction, for people: `TCP 443 to any peer`, or `nothing`. */
export function printRules(policy: KubernetesObject, direction: "ingress" | "egress"): string {
  const rules = listAt(policy, "spec", direction).map((rule) => {
    const ports = listAt(rule, "ports").map(
      (one) => `${textAt(one, "protocol") ?? "TCP"} ${String(valueAt(one, "port") ?? "any port")}`,
    );
    const peers = listAt(rule, direction === "ingress" ? "from" : "to").map(printPeer);
    const who = peers.length === 0 ? "any peer" : peers.slice(0, 3).join(" or ");
    return `${ports.length === 0 ? "any port" : ports.join(", ")} ${direction === "ingress" ? "from" : "to"} ${who}`;
  });
  return rules.length === 0 ? "nothing" : rules.slice(0, 4).join("; ");
}

function printPeer(peer: unknown): string {
  const block = textAt(peer, "ipBlock", "cidr");
  if (block !== undefined) return `addresses ${block}`;
  const pods = valueAt(peer, "podSelector");
  const namespaces = valueAt(peer, "namespaceSelector");
  const which = pods === undefined ? "pods" : `pods with ${printSelector(pods)}`;
  return namespaces === undefined
    ? which
    : `${which} in namespaces with ${printSelector(namespaces)}`;
}
