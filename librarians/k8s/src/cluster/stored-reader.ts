import { cleanName } from "./clean.js";
import type {
  ClusterReader,
  KubernetesObject,
  LogOptions,
  ReadOptions,
  ReadProblem,
  ReadProblemCode,
  SelectOptions,
  Usage,
} from "./cluster-reader.js";
import type { ClusterContent } from "./content.js";
import { mergeEvents } from "./events.js";
import { getKind, type KindName, kindOfObject } from "./kinds.js";
import { readTail } from "./log-tail.js";
import { describeSubject } from "./problems.js";

/** What can be asked for, as far as reading it may fail. */
export type ReadSubject = KindName | "Event" | "log" | "usage";

/** What a {@link createStoredReader} reads from. */
export interface StoredCluster {
  readonly content: ClusterContent;
  /** Whole logs by `namespace/pod/container`, with `#previous` for the run before; container `*` fits any. */
  readonly logs: ReadonlyMap<string, string>;
  /** Epoch milliseconds. */
  readonly now: number;
  readonly name: string;
  readonly loadProblems?: readonly ReadProblem[];
  /** Why a kind cannot be read at all. */
  findProblem(subject: ReadSubject): ReadProblemCode | undefined;
  /** True when a namespace of which nothing is held may still exist. */
  readonly partial: boolean;
}

const reasons: Partial<Record<ReadProblemCode, string>> = {
  forbidden: "Reading it is forbidden.",
  notRecorded: "The snapshot holds nothing of it, so its absence proves nothing.",
};

/** Reads what is held in memory. Answers at once, and the same every time. */
export function createStoredReader(stored: StoredCluster): ClusterReader {
  const { content, name, now } = stored;
  const logs = new Map(
    [...stored.logs].map(([key, text]) => [key.split("/").map(cleanName).join("/"), text]),
  );
  const byKind = indexByKind(content.objects);
  const events = mergeEvents(content.events);
  const usage = latestUsage(content.usage);
  const namespaces = collectNamespaces(content);

  function findReadProblem(
    subject: ReadSubject,
    options: ReadOptions | undefined,
    where: string | undefined,
  ): ReadProblem | undefined {
    const asked = describeSubject(subject, where);
    if (options?.signal?.aborted === true) {
      return { code: "timeout", subject: asked, message: "The read was stopped before it began." };
    }
    const unknownPlace = stored.partial && where !== undefined && !namespaces.has(where);
    const code = stored.findProblem(subject) ?? (unknownPlace ? "notRecorded" : undefined);
    if (code === undefined) return undefined;
    return { code, subject: asked, message: reasons[code] ?? "It could not be read." };
  }

  function found(kind: KindName, namespace: string | undefined): readonly KubernetesObject[] {
    const index = byKind.get(kind);
    if (index === undefined) return [];
    if (namespace === undefined || !getKind(kind).namespaced) return index.all;
    return index.byNamespace.get(namespace) ?? [];
  }

  return {
    async list(kind, options) {
      const where = getKind(kind).namespaced ? options?.namespace : undefined;
      const problem = findReadProblem(kind, options, where);
      if (problem !== undefined) return { items: [], problem };
      return { items: selected(found(kind, where), options) };
    },
    async get(kind, namespace, objectName, options?: ReadOptions) {
      const where = getKind(kind).namespaced ? namespace : undefined;
      const problem = findReadProblem(kind, options, where);
      if (problem !== undefined) return { problem };
      const object = byKind.get(kind)?.byName.get(nameKey(where, objectName));
      return object === undefined ? {} : { object };
    },
    async events(options) {
      const problem = findReadProblem("Event", options, options?.namespace);
      if (problem !== undefined) return { items: [], problem };
      const where = options?.namespace;
      const about = options?.about;
      if (where === undefined && about === undefined) return { items: events };
      return {
        items: events.filter(
          ({ namespace, involved }) =>
            (where === undefined || namespace === where) &&
            (about === undefined || (involved.kind === about.kind && involved.name === about.name)),
        ),
      };
    },
    async logs(options) {
      const problem = findReadProblem("log", options, undefined);
      if (problem !== undefined) return { problem };
      const log = findLog(logs, options);
      if (log !== undefined) return readTail(log, options.tailLines, options.limitBytes);
      const { namespace, pod, container, previous } = options;
      const which = `${previous === true ? "previous log" : "log"} of ${[namespace, pod, container].filter(Boolean).join("/")}`;
      const code = stored.partial ? "notRecorded" : "notFound";
      return { problem: { code, subject: which, message: "The log was not found here." } };
    },
    async usage(options) {
      const problem = findReadProblem("usage", options, options?.namespace);
      if (problem !== undefined) return { items: [], problem };
      const where = options?.namespace;
      if (where === undefined) return { items: usage };
      return { items: usage.filter((entry) => entry.namespace === where) };
    },
    now: () => now,
    describe: () => name,
    recordedLogs: () => listPodsWithLogs(logs),
    ...(stored.loadProblems !== undefined && { loadProblems: stored.loadProblems }),
  };
}

