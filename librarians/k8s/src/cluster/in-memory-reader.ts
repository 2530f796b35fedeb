import type { ClusterReader, ReadProblemCode, Usage } from "./cluster-reader.js";
import { collectContent } from "./content.js";
import { createStoredReader, type ReadSubject } from "./stored-reader.js";

/** What a cluster in memory holds. */
export interface InMemoryClusterOptions {
  /** Objects, events and lists as the API gives them. Secrets are dropped. @default none */
  readonly objects?: readonly unknown[];
  /**
   * Logs by `namespace/pod/container`; `#previous` at the end for the run before the last restart, `*`
   * for a container that is not named.
   *
   * @default none
   */
  readonly logs?: Readonly<Record<string, string>>;
  /** @default none; `PodMetrics` and `NodeMetrics` among the objects count too */
  readonly usage?: readonly Usage[];
  /** Kinds that come back as forbidden. @default none */
  readonly forbidden?: readonly ReadSubject[];
  /** Kinds that come back with another problem. @default none */
  readonly problems?: Readonly<Partial<Record<ReadSubject, ReadProblemCode>>>;
  /** Epoch milliseconds. @default the newest moment in the objects, or else now */
  readonly now?: number;
  /**
   * True for a recording of a part of a cluster: a kind or namespace of which it holds nothing may still
   * exist, and is problem `notRecorded`.
   *
   * @default false
   */
  readonly partial?: boolean;
  /** @default "cluster in memory" */
  readonly name?: string;
}

/** A cluster made of plain objects. Unless it is `partial`, what it does not hold does not exist. */
export function createInMemoryReader(options: InMemoryClusterOptions = {}): ClusterReader {
  const { objects = [], logs = {}, usage = [], forbidden = [], problems = {} } = options;
  const { partial = false } = options;
  const clock = options.now ?? Date.now();
  const collector = collectContent(clock);
  for (const object of objects) collector.add(object);
  const collected = collector.content();
  return createStoredReader({
    content: { ...collected, usage: [...collected.usage, ...usage] },
    logs: new Map(Object.entries(logs)),
    now: options.now ?? collected.newest ?? clock,
    name: options.name ?? "cluster in memory",
    partial,
    findProblem(subject) {
      if (forbidden.includes(subject)) return "forbidden";
      const isUnknown = partial && subject !== "log" && !collected.recorded.has(subject);
      return problems[subject] ?? (isUnknown ? "notRecorded" : undefined);
    },
  });
}
