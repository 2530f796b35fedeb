import { MeshError } from "@constellation/core";
import type {
  ClusterEvent,
  ClusterReader,
  KubernetesObject,
  ReadProblem,
  Usage,
} from "../cluster/cluster-reader.js";
import type { KindName } from "../cluster/kinds.js";
import type { ClusterReading } from "../diagnosis/cluster-view.js";
import { withTraces } from "./traces.js";

/** Maximum number of concurrent lists. */
const atOnce = 6;

/** What to read. */
export interface GatherOptions {
  readonly kinds: readonly KindName[];
  readonly namespace: string | undefined;
  readonly signal: AbortSignal;
  /** What was read before, and is not read again. */
  readonly before?: ReadonlyMap<KindName, readonly KubernetesObject[]> | undefined;
  /** Events that were read before, and are not read again. */
  readonly events?: readonly ClusterEvent[] | undefined;
  readonly withUsage: boolean;
  /** Words of the question that may be names. @default none */
  readonly names?: readonly string[] | undefined;
}

/**
 * Lists each kind once, with the events.
 *
 * @throws MeshError `UNAUTHORIZED` when everything was refused, `RATE_LIMITED` when the cluster was
 *   asked too often to give anything, `DATA_SOURCE_ERROR` when nothing could be read.
 */
export async function gather(
  reader: ClusterReader,
  options: GatherOptions,
): Promise<ClusterReading> {
  const { kinds, namespace, signal, before, withUsage } = options;
  const objects = new Map<KindName, readonly KubernetesObject[]>(before);
  const problems = new Map<string, ReadProblem>();
  const where = { namespace, signal };
  let usage: readonly Usage[] = [];
  const queue = kinds.filter((kind) => !objects.has(kind));
  const work = async () => {
    for (let kind = queue.shift(); kind !== undefined; kind = queue.shift()) {
      const { items, problem } = await reader.list(kind, where);
      objects.set(kind, items);
      if (problem !== undefined) problems.set(kind, problem);
    }
  };
  const [events] = await Promise.all([
    options.events === undefined
      ? reader.events(where)
      : { items: options.events, problem: undefined },
    ...Array.from({ length: atOnce }, work),
    withUsage
      ? reader.usage(where).then(({ items }) => {
          usage = items;
        })
      : undefined,
  ]);
  signal.throwIfAborted();
  if (events.problem !== undefined) problems.set("Event", events.problem);
  requireSomething({ objects, problems, asked: kinds.length + 1 });
  const reading = { objects, events: events.items, usage, problems, now: reader.now(), namespace };
  return withTraces(reading, reader, options.names ?? []);
}

function requireSomething({
  objects,
  problems,
  asked,
}: {
  readonly objects: ReadonlyMap<KindName, readonly unknown[]>;
  readonly problems: ReadonlyMap<string, ReadProblem>;
  readonly asked: number;
}): void {
  const real = [...problems.values()].filter(
    ({ code }) => code !== "notFound" && code !== "notRecorded",
  );
  const gave = [...objects.values()].some((items) => items.length > 0);
  if (gave || real.length === 0) return;
  const all = (code: ReadProblem["code"]) => real.every((problem) => problem.code === code);
  const has = (code: ReadProblem["code"]) => real.some((problem) => problem.code === code);
  // A kind that was read and is empty, or that the cluster has not, is not a refusal.
  const answered = asked - problems.size;
  if (answered > 0 && !has("throttled")) return;
  const subjects = real
    .slice(0, 5)
    .map(({ subject }) => subject)
    .join(", ");
  if (all("forbidden") || all("notAllowed")) {
    const isUnknown = real.some(({ status }) => status === 401);
    throw new MeshError(
      "UNAUTHORIZED",
      isUnknown
        ? "The cluster rejected the credentials (401)."
        : `The cluster refuses to be read: ${subjects}.`,
      {
        ...(all("notAllowed") && { reason: "not-allowed" as const }),
        suggestion: isUnknown
          ? "Renew the credentials, or check the user of the kubeconfig's context."
          : "Grant the rights of the shipped role, or ask as a user who has them.",
      },
    );
  }
  if (has("throttled"))
    throw new MeshError("RATE_LIMITED", "The cluster refuses because of too many requests.");
  if (all("timeout"))
    throw new MeshError("TIMEOUT", "The cluster did not answer in time.", { reason: "deadline" });
  throw new MeshError(
    "DATA_SOURCE_ERROR",
    `The cluster could not be read: ${[...new Set(real.map(({ code }) => code))].join(", ")} (${subjects}).`,
    { suggestion: [...new Set(real.map(({ message }) => message))].slice(0, 2).join(" ") },
  );
}
