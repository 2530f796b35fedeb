import type { KubernetesObject } from "../cluster/cluster-reader.js";
import { listAt, numberAt, recordAt, textAt, timeAt } from "../cluster/fields.js";
import { printMoment } from "../diagnosis/age.js";
import type { ClusterView } from "../diagnosis/cluster-view.js";
import {
  type ContainerState,
  describeContainer,
  describeTermination,
  readContainers,
} from "../diagnosis/container-state.js";
import { withAllSymptoms } from "../diagnosis/diagnose.js";
import type { Finding } from "../diagnosis/finding.js";
import { toObjectId } from "../diagnosis/object-id.js";
import { findPodSpec } from "../diagnosis/pod-spec.js";
import { isReady } from "../diagnosis/ready.js";
import { describeState } from "./state-of.js";
import { fieldData, type State, type StateRow } from "./table.js";
import { describeRow, placesAt, printValue } from "./template.js";

/** What a state is judged by, beside the object. */
export interface StateScope {
  /** Says which resource, where the state is about limits or requests. */
  readonly query: string;
  /** Ids of what something is wrong with. */
  readonly broken: ReadonlySet<string>;
}

/** How a state is computed that is more than the value of a field. */
interface ComputedState {
  /** Whether an object is in it. Undefined where it says nothing about its kind. */
  test?(object: KubernetesObject, scope: StateScope): boolean | undefined;
  /** The field that shows it, with its value. Absent: the field that it is judged by, else its whole state. */
  shows?(object: KubernetesObject, view: ClusterView): string;
  /** When it happened: epoch milliseconds. Absent for what goes on. */
  at?(object: KubernetesObject): number | undefined;
}

const isPod = ({ kind }: KubernetesObject) => kind === "Pod";
const readPhase = (object: KubernetesObject) => textAt(object, "status", "phase");

/** States by their names; the others are in the table, `data/fields.json`, which has the names of all. */
const computed: Partial<Readonly<Record<State, ComputedState>>> = {
  running: { test: isRunning, shows: showReadiness },
  ready: { test: readReadiness, shows: showReadiness },
  failed: {
    test: (object) => {
      if (object.kind === "Job") return hasCondition(object, "Failed");
      const phase = readPhase(object);
      return phase === undefined ? undefined : phase === "Failed";
    },
    shows: showCompletion,
    at: readEnd,
  },
  completed: { test: readCompletion, shows: showCompletion, at: readEnd },
  oomKilled: {
    test: (object) => (isPod(object) ? readContainers(object).some(isOomKilled) : undefined),
    shows: showLastEnd,
    at: readLastRun,
  },
  evicted: { at: readEnd },
  restarted: {
    test: (object) =>
      isPod(object) ? readContainers(object).some(({ restarts }) => restarts > 0) : undefined,
    shows: showRestarts,
    at: readLastRun,
  },
  broken: { test: (object, { broken }) => broken.has(toObjectId(object)) },
  withoutLimits: {
    test: (object, { query }) => lacks(object, query, "limits"),
    shows: showField("resources"),
  },
  withoutRequests: {
    test: (object, { query }) => lacks(object, query, "requests"),
    shows: showField("resources"),
  },
  withoutProbes: {
    test: (object, { query }) => lacksProbe(object, query),
    shows: showField("probes"),
  },
  atMaximum: {
    test: ({ spec, status }) => {
      const most = numberAt(spec, "maxReplicas");
      return most === undefined ? undefined : (numberAt(status, "currentReplicas") ?? 0) >= most;
    },
  },
};

/** The value of the field that a state is judged by, and its path. */
function readField({ at = "" }: StateRow, object: KubernetesObject) {
  const paths = at.split(" or ");
  const found = paths.flatMap((path) =>
    placesAt({ value: object }, path).map(({ value }) => ({ path, value })),
  );
  return found[0] ?? { path: paths[0] ?? "", value: undefined };
}

/** The name of a state, for people: `not ready`. */
export function stateName(state: State): string {
  return fieldData.states[state].name;
}

/** `is ready`, `has not completed`. */
export function phraseState(state: State, holds: boolean): string {
  const { name, verbs = [`is ${name}`, `is not ${name}`] } = fieldData.states[state];
  return verbs[holds ? 0 : 1];
}

/** `are ready`, `completed`: of one or several things. */
export function phraseStateOf(state: State, count: number): string {
  const { name, verbs } = fieldData.states[state];
  return verbs?.[0] === name ? name : `${count === 1 ? "is" : "are"} ${name}`;
}

