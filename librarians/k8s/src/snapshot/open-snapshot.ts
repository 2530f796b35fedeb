import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename, extname, resolve } from "node:path";
import { setImmediate } from "node:timers/promises";
import { cleanName } from "../cluster/clean.js";
import type { ClusterReader, ReadProblem } from "../cluster/cluster-reader.js";
import { type ContentCollector, collectContent } from "../cluster/content.js";
import { getKind, type KindName, kindNames } from "../cluster/kinds.js";
import { cutToTail } from "../cluster/log-tail.js";
import { createStoredReader, type ReadSubject } from "../cluster/stored-reader.js";
import { maxBroken, parseDocuments, tooManyBroken } from "./documents.js";
import { type FoundFile, findFiles } from "./find-files.js";
import { isKubectlText, readKubectlText } from "./kubectl/read-text.js";
import { parseLogKey, splitLogs } from "./log-place.js";
import { checkSnapshotOptions, type SnapshotLimits, type SnapshotOptions } from "./options.js";

/**
 * Opens a snapshot of a cluster: output of `kubectl get -o json` or `-o yaml`, of `kubectl cluster-info
 * dump` in either form, or a tree of must-gather. Everything is read now, and nothing later.
 *
 * A file that cannot be read is one of `loadProblems`, and the others count. A kind that the snapshot
 * does not hold is problem `notRecorded`. Secrets are dropped while reading.
 *
 * @throws TypeError or RangeError for options that cannot be used; the system's error when `path` cannot
 *   be opened; the signal's reason when it aborts.
 */
export async function openSnapshot(options: SnapshotOptions): Promise<ClusterReader> {
  const limits = checkSnapshotOptions(options);
  const { signal } = options;
  signal?.throwIfAborted();
  const clock = Date.now();
  const loading = startLoading(limits, options.now ?? clock);
  const found = await findFiles(options.path, limits, signal);
  loading.problems.push(...found.problems);
  for (const file of found.files) {
    signal?.throwIfAborted();
    await loadFile(file, loading, signal);
  }
  const content = loading.collector.content();
  if (content.isFull) {
    const rest = `There are more than ${limits.maxObjects} objects. The rest`;
    loading.problems.push(tooLarge("snapshot", rest));
  }
  return createStoredReader({
    content,
    logs: loading.logs,
    now: options.now ?? content.newest ?? clock,
    name: cleanName(options.name ?? `snapshot ${basename(resolve(options.path))}`),
    loadProblems: loading.problems.map((one) => ({ ...one, subject: cleanName(one.subject) })),
    partial: true,
    findProblem: (subject: ReadSubject) =>
      subject === "log" || content.recorded.has(subject) ? undefined : "notRecorded",
  });
}

interface Loading {
  readonly limits: Required<SnapshotLimits>;
  readonly collector: ContentCollector;
  readonly logs: Map<string, string>;
  readonly problems: ReadProblem[];
  /** What ages in printed text are measured from, in epoch milliseconds. */
  readonly clock: number;
  bytes: number;
  logBytes: number;
}

function startLoading(limits: Required<SnapshotLimits>, clock: number): Loading {
  const collector = collectContent(clock, limits.maxObjects);
  return { limits, collector, logs: new Map(), problems: [], clock, bytes: 0, logBytes: 0 };
}

