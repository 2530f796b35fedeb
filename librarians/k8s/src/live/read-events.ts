import type {
  ClusterEvent,
  EventOptions,
  ListOptions,
  ListResult,
} from "../cluster/cluster-reader.js";
import { mergeEvents, normaliseEvent } from "../cluster/events.js";
import { describeSubject } from "../cluster/problems.js";
import { pathTo } from "./path.js";

/** Lists every page below a path. */
export type ListAll = <Item>(
  path: string,
  subject: string,
  read: (item: unknown) => Item | undefined,
  options: ListOptions | undefined,
  query?: Readonly<Record<string, string>>,
) => Promise<ListResult<Item>>;

/** Both APIs show the same events, so the newer one is asked where the older one cannot be read. */
export async function readEvents(
  options: EventOptions | undefined,
  listAll: ListAll,
): Promise<ListResult<ClusterEvent>> {
  const { namespace, about } = options ?? {};
  const read = (api: string, field: string) =>
    listAll(
      pathTo(api, "events", namespace),
      describeSubject("Event", namespace),
      normaliseEvent,
      options,
      about === undefined
        ? {}
        : { fieldSelector: `${field}.kind=${about.kind},${field}.name=${about.name}` },
    );
  const own = await read("/api/v1", "involvedObject");
  if (own.problem === undefined) return { items: mergeEvents(own.items) };
  const other = await read("/apis/events.k8s.io/v1", "regarding");
  return other.problem === undefined
    ? { items: mergeEvents(other.items) }
    : { items: mergeEvents([...own.items, ...other.items]), problem: own.problem };
}