/** Whether an object is in a state. Undefined where the state says nothing about its kind. */
export function isInState(
  object: KubernetesObject,
  state: State,
  scope: StateScope,
): boolean | undefined {
  const row = fieldData.states[state];
  const { denies, is, unset, unlessDone } = row;
  if (denies !== undefined) {
    const denied = isInState(object, denies, scope);
    // What has done its work is not ready, and need not be.
    if (denied !== undefined && unlessDone === true && readPhase(object) === "Succeeded")
      return false;
    return denied === undefined ? undefined : !denied;
  }
  const test = computed[state]?.test;
  if (test !== undefined) return test(object, scope);
  const { value } = readField(row, object);
  if (value !== undefined) return is === undefined || value === is;
  return unset?.some((kind) => kind === "*" || kind === object.kind) === true ? false : undefined;
}

/** The field of an object that shows whether it is in a state, with its value. */
export function shownBy(object: KubernetesObject, state: State, view: ClusterView): string {
  const row = fieldData.states[state];
  if (row.denies !== undefined) return shownBy(object, row.denies, view);
  const shows = computed[state]?.shows;
  if (shows !== undefined) return shows(object, view);
  if (row.at === undefined) return describeState(object, view);
  const { path, value } = readField(row, object);
  return `${path} is ${value === undefined ? "not set" : printValue(value)}`;
}

/** When what the state says happened to an object: epoch milliseconds. Undefined for what goes on. */
export function happenedAt(object: KubernetesObject, state: State): number | undefined {
  return computed[state]?.at?.(object);
}

/** Ids of everything that current findings are on. */
export function idsIn(findings: readonly Finding[]): ReadonlySet<string> {
  return new Set(
    findings
      .filter(({ current, verified }) => current && verified)
      .flatMap(withAllSymptoms)
      .flatMap(({ object, others }) => [object, ...others].map(toObjectId)),
  );
}

/** Shows a state by a field of the table. */
function showField(name: string): (object: KubernetesObject, view: ClusterView) => string {
  const row = fieldData.fields.find((field) => field.name === name);
  return (object, view) => (row === undefined ? "" : describeRow(row, object, view.now).join("; "));
}

function isRunning(object: KubernetesObject): boolean | undefined {
  if (object.kind === "Job") return (numberAt(object, "status", "active") ?? 0) > 0;
  if (object.kind !== "Pod") return readReadiness(object);
  return (
    readPhase(object) === "Running" &&
    readContainers(object).every(({ isInit, isRunning: runs }) => isInit || runs)
  );
}

function readReadiness(object: KubernetesObject): boolean | undefined {
  const counts = readReplicas(object);
  if (object.kind === "Pod") return isReady(object);
  if (counts !== undefined) return counts.ready >= counts.wanted;
  return listAt(object, "status", "conditions").some((one) => textAt(one, "type") === "Ready")
    ? hasCondition(object, "Ready")
    : undefined;
}

interface Replicas {
  readonly wanted: number;
  readonly ready: number;
  readonly updated: number;
  readonly all: number;
}

/** Replicas of a workload. Undefined for other kinds, and where its status was not read. */
function readReplicas({ kind, spec, status }: KubernetesObject): Replicas | undefined {
  const isDaemon = kind === "DaemonSet";
  const isWorkload = isDaemon || /^(?:Deployment|StatefulSet|ReplicaSet)$/.test(kind);
  if (!isWorkload || status === undefined) return undefined;
  const wanted = isDaemon
    ? (numberAt(status, "desiredNumberScheduled") ?? 0)
    : (numberAt(spec, "replicas") ?? 1);
  const readyNow = numberAt(status, isDaemon ? "numberReady" : "readyReplicas") ?? 0;
  // Where the status does not count them, all are of the newest template.
  const updated =
    numberAt(status, isDaemon ? "updatedNumberScheduled" : "updatedReplicas") ?? readyNow;
  return { wanted, ready: readyNow, updated, all: numberAt(status, "replicas") ?? updated };
}

/** Whether a run or a rollout is complete. Undefined for kinds without either. */
function readCompletion(object: KubernetesObject): boolean | undefined {
  const counts = object.kind === "ReplicaSet" ? undefined : readReplicas(object);
  if (counts !== undefined)
    return (
      counts.updated >= counts.wanted &&
      counts.ready >= counts.wanted &&
      counts.all <= counts.updated
    );
  if (object.kind === "Job") return hasCondition(object, "Complete");
  if (object.kind === "CronJob") {
    const started = timeAt(object, "status", "lastScheduleTime");
    const succeeded = timeAt(object, "status", "lastSuccessfulTime");
    return started === undefined ? undefined : succeeded !== undefined && succeeded >= started;
  }
  return object.kind === "Pod" && readPhase(object) !== undefined
    ? readPhase(object) === "Succeeded"
    : undefined;
}

