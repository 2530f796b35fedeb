import { admit } from "../cluster/admit.js";
import type {
  ClusterEvent,
  ClusterReader,
  GetResult,
  KubernetesObject,
  ListOptions,
  ListResult,
  LogOptions,
  LogResult,
  ReadOptions,
  Usage,
} from "../cluster/cluster-reader.js";
import { mergeEvents, normaliseEvent } from "../cluster/events.js";
import { type KindName, kindOf } from "../cluster/kinds.js";
import { logDefaults, tailOf } from "../cluster/log-tail.js";
import { subjectOf } from "../cluster/problems.js";
import { restrictReader } from "../cluster/restricted-reader.js";
import { usageOf } from "../cluster/usage.js";
import { isMissingObject, parseJson, problem, problemOfAnswer } from "./answer-problem.js";
import { type ApiClient, createApiClient } from "./api-client.js";
import { connect } from "./connect.js";
import { openDeadline, type ReadDeadline } from "./deadline.js";
import {
  checkIdentity,
  checkLiveReaderOptions,
  type LiveReaderBounds,
  type LiveReaderOptions,
} from "./options.js";
import { readList } from "./read-list.js";

/**
 * Reads a running cluster, with GET only. Nothing is loaded or connected before the first read.
 *
 * Needs `@kubernetes/client-node`, for the ways to authenticate. Close it when it is not needed any more:
 * reads under way then end with problem `timeout`.
 *
 * @throws TypeError or RangeError for an option that cannot be used.
 */
export function createLiveReader(options: LiveReaderOptions = {}): ClusterReader {
  const bounds = checkLiveReaderOptions(options);
  const client = createApiClient(() => connect(options), bounds);
  const { impersonate } = options;
  const reader = readerOver(impersonate === undefined ? client : client.as(impersonate), bounds);
  const withIdentities: ClusterReader = {
    ...reader,
    actingAs(identity) {
      checkIdentity(identity);
      return readerOver(client.as(identity), bounds);
    },
  };
  return restrictReader(withIdentities, options);
}

function readerOver(client: ApiClient, bounds: LiveReaderBounds): ClusterReader {
  /** Runs a read under the deadline of one read. */
  async function within<Read>(
    options: ReadOptions | undefined,
    read: (deadline: ReadDeadline) => Promise<Read>,
  ): Promise<Read> {
    const deadline = openDeadline(bounds.timeoutMs, [options?.signal, client.closed]);
    try {
      return await read(deadline);
    } finally {
      deadline.close();
    }
  }

  const listAll = <Item>(
    path: string,
    subject: string,
    read: (item: unknown) => Item | undefined,
    options: ListOptions | undefined,
  ): Promise<ListResult<Item>> =>
    within(options, (deadline) => readList(client, { path, subject, read }, bounds, deadline));

  return {
    list(kind, options) {
      const where = kindOf(kind).namespaced ? options?.namespace : undefined;
      const path = pathOf(kind, where);
      return listAll(path, subjectOf(kind, where), readerOfKind(kind), options);
    },
    get: (kind, namespace, name, options) =>
      within(options, (deadline) => getOne(client, { kind, namespace, name }, bounds, deadline)),
    events: (options) => readEvents(options, listAll),
    logs: (options) => within(options, (deadline) => readLog(client, options, deadline)),
    usage: (options) => readUsage(options, listAll),
    now: () => Date.now(),
    describe() {
      const server = client.server();
      return server === undefined ? "cluster" : `cluster ${server.href.replace(/\/$/, "")}`;
    },
    close: async () => client.close(),
  };
}

/** The path of a kind's list. */
function pathOf(kind: KindName, namespace: string | undefined): string {
  const { group, version, plural } = kindOf(kind);
  return pathTo(group === "" ? `/api/${version}` : `/apis/${group}/${version}`, plural, namespace);
}

function pathTo(api: string, plural: string, namespace: string | undefined): string {
  const place = namespace === undefined ? "" : `/namespaces/${segment(namespace)}`;
  return `${api}${place}/${plural}`;
}

/**
 * A name as one segment of a path, which leads nowhere else. No object is called like a step in a path
 * (a URL resolves `%2E%2E` too) or like nothing, so such a name becomes one that is never found.
 */
function segment(name: string): string {
  return /^\.{0,2}$/.test(name) ? "%20" : encodeURIComponent(name);
}

/** Items of a list do not say what they are, and one that says something else is left out. */
function readerOfKind(kind: KindName): (value: unknown) => KubernetesObject | undefined {
  const { group, version } = kindOf(kind);
  const apiVersion = group === "" ? version : `${group}/${version}`;
  return (value) => {
    const object = admit(value, { kind, apiVersion });
    return object?.kind === kind ? object : undefined;
  };
}

