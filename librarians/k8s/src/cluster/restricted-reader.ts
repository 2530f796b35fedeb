import type { ClusterReader, ListOptions, ListResult, ReadProblem } from "./cluster-reader.js";
import { getKind, type KindName } from "./kinds.js";
import { passThrough } from "./pass-through.js";
import { describeSubject } from "./problems.js";
import type { ReadSubject } from "./stored-reader.js";

/** What may be read. */
export interface ReadLimits {
  /** Kinds that may be read, also `Event`, `log` and `usage`. @default all */
  readonly kinds?: readonly ReadSubject[] | undefined;
  /** Namespaces that may be read. Cluster-scoped kinds are not touched by it. @default all */
  readonly namespaces?: readonly string[] | undefined;
}

/**
 * Restricts a reader to what its owner allows. Any other read gets problem `notAllowed` without a call. A list
 * over all namespaces becomes one list for each allowed namespace.
 */
export function restrictReader(reader: ClusterReader, limits: ReadLimits): ClusterReader {
  const kinds = limits.kinds && new Set<ReadSubject>(limits.kinds);
  const namespaces = limits.namespaces && new Set(limits.namespaces);
  if (kinds === undefined && namespaces === undefined) return reader;

  function refusal(subject: ReadSubject, namespace?: string): ReadProblem | undefined {
    const isAllowed =
      kinds?.has(subject) !== false &&
      (namespace === undefined || namespaces?.has(namespace) !== false);
    if (isAllowed) return undefined;
    const message = "The configuration of this reader does not allow reading it.";
    return { code: "notAllowed", subject: describeSubject(subject, namespace), message };
  }

  /** Lists in each allowed namespace, where the caller named none. */
  async function everywhere<Item>(
    subject: ReadSubject,
    options: ListOptions,
    list: (options: ListOptions) => Promise<ListResult<Item>>,
  ): Promise<ListResult<Item>> {
    const refused = refusal(subject, options.namespace);
    if (refused !== undefined) return { items: [], problem: refused };
    if (namespaces === undefined || options.namespace !== undefined) return list(options);
    const results = await Promise.all(
      [...namespaces].map((namespace) => list({ ...options, namespace })),
    );
    const problem = results.find((result) => result.problem !== undefined)?.problem;
    return {
      items: results.flatMap((result) => result.items),
      ...(problem !== undefined && { problem }),
    };
  }

  async function listWhole(kind: KindName, options: ListOptions): Promise<ListResult> {
    const refused = refusal(kind);
    if (refused !== undefined) return { items: [], problem: refused };
    const result = await reader.list(kind, options);
    if (kind !== "Namespace" || namespaces === undefined) return result;
    return {
      ...result,
      items: result.items.filter(({ metadata }) => namespaces.has(metadata.name)),
    };
  }

  return {
    ...passThrough(reader, (inner) => restrictReader(inner, limits)),
    ...(reader.recordedLogs !== undefined && {
      recordedLogs: () =>
        (reader.recordedLogs?.() ?? []).filter(
          ({ namespace }) => refusal("log", namespace) === undefined,
        ),
    }),
    list: (kind, options = {}) =>
      getKind(kind).namespaced
        ? everywhere(kind, options, (where) => reader.list(kind, where))
        : listWhole(kind, options),
    async get(kind, namespace, name, options) {
      const where = getKind(kind).namespaced ? namespace : undefined;
      const problem = refusal(kind, kind === "Namespace" ? name : where);
      return problem === undefined ? reader.get(kind, namespace, name, options) : { problem };
    },
    async events(options = {}) {
      const result = await everywhere("Event", options, (where) => reader.events(where));
      return { ...result, items: result.items.toSorted(newestFirst) };
    },
    async logs(options) {
      const problem = refusal("log", options.namespace);
      return problem === undefined ? reader.logs(options) : { problem };
    },
    usage: (options = {}) => everywhere("usage", options, (where) => reader.usage(where)),
  };
}

function newestFirst(a: { lastSeen?: number }, b: { lastSeen?: number }): number {
  return (b.lastSeen ?? 0) - (a.lastSeen ?? 0);
}
