import type { LibrarianInfo, UnavailableDelegate } from "../../contract/librarian-info.js";
import type { Registry } from "../../registry/registry.js";
import { now } from "../run/deadline-timer.js";
import { chainOf } from "../run/hop.js";
import type { Hop } from "../run/model.js";
import { mayAsk } from "./guard.js";
import { callerDepth } from "./remote-call.js";

/** Librarians that a hop may delegate to. */
export function availableTo(hop: Hop): readonly LibrarianInfo[] {
  const { registry } = hop.run.mesh;
  if (isAtMaxDepth(hop)) return [];
  const closed = closedTo(hop);
  const declared = hop.registration?.delegatesTo;
  const current = now();
  if (registry.hasRules) {
    const isOpen = (id: string) =>
      !closed.includes(id) &&
      declared?.has(id) !== false &&
      registry.get(id)?.isOffered(current) === true;
    const visible = registry.list((each) => mayAsk(hop, each));
    return Object.freeze(visible.filter(({ id }) => isOpen(id)));
  }
  if (declared === undefined) return allExcept(closed, registry.listHealthy(current));
  return listInfos(declared, registry, current).filter(({ id }) => !closed.includes(id));
}

/** Whether nothing may be called below a hop. */
function isAtMaxDepth({ run, depth }: Hop): boolean {
  const above = run.caller === undefined ? 0 : callerDepth(run.caller);
  return above + depth + 1 >= run.limits.maxDepth;
}

/** Librarians that a hop could delegate to if they were neither down nor had an open breaker. */
export function unavailableTo(hop: Hop): readonly UnavailableDelegate[] {
  const { registry } = hop.run.mesh;
  const current = now();
  const isAll = registry.listHealthy(current).length === registry.size;
  if (isAll || isAtMaxDepth(hop)) return [];
  const closed = closedTo(hop);
  const declared = hop.registration?.delegatesTo;
  return registry
    .list((each) => mayAsk(hop, each))
    .flatMap((info): UnavailableDelegate[] => {
      if (closed.includes(info.id) || declared?.has(info.id) === false) return [];
      const registration = registry.get(info.id);
      if (registration === undefined || registration.isOffered(current)) return [];
      if (registration.isDown) return [{ ...info, reason: "down" }];
      const openUntil = registration.policy?.breaker?.openUntil ?? current;
      const retryAfterMs = Math.max(1, Math.ceil(openUntil - current));
      return [{ ...info, reason: "circuit-open", retryAfterMs }];
    });
}

/** Ids that a hop cannot ask, because they would form a loop. */
function closedTo(hop: Hop): readonly string[] {
  return hop.run.mesh.settings.loops === "path" ? [...chainOf(hop), hop.to] : [hop.to];
}

/** Lists that were made before: the same array until the registry changes. */
const lists = new WeakMap<readonly LibrarianInfo[], Map<string, readonly LibrarianInfo[]>>();
const maxLists = 64;

/** All librarians but a few. With 40,000 registered, making the list takes longer than a query should. */
function allExcept(
  ids: readonly string[],
  all: readonly LibrarianInfo[],
): readonly LibrarianInfo[] {
  const known = lists.get(all) ?? new Map<string, readonly LibrarianInfo[]>();
  lists.set(all, known);
  const key = ids.join(" ");
  const found = known.get(key);
  if (found !== undefined) return found;
  if (known.size >= maxLists) known.clear();
  const list = Object.freeze(all.filter(({ id }) => !ids.includes(id)));
  known.set(key, list);
  return list;
}

/** In the order of registration, without reading all registrations. */
function listInfos(
  ids: ReadonlySet<string>,
  registry: Registry,
  current: number,
): readonly LibrarianInfo[] {
  return [...ids]
    .flatMap((id) => registry.get(id) ?? [])
    .filter((each) => each.isOffered(current))
    .sort((a, b) => a.order - b.order)
    .map(({ info }) => info);
}