interface KindIndex {
  readonly all: KubernetesObject[];
  readonly byNamespace: Map<string, KubernetesObject[]>;
  readonly byName: Map<string, KubernetesObject>;
}

/** Those that a list asks for. */
function selected(
  objects: readonly KubernetesObject[],
  options: SelectOptions | undefined,
): readonly KubernetesObject[] {
  const { labels = {}, name } = options ?? {};
  const wanted = Object.entries(labels);
  if (wanted.length === 0 && name === undefined) return objects;
  return objects.filter(
    ({ metadata }) =>
      (name === undefined || metadata.name === name) &&
      wanted.every(([key, value]) => metadata.labels?.[key] === value),
  );
}

/** The last object of a name wins: a later file is a later look. */
function indexByKind(objects: readonly KubernetesObject[]): ReadonlyMap<KindName, KindIndex> {
  const latest = new Map<KindName, Map<string, KubernetesObject>>();
  for (const object of objects) {
    const kind = kindOfObject(object.kind, object.apiVersion);
    if (kind === undefined) continue;
    const where = getKind(kind).namespaced ? object.metadata.namespace : undefined;
    const ofKind = latest.get(kind) ?? new Map<string, KubernetesObject>();
    // Resources of different kinds may have the same name.
    const own = kind === "CustomResource" ? `${object.kind}/` : "";
    ofKind.set(`${own}${nameKey(where, object.metadata.name)}`, object);
    latest.set(kind, ofKind);
  }
  const index = new Map<KindName, KindIndex>();
  for (const [kind, byName] of latest) {
    const all = [...byName.values()];
    index.set(kind, { all, byName, byNamespace: groupByNamespace(all) });
  }
  return index;
}

function groupByNamespace(objects: readonly KubernetesObject[]): Map<string, KubernetesObject[]> {
  const groups = new Map<string, KubernetesObject[]>();
  for (const object of objects) {
    const namespace = object.metadata.namespace ?? "";
    const group = groups.get(namespace);
    if (group === undefined) groups.set(namespace, [object]);
    else group.push(object);
  }
  return groups;
}

/** The last measurement of a container or a node wins. */
function latestUsage(usage: readonly Usage[]): readonly Usage[] {
  const byKey = new Map(
    usage.map((entry) => [
      [entry.kind, entry.namespace, entry.name, entry.container].join("/"),
      entry,
    ]),
  );
  return [...byKey.values()];
}

/** Pods that logs are held of, each once. */
function listPodsWithLogs(
  logs: ReadonlyMap<string, string>,
): readonly { readonly namespace: string; readonly pod: string }[] {
  const pods = new Map<string, { readonly namespace: string; readonly pod: string }>();
  for (const key of logs.keys()) {
    const [namespace = "", pod = ""] = key.split("/");
    pods.set(`${namespace}/${pod}`, { namespace, pod });
  }
  return [...pods.values()];
}

function nameKey(namespace: string | undefined, name: string): string {
  return `${namespace ?? ""}/${name}`;
}

function collectNamespaces(content: ClusterContent): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { kind, metadata } of content.objects) {
    if (kind === "Namespace") names.add(metadata.name);
    else if (metadata.namespace !== undefined) names.add(metadata.namespace);
  }
  for (const event of content.events) if (event.namespace !== undefined) names.add(event.namespace);
  return names;
}

function findLog(logs: ReadonlyMap<string, string>, options: LogOptions): string | undefined {
  const { namespace, pod, container, previous } = options;
  const suffix = previous === true ? "#previous" : "";
  const key = `${namespace}/${pod}/${container ?? "*"}${suffix}`;
  const exact = logs.get(key) ?? logs.get(`${namespace}/${pod}/*${suffix}`);
  if (exact !== undefined || container !== undefined) return exact;
  const prefix = `${namespace}/${pod}/`;
  const fitting = [...logs.keys()].filter(
    (name) => name.startsWith(prefix) && name.endsWith("#previous") === (previous === true),
  );
  const only = fitting.length === 1 ? fitting[0] : undefined;
  return only === undefined ? undefined : logs.get(only);
}