function showReadiness(object: KubernetesObject, view: ClusterView): string {
  const isNode = object.kind === "Node";
  if (object.kind !== "Pod" && !isNode) return describeState(object, view);
  const condition = listAt(object, "status", "conditions").find(
    (one) => textAt(one, "type") === "Ready",
  );
  const shown = `condition Ready=${textAt(condition, "status") ?? "not given"}`;
  return isNode ? shown : `${shown}, ${describeState(object, view)}`;
}

function showCompletion(object: KubernetesObject, view: ClusterView): string {
  const counts = /^(?:Deployment|StatefulSet)$/.test(object.kind)
    ? readReplicas(object)
    : undefined;
  return counts === undefined
    ? describeState(object, view)
    : `${counts.updated} of ${counts.wanted} replicas updated, ${counts.ready} ready`;
}

function showRestarts(object: KubernetesObject, view: ClusterView): string {
  const containers = readContainers(object);
  const [latest] = containers
    .flatMap(({ last }) => (last === undefined ? [] : [last]))
    .sort((a, b) => (b.finishedAt ?? 0) - (a.finishedAt ?? 0));
  const count = containers.reduce((sum, { restarts }) => sum + restarts, 0);
  const when =
    latest?.finishedAt === undefined ? "" : ` ${printMoment(latest.finishedAt, view.now)} UTC`;
  return `restartCount ${count}${latest === undefined ? "" : `, the last time${when}, after ${describeTermination(latest)}`}`;
}

function showLastEnd(object: KubernetesObject): string {
  const containers = readContainers(object);
  const killed = containers.find(isOomKilled);
  const ended = killed ?? containers.find(({ terminated, last }) => terminated ?? last);
  const end = ended?.last ?? ended?.terminated;
  return ended === undefined || end === undefined
    ? "no run of its containers has ended, by their status"
    : `the last run of ${describeContainer(ended)} ended with ${describeTermination(end)}`;
}

/** True for a container whose run, or the one before, was ended for its memory. */
function isOomKilled({ terminated, last }: ContainerState): boolean {
  return [terminated, last].some((end) => end?.reason === "OOMKilled");
}

/** When the last run of a container began or ended. */
function readLastRun(object: KubernetesObject): number | undefined {
  const times = readContainers(object).map(
    ({ terminated, last, runningSince }) =>
      terminated?.finishedAt ?? last?.finishedAt ?? runningSince ?? 0,
  );
  return times.length === 0 ? undefined : Math.max(...times);
}

function readEnd(object: KubernetesObject): number | undefined {
  const end = listAt(object, "status", "conditions").find((one) =>
    /^(?:Failed|Complete|DisruptionTarget)$/.test(textAt(one, "type") ?? ""),
  );
  return (
    timeAt(object, "status", "completionTime") ??
    timeAt(end, "lastTransitionTime") ??
    readLastRun(object)
  );
}

/** Whether a container of an object lacks a limit or request: of the resources that the question names, else of any. */
function lacks(object: KubernetesObject, query: string, which: "limits" | "requests") {
  return someContainer(
    object,
    pickSaid(["memory", "cpu"], query),
    (container, resource) => recordAt(container, "resources", which)[resource] === undefined,
  );
}

function lacksProbe(object: KubernetesObject, query: string) {
  const said = pickSaid(["readiness", "liveness", "startup"], query);
  return someContainer(
    object,
    said.length === 3 ? said.slice(0, 2) : said, // a startup probe is for what is slow to start
    (container, probe) => Object.keys(recordAt(container, `${probe}Probe`)).length === 0,
  );
}

/** Words that a question has, or all where it has none of them. */
function pickSaid(words: readonly string[], query: string): readonly string[] {
  const said = words.filter((word) => query.toLowerCase().includes(word));
  return said.length > 0 ? said : words;
}

/** Whether one of the words holds of a container of an object. Undefined of one without containers. */
function someContainer(
  object: KubernetesObject,
  words: readonly string[],
  test: (container: unknown, word: string) => boolean,
): boolean | undefined {
  const containers = listAt(findPodSpec(object), "containers");
  return containers.length === 0
    ? undefined
    : containers.some((one) => words.some((word) => test(one, word)));
}

function hasCondition(object: KubernetesObject, type: string): boolean {
  return listAt(object, "status", "conditions").some(
    (one) => textAt(one, "type") === type && textAt(one, "status") === "True",
  );
}
