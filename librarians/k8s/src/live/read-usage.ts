import type { ListResult, SelectOptions, Usage } from "../cluster/cluster-reader.js";
import { describeSubject } from "../cluster/problems.js";
import { parseUsage } from "../cluster/usage.js";
import { createListQuery, pathTo } from "./path.js";
import type { ListAll } from "./read-events.js";

/** Reads what pods and nodes use now. A namespace leaves the nodes out. */
export async function readUsage(
  options: SelectOptions | undefined,
  listAll: ListAll,
): Promise<ListResult<Usage>> {
  const where = options?.namespace;
  const api = "/apis/metrics.k8s.io/v1beta1";
  const results = await Promise.all([
    listAll(
      pathTo(api, "pods", where),
      describeSubject("usage of pods", where),
      podUsage,
      options,
      createListQuery(options),
    ),
    ...(where === undefined
      ? [listAll(pathTo(api, "nodes", undefined), "usage of nodes", nodeUsage, options)]
      : []),
  ]);
  const failed = results.find((result) => result.problem !== undefined)?.problem;
  return {
    items: results.flatMap((result) => result.items.flat()),
    ...(failed !== undefined && { problem: failed }),
  };
}

const podUsage = (value: unknown) => parseUsage(value, "PodMetrics");
const nodeUsage = (value: unknown) => parseUsage(value, "NodeMetrics");
