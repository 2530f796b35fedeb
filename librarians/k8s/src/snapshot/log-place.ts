/** Whose log a file is, judged by its place: `namespace/pod/container`, with `#previous`. */
export type LogKey = string;

/** `namespaces/shop/pods/api-1/web/web/logs/current.log`, as must-gather writes it. */
const mustGather =
  /(?:^|\/)namespaces\/([^/]+)\/pods\/([^/]+)\/([^/]+)\/(?:[^/]+\/)?logs\/(current|previous)(?:\.insecure)?\.log$/;
/** `shop/api-1/logs.txt`, as `kubectl cluster-info dump` writes it. */
const dump = /(?:^|\/)([^/]+)\/([^/]+)\/logs\.txt$/;
/** `logs/shop/api-1/web.log` or `shop/api-1/web.previous.log`, as people save them. */
const saved = /(?:^|\/)([^/]+)\/([^/]+)\/([^/]+?)([._-]previous)?\.(?:log|txt)$/;

/** @returns Undefined when the place does not say whose log it is. Container `*`: any of the pod. */
export function parseLogKey(place: string): LogKey | undefined {
  const gathered = mustGather.exec(place);
  if (gathered !== null) {
    const [, namespace, pod, container, run] = gathered;
    return `${namespace}/${pod}/${container}${run === "previous" ? "#previous" : ""}`;
  }
  const dumped = dump.exec(place);
  if (dumped !== null) return `${dumped[1]}/${dumped[2]}/*`;
  const kept = saved.exec(place);
  if (kept === null) return undefined;
  const [, namespace, pod, container, previous] = kept;
  return `${namespace}/${pod}/${container}${previous === undefined ? "" : "#previous"}`;
}

/** A piece of a dump: the log of one container. */
export interface LogSection {
  readonly key: LogKey;
  readonly text: string;
}

const start = /^==== START logs for (container ([^\s/]+) of pod ([^\s/]+)\/([^\s/]+)) ====\r?$/gm;
const closing = /^==== END logs for (container [^\s/]+ of pod [^\s/]+\/[^\s/]+) ====\r?$/gm;

/**
 * Takes the logs out of a dump, as `kubectl cluster-info dump` marks them.
 *
 * A container may write such marks itself. So a section ends at the last fitting mark in the text, and
 * what lies in between is log, whatever it looks like.
 *
 * @returns The logs, and the text without them.
 */
export function splitLogs(text: string): {
  readonly logs: readonly LogSection[];
  readonly rest: string;
} {
  const logs: LogSection[] = [];
  const ends = lastEnds(text);
  let rest = "";
  let done = 0;
  start.lastIndex = 0;
  for (let mark = start.exec(text); mark !== null; mark = start.exec(text)) {
    const [line, whose = "", container, namespace, pod] = mark;
    const from = Math.min(text.length, mark.index + line.length + 1);
    const last = ends.get(whose);
    const end = last !== undefined && last.from >= from ? last : emptyPlaceAtEnd(text);
    logs.push({ key: `${namespace}/${pod}/${container}`, text: text.slice(from, end.from) });
    rest += text.slice(done, mark.index);
    done = end.to;
    start.lastIndex = done;
  }
  return { logs, rest: rest + text.slice(done) };
}

interface Place {
  readonly from: number;
  readonly to: number;
}

function emptyPlaceAtEnd(text: string): Place {
  return { from: text.length, to: text.length };
}

/** Where the last closing mark of each container's log stands. */
function lastEnds(text: string): ReadonlyMap<string, Place> {
  const ends = new Map<string, Place>();
  for (const mark of text.matchAll(closing)) {
    ends.set(mark[1] ?? "", { from: mark.index, to: mark.index + mark[0].length });
  }
  return ends;
}