/** Endings of files that hold objects only sometimes, so that other text in them is not a problem. */
const notForObjects: ReadonlySet<string> = new Set([".log", ".txt", ""]);
const looksLikeObjects = /^\s*(?:---\s*)?(?:[{[]|(?:apiVersion|kind|items):)/;
const logEndings: ReadonlySet<string> = new Set([".log", ".txt"]);

async function loadFile(
  file: FoundFile,
  loading: Loading,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { limits, problems } = loading;
  const subject = file.place === "" ? basename(file.path) : file.place;
  const logKey = logEndings.has(extname(file.path)) ? parseLogKey(file.place) : undefined;
  const isBounded = logKey !== undefined && !subject.endsWith("logs.txt");
  const maxBytes = isBounded ? limits.maxLogBytes : limits.maxFileBytes;
  if (loading.bytes + Math.min(file.bytes, maxBytes) > limits.maxTotalBytes) {
    problems.push(tooLarge(subject, "The file would pass the limit of the whole snapshot and"));
    return;
  }
  if (file.bytes > maxBytes && !isBounded) {
    problems.push(tooLarge(subject, `The file has more than ${limits.maxFileBytes} bytes and`));
    return;
  }
  let text: string | undefined;
  try {
    text = await readEnd(file, maxBytes);
  } catch {
    problems.push({ code: "forbidden", subject, message: "The file could not be read." });
    return;
  }
  if (text === undefined) {
    problems.push({ code: "malformed", subject, message: "The file changed while it was read." });
    return;
  }
  loading.bytes += Math.min(file.bytes, maxBytes);
  const { logs, rest } = isBounded ? { logs: [], rest: text } : splitLogs(text);
  for (const log of logs) keepLog(log.key, log.text, loading, subject);
  if (logKey !== undefined) {
    if (logs.length === 0) keepLog(logKey, rest, loading, subject);
    return;
  }
  if (logs.length === 0 && !looksLikeObjects.test(rest.slice(0, 4_096)) && isKubectlText(rest)) {
    await loadKubectlText(rest, { subject, loading, signal, isDump: false });
    return;
  }
  const mayBeAnything = file.place !== "" && notForObjects.has(extname(file.path));
  if (mayBeAnything && logs.length === 0 && !looksLikeObjects.test(rest.slice(0, 4_096))) return;
  recordByName(file.place, rest, loading.collector);
  await loadDocuments(rest, { subject, loading, signal, isDump: logs.length > 0 });
}

/**
 * The end of a file as text; all of it when it is not longer than `maxBytes`. Undefined when it is no
 * longer the regular file of that size that was found.
 */
async function readEnd(file: FoundFile, maxBytes: number): Promise<string | undefined> {
  // Without O_NONBLOCK, opening a FIFO would wait for a writer.
  const handle = await open(file.path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const length = Math.min(file.bytes, maxBytes);
    const bytes = Buffer.alloc(length);
    const { bytesRead } = await handle.read(bytes, 0, length, file.bytes - length);
    const now = await handle.stat();
    if (!now.isFile() || now.size !== file.bytes) return undefined;
    return bytes.toString("utf8", 0, bytesRead);
  } finally {
    await handle.close();
  }
}

function keepLog(key: string, text: string, loading: Loading, subject: string): void {
  const { limits, logs, problems } = loading;
  const kept = cutToTail(text, Number.POSITIVE_INFINITY, limits.maxLogBytes).text;
  const bytes = Buffer.byteLength(kept);
  if (loading.logBytes + bytes > limits.maxTotalLogBytes) {
    problems.push(tooLarge(subject, "A log would pass the limit of all logs and"));
    return;
  }
  loading.logBytes += bytes;
  logs.set(key, kept);
}

/** Maximum time of work before other work may run, in milliseconds. */
const maxWorkMs = 20;

interface DocumentsOf {
  readonly subject: string;
  readonly loading: Loading;
  readonly signal: AbortSignal | undefined;
  /** True for what is left of a dump without its logs. */
  readonly isDump: boolean;
}

async function loadDocuments(
  text: string,
  { subject, loading, signal, isDump }: DocumentsOf,
): Promise<void> {
  const { collector, problems } = loading;
  let since = performance.now();
  for (const document of parseDocuments(text)) {
    if (performance.now() - since > maxWorkMs) {
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
    if ("broken" in document && document.broken === "DocumentTooLargeError") {
      problems.push(tooLarge(subject, "A document in it is too long or too complex and"));
      continue;
    }
    if ("broken" in document) {
      const message =
        document.broken === tooManyBroken
          ? `More than ${maxBroken} documents in it are broken. The rest was left out.`
          : `It is neither JSON nor YAML (${document.broken}).`;
      problems.push({ code: "malformed", subject, message });
      continue;
    }
    const { value } = document;
    collector.add(value);
    if (typeof value !== "object" && !isDump) {
      problems.push({ code: "malformed", subject, message: "It holds no Kubernetes object." });
    }
  }
}

/** What `kubectl` printed for people, and manifests and logs between it. */
async function loadKubectlText(text: string, of: DocumentsOf): Promise<void> {
  const { loading, subject } = of;
  const { objects, logs, documents } = readKubectlText(text, loading.clock);
  for (const value of objects) loading.collector.add(value);
  for (const log of logs) keepLog(log.key, log.text, loading, subject);
  for (const document of documents) await loadDocuments(document, { ...of, isDump: true });
}

const byPlural: ReadonlyMap<string, KindName | "Event"> = new Map<string, KindName | "Event">([
  ...kindNames.map((name): [string, KindName] => [getKind(name).plural, name]),
  ["events", "Event"],
]);

/** `pods.json` with an empty list says that there were no pods, even if the list does not say of what. */
function recordByName(place: string, text: string, collector: ContentCollector): void {
  const name = basename(place, extname(place));
  const kind = byPlural.get(name) ?? byPlural.get(name.split(".")[0] ?? "");
  if (kind !== undefined && text.trim() !== "") collector.record(kind);
}

function tooLarge(subject: string, message: string): ReadProblem {
  return { code: "tooLarge", subject, message: `${message} was left out.` };
}
