import { MeshError } from "@constellation/core";
import type { ClusterReader } from "../cluster/cluster-reader.js";
import { getKind, type KindName } from "../cluster/kinds.js";
import { failedCallIn, hostsIn } from "../diagnosis/call.js";
import type { ClusterReading } from "../diagnosis/cluster-view.js";
import type { Finding } from "../diagnosis/finding.js";
import { gather } from "./gather.js";
import { behindCalls } from "./plan.js";

/** Maximum number of other namespaces that one question reads. */
const maxNamespaces = 3;

/** Namespaces that calls and refusals in what was found lead to, beside the one that was read. */
export function namespacesCalled(
  findings: readonly Finding[],
  { namespace }: ClusterReading,
): readonly string[] {
  if (namespace === undefined) return [];
  const texts = findings.flatMap((one) => [
    one.message ?? "",
    ...one.evidence.map(({ text }) => text),
  ]);
  const called = texts.flatMap((text) => {
    const call = failedCallIn(text);
    if (call === undefined) return [];
    const places = hostsIn(text).flatMap((host) => {
      const [, place, svc = "svc"] = host.split(".");
      return place !== undefined && svc === "svc" && !/^\d+$/.test(place) ? [place] : [];
    });
    // Names are resolved by the cluster's own DNS.
    return call.failure === "name" || /:53\b/.test(text) ? [...places, "kube-system"] : places;
  });
  return [...new Set(called)].filter((one) => one !== namespace).slice(0, maxNamespaces);
}

/** Adds to a reading what calls lead to in other namespaces. A namespace that cannot be read stays unknown. */
export async function withOtherNamespaces(
  reading: ClusterReading,
  namespaces: readonly string[],
  reader: ClusterReader,
  {
    signal,
    kinds = behindCalls,
  }: { readonly signal: AbortSignal; readonly kinds?: readonly KindName[] },
): Promise<ClusterReading> {
  let wider = reading;
  for (const namespace of namespaces) {
    if (namespace === reading.namespace || reading.elsewhere?.has(namespace) === true) continue;
    const more = await readOne(namespace, reader, { signal, kinds });
    if (more === undefined) continue;
    const objects = new Map(wider.objects);
    for (const [kind, items] of more.objects)
      objects.set(kind, [...(objects.get(kind) ?? []), ...items]);
    const unread = new Set(more.problems.keys());
    wider = {
      ...wider,
      objects,
      events: [...wider.events, ...more.events],
      elsewhere: new Map([...(wider.elsewhere ?? []), [namespace, unread]]),
    };
  }
  return wider;
}

async function readOne(
  namespace: string,
  reader: ClusterReader,
  { signal, kinds }: { readonly signal: AbortSignal; readonly kinds: readonly KindName[] },
): Promise<ClusterReading | undefined> {
  const namespaced = kinds.filter((kind) => getKind(kind).namespaced);
  try {
    return await gather(reader, { namespace, signal, withUsage: false, kinds: namespaced });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof MeshError) return undefined;
    throw error;
  }
}
