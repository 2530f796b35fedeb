import { admit } from "../cluster/admit.js";
import type {
  ClusterReader,
  GetResult,
  KubernetesObject,
  ListOptions,
  ListResult,
  LogOptions,
  LogResult,
  ReadOptions,
  ReadProblem,
  SelectOptions,
} from "../cluster/cluster-reader.js";
import { getKind, type KindName } from "../cluster/kinds.js";
import { logDefaults, readTail } from "../cluster/log-tail.js";
import { describeSubject } from "../cluster/problems.js";
import { restrictReader } from "../cluster/restricted-reader.js";
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
import { createListPath, createListQuery, segment } from "./path.js";
import { readEvents } from "./read-events.js";
import { readList } from "./read-list.js";
import { readUsage } from "./read-usage.js";

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

/** Kinds that are not in the table have no path of their own. */
const unlisted: ReadProblem = {
  code: "notRecorded",
  subject: "resources of other extensions",
  message: "Only the kinds in the table are listed.",
};

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
    query: Readonly<Record<string, string>> = {},
  ): Promise<ListResult<Item>> =>
    within(options, (deadline) =>
      readList(client, { path, subject, read, query }, bounds, deadline),
    );

  /** If listing all namespaces is forbidden, lists the own one and keeps the problem of the others. */
  async function orAtHome<Item>(
    isWide: boolean,
    read: (namespace: string | undefined) => Promise<ListResult<Item>>,
    namespace: string | undefined,
  ): Promise<ListResult<Item>> {
    const result = await read(namespace);
    const home = client.namespace();
    if (!isWide || result.problem?.code !== "forbidden" || home === undefined) return result;
    const { items, problem: refused } = await read(home);
    return refused === undefined ? { items, problem: result.problem } : result;
  }
  const listIn = (
    kind: KindName,
    where: string | undefined,
    options: SelectOptions | undefined,
  ) => {
    const path = createListPath(kind, where);
    return listAll(
      path,
      describeSubject(kind, where),
      readerOfKind(kind),
      options,
      createListQuery(options),
    );
  };

  return {
    async list(kind, options) {
      const { group, namespaced } = getKind(kind);
      if (group === "*") return { items: [], problem: unlisted };
      const where = namespaced ? options?.namespace : undefined;
      const isWide = namespaced && where === undefined;
      return orAtHome(isWide, (place) => listIn(kind, place, options), where);
    },
    get: async (kind, namespace, name, options) =>
      getKind(kind).group === "*"
        ? { problem: unlisted }
        : within(options, (deadline) =>
            getOne(client, { kind, namespace, name }, bounds, deadline),
          ),
    events: (options) =>
      orAtHome(
        options?.namespace === undefined,
        (namespace) => readEvents({ ...options, namespace }, listAll),
        options?.namespace,
      ),
    logs: (options) => within(options, (deadline) => readLog(client, options, deadline)),
    usage: (options) => readUsage(options, listAll),
    now: () => Date.now(),
    isSelective: true,
    describe() {
      const server = client.server();
      return server === undefined ? "cluster" : `cluster ${server.href.replace(/\/$/, "")}`;
    },
    close: async () => client.close(),
  };
}

/** Items of a list have no kind of their own. An item with another kind is dropped. */
function readerOfKind(kind: KindName): (value: unknown) => KubernetesObject | undefined {
  const { group, version } = getKind(kind);
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
  const { namespaced, plural } = getKind(kind);
  const where = namespaced ? (namespace ?? "default") : undefined;
  const subject = `${plural} ${where === undefined ? name : `${where}/${name}`}`;
  const path = `${createListPath(kind, where)}/${segment(name)}`;
  const got = await client.get({ path, subject, maxBytes: bounds.maxResponseBytes }, deadline);
  if ("problem" in got) return got;
  if (isMissingObject(got.answer, name)) return {};
  const refused = problemOfAnswer(got.answer, subject);
  if (refused !== undefined) return { problem: refused };
  if (got.answer.cut) return { problem: problem("tooLarge", subject) };
  const object = readerOfKind(kind)(parseJson(got.answer.body));
  return object === undefined ? { problem: problem("malformed", subject, 200) } : { object };
}

/** The server cuts at the end, but the end is what matters, so more is asked for and cut here. */
const extraLogFactor = 16;
const maxRequestedLogBytes = 4_194_304;

async function readLog(
  client: ApiClient,
  options: LogOptions,
  deadline: ReadDeadline,
): Promise<LogResult> {
  const { namespace, pod, container, previous = false } = options;
  const { tailLines = logDefaults.tailLines, limitBytes = logDefaults.limitBytes } = options;
  const whose = [namespace, pod, container].filter((part) => part !== undefined).join("/");
  const subject = `${previous ? "previous log" : "log"} of ${whose}`;
  const serverBytes = Math.max(
    limitBytes,
    Math.min(limitBytes * extraLogFactor, maxRequestedLogBytes),
  );
  const got = await client.get(
    {
      path: `${createListPath("Pod", namespace)}/${segment(pod)}/log`,
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
  const tail = readTail(answer.body.toString("utf8"), tailLines, limitBytes);
  const isCut = tail.cut || answer.cut || answer.body.length >= serverBytes;
  return { text: tail.text, cut: isCut };
}
