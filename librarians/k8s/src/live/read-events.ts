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

/** Both APIs show the same events, so one that can be read is enough. */
export async function readEvents(
  options: EventOptions | undefined,
  listAll: ListAll,
): Promise<ListResult<ClusterEvent>> {
  const where = options?.namespace;
  const subject = describeSubject("Event", where);
  if (options?.about !== undefined) {
    const { kind, name } = options.about;
    const of = (field: string) => ({
      fieldSelector: `${field}.kind=${kind},${field}.name=${name}`,
    });
    const path = (api: string) => pathTo(api, "events", where);
    const query = of("involvedObject");
    const own = await listAll(path("/api/v1"), subject, normaliseEvent, options, query);
    if (own.problem === undefined) return { items: mergeEvents(own.items) };
    const other = path("/apis/events.k8s.io/v1");
    const { items, problem: failed } = await listAll(
      other,
      subject,
      normaliseEvent,
      options,
      of("regarding"),
    );
    return failed === undefined ? { items: mergeEvents(items) } : own;
  }
  const [core, newer] = await Promise.all(
    ["/api/v1", "/apis/events.k8s.io/v1"].map((api) =>
      listAll(pathTo(api, "events", where), subject, normaliseEvent, options),
    ),
  );
  const items = mergeEvents([...(core?.items ?? []), ...(newer?.items ?? [])]);
  const isWhole = core?.problem === undefined || newer?.problem === undefined;
  return isWhole ? { items } : { items, problem: core.problem };
}
