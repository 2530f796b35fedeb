import type { ClusterReader } from "./cluster/cluster-reader.js";
import { createView } from "./diagnosis/cluster-view.js";
import { toObjectId } from "./diagnosis/object-id.js";
import { resolveTarget } from "./question/resolve.js";
import { gather } from "./reading/gather.js";
import { workloadKinds } from "./reading/plan.js";
import type { Surroundings } from "./surroundings.js";

/** The only other namespace that has what a question names, or the names that are like it. */
export async function findInAnotherNamespace(
  { asked, named }: Surroundings,
  reader: ClusterReader,
  signal: AbortSignal,
): Promise<string | readonly string[] | undefined> {
  const kinds = asked.length > 0 ? [...new Set([...asked, ...workloadKinds])] : workloadKinds;
  const options = {
    namespace: undefined,
    signal,
    withUsage: false,
    names: named.names,
    events: [],
  };
  const everywhere = await gather(reader, { ...options, kinds });
  const found = resolveTarget({ ...named, namespace: undefined }, createView(everywhere));
  if (found.kind !== "objects" || found.guessed) return undefined;
  const [place, ...others] = new Set(found.objects.map(({ metadata }) => metadata.namespace));
  return place !== undefined && others.length === 0
    ? place
    : found.objects.slice(0, 3).map(toObjectId);
}