async function getOne(
  client: ApiClient,
  { kind, namespace, name }: { kind: KindName; namespace: string | undefined; name: string },
  bounds: LiveReaderBounds,
  deadline: ReadDeadline,
): Promise<GetResult> {
  const { namespaced, plural } = kindOf(kind);
  const where = namespaced ? (namespace ?? "default") : undefined;
  const subject = `${plural} ${where === undefined ? name : `${where}/${name}`}`;
  const path = `${pathOf(kind, where)}/${segment(name)}`;
  const got = await client.get({ path, subject, maxBytes: bounds.maxResponseBytes }, deadline);
  if ("problem" in got) return got;
  if (isMissingObject(got.answer, name)) return {};
  const refused = problemOfAnswer(got.answer, subject);
  if (refused !== undefined) return { problem: refused };
  if (got.answer.cut) return { problem: problem("tooLarge", subject) };
  const object = readerOfKind(kind)(parseJson(got.answer.body));
  return object === undefined ? { problem: problem("malformed", subject, 200) } : { object };
}

type ListAll = <Item>(
  path: string,
  subject: string,
  read: (item: unknown) => Item | undefined,
  options: ListOptions | undefined,
) => Promise<ListResult<Item>>;

/** Both APIs show the same events, so one that can be read is enough. */
async function readEvents(
  options: ListOptions | undefined,
  listAll: ListAll,
): Promise<ListResult<ClusterEvent>> {
  const where = options?.namespace;
  const subject = subjectOf("Event", where);
  const [core, newer] = await Promise.all(
    ["/api/v1", "/apis/events.k8s.io/v1"].map((api) =>
      listAll(pathTo(api, "events", where), subject, normaliseEvent, options),
    ),
  );
  const items = mergeEvents([...(core?.items ?? []), ...(newer?.items ?? [])]);
  const isWhole = core?.problem === undefined || newer?.problem === undefined;
  return isWhole ? { items } : { items, problem: core.problem };
}

async function readUsage(
  options: ListOptions | undefined,
  listAll: ListAll,
): Promise<ListResult<Usage>> {
  const where = options?.namespace;
  const api = "/apis/metrics.k8s.io/v1beta1";
  const results = await Promise.all([
    listAll(pathTo(api, "pods", where), subjectOf("usage of pods", where), podUsage, options),
    ...(where === undefined
      ? [listAll(pathTo(api, "nodes", undefined), "usage of nodes", nodeUsage, options)]
      : []),
  ]);
  const failed = results.find((result) => result.problem !== undefined)?.problem;
  return {
    items: results.flatMap((result) => result.items.flat()),
    ...(failed !== undefined && { problem: failed }),
  };
}

const podUsage = (value: unknown) => usageOf(value, "PodMetrics");
const nodeUsage = (value: unknown) => usageOf(value, "NodeMetrics");

/** The server cuts at the end, but the end is what matters, so more is asked for and cut here. */
const extraLogFactor = 16;
const mostLogBytes = 4_194_304;

async function readLog(
  client: ApiClient,
  options: LogOptions,
  deadline: ReadDeadline,
): Promise<LogResult> {
  const { namespace, pod, container, previous = false } = options;
  const { tailLines = logDefaults.tailLines, limitBytes = logDefaults.limitBytes } = options;
  const whose = [namespace, pod, container].filter((part) => part !== undefined).join("/");
  const subject = `${previous ? "previous log" : "log"} of ${whose}`;
  const serverBytes = Math.max(limitBytes, Math.min(limitBytes * extraLogFactor, mostLogBytes));
  const got = await client.get(
    {
      path: `${pathOf("Pod", namespace)}/${segment(pod)}/log`,
      query: {
        ...(container !== undefined && { container }),
        ...(previous && { previous: "true" }),
        tailLines: String(tailLines),
        limitBytes: String(serverBytes),
      },
      subject,
      maxBytes: serverBytes,
    },
    deadline,
  );
  if ("problem" in got) return got;
  const { answer } = got;
  if (answer.status === 400 || answer.status === 404) {
    const message = "The log was not found: the container or the run before has left none.";
    return { problem: { code: "notFound", subject, message, status: answer.status } };
  }
  const refused = problemOfAnswer(answer, subject);
  if (refused !== undefined) return { problem: refused };
  const tail = tailOf(answer.body.toString("utf8"), tailLines, limitBytes);
  const isCut = tail.cut || answer.cut || answer.body.length >= serverBytes;
  return { text: tail.text, cut: isCut };
}
