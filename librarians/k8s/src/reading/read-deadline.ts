import type {
  ClusterReader,
  GetResult,
  ListResult,
  LogResult,
  ReadOptions,
  ReadProblem,
} from "../cluster/cluster-reader.js";
import { getKind } from "../cluster/kinds.js";
import { passThrough } from "../cluster/pass-through.js";
import { describeSubject } from "../cluster/problems.js";
import { openDeadline } from "../live/deadline.js";

/** Share of the time that remains in which may be read; the rest is for the answer. */
const readShare = 0.7;
/** How long a read may take to hand over what it has once it was stopped, in milliseconds. */
const graceMs = 100;

/** A reader whose reads all end in time, and what ends its timer. */
export interface TimedReader {
  readonly reader: ClusterReader;
  close(): void;
}

/**
 * Ends every read early enough to answer with what was read by then. A read that is stopped gives what it
 * has, with problem `timeout`.
 *
 * @param remainingMs - Time until the answer is due. Undefined: no limit.
 */
export function withReadDeadline(
  reader: ClusterReader,
  remainingMs: number | undefined,
  signal: AbortSignal,
): TimedReader {
  if (remainingMs === undefined || !Number.isFinite(remainingMs))
    return { reader, close: () => undefined };
  const deadline = openDeadline(Math.max(1, remainingMs * readShare - graceMs), [signal]);
  return { reader: timed(reader, deadline.signal), close: () => deadline.close() };
}

function timed(reader: ClusterReader, signal: AbortSignal): ClusterReader {
  const bounded = <Options extends ReadOptions>(options: Options | undefined) =>
    ({ ...options, signal }) as Options;
  const late = (subject: string): ReadProblem => ({
    code: "timeout",
    subject,
    message: "There was no time left to read it.",
  });
  return {
    ...passThrough(reader, (inner) => timed(inner, signal)),
    list: (kind, options) =>
      inTime<ListResult>(reader.list(kind, bounded(options)), signal, () => ({
        items: [],
        problem: late(
          describeSubject(kind, getKind(kind).namespaced ? options?.namespace : undefined),
        ),
      })),
    get: (kind, namespace, name, options) =>
      inTime<GetResult>(reader.get(kind, namespace, name, bounded(options)), signal, () => ({
        problem: late(`${getKind(kind).plural} ${name}`),
      })),
    events: (options) =>
      inTime(reader.events(bounded(options)), signal, () => ({
        items: [],
        problem: late(describeSubject("Event", options?.namespace)),
      })),
    logs: (options) =>
      inTime<LogResult>(reader.logs(bounded(options)), signal, () => ({
        problem: late(`log of ${options.namespace}/${options.pod}`),
      })),
    usage: (options) =>
      inTime(reader.usage(bounded(options)), signal, () => ({
        items: [],
        problem: late(describeSubject("usage", options?.namespace)),
      })),
  };
}

/** The result of a read, or what represents it when it does not end soon after it was stopped. */
function inTime<Result>(
  reading: Promise<Result>,
  signal: AbortSignal,
  otherwise: () => Result,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const stop = () => {
      timer = setTimeout(() => resolve(otherwise()), graceMs);
    };
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
    reading.then(resolve, reject).finally(done);
  });
}
