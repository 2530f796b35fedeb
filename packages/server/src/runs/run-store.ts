import { recordContent as readContent, redactSecrets } from "@constellation/authoring";
import {
  type MeshEvent,
  meshEventNames,
  type Router,
  type RunRecord,
  recordOf,
  type User,
} from "@constellation/core";
import { plainJson } from "../http/plain-json.js";
import type { ServerLimits } from "../limits.js";
import {
  type KeptRun,
  omitContent,
  type RunLabels,
  type RunSummary,
  summarizeLabels,
  summarizeRun,
} from "./kept-run.js";
import { type RunFilter, type RunPage, readPage } from "./run-list.js";
import type { WritableStoredRuns } from "./stored-runs.js";

/** The last runs of a router, also those not started through the server. */
export interface RunStore {
  get(runId: string): Promise<KeptRun | undefined>;
  list(filter: RunFilter): Promise<RunPage>;
  /** Stores the feedback and dataset of a run, replacing earlier ones. */
  label(runId: string, labels: RunLabels): Promise<void>;
  /** Runs that have no response yet. */
  readonly inFlight: number;
  /** Number of queries delegated or asked from one librarian to another, since the server was created. */
  delegations(): readonly Delegation[];
  /** Unsubscribes, writes what is to be stored, and drops everything. Never rejects. */
  close(): Promise<void>;
}

/** Options of a run store. */
export interface RunStoreOptions {
  readonly limits: Pick<ServerLimits, "runs" | "runCharacters">;
  /** Also keeps texts, redacted. */
  readonly recordContent: boolean;
  /** Also keeps what librarians threw. */
  readonly debug: boolean;
  /** Reads the request that a run comes from, when the run starts. */
  readonly originOf: () => RunOrigin | undefined;
  /** Storage for runs that have ended. */
  readonly stored: WritableStoredRuns | undefined;
  /** Reads the owner of a run that no request has started, because it continues a run of an earlier process. */
  readonly readOwner: ((runId: string) => Promise<User | undefined>) | undefined;
}

/** The request that a run comes from. */
export interface RunOrigin {
  readonly user?: User | undefined;
  /** Id of the trace that the run is in. */
  readonly traceId?: string | undefined;
}

/** Queries that went from one librarian to another. */
export interface Delegation {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** Maximum number of pairs of librarians that are counted. */
const maxPairs = 2_000;

/** Maximum number of events of one run that are kept while it runs. */
const maxEvents = 20_000;

type RunEnd = Extract<MeshEvent, { type: "run:end" }>;

interface StoredRun {
  origin: RunOrigin & RunLabels;
  /** While its owner is looked up. */
  findingOwner: Promise<void> | undefined;
  /** While it runs, or has librarians that have not stopped. */
  events: MeshEvent[] | undefined;
  /** Empty until it has its response. As JSON, so that its size is known and it holds no references. */
  json: string;
  summary: RunSummary | undefined;
}

/** Subscribes to a router and keeps its last runs, bounded in number and size. */
export function createRunStore(
  router: Pick<Router, "on">,
  {
    limits: { runs: maxRuns, runCharacters },
    recordContent,
    debug,
    originOf,
    stored,
    readOwner,
  }: RunStoreOptions,
): RunStore {
  const readRecord = (events: readonly MeshEvent[]) =>
    recordContent ? readContent(events, { clean: redactSecrets, debug }) : recordOf(events);
  const entries = new Map<string, StoredRun>();
  const pairs = new Map<string, number>();
  let characters = 0;
  let inFlight = 0;

  function record(event: MeshEvent): void {
    if (event.type === "hop:progress" && !(recordContent && "message" in event.progress)) return;
    if (event.type === "run:start") {
      const entry: StoredRun = {
        ...{ origin: copyOrigin(originOf()), findingOwner: undefined },
        ...{ events: [], json: "", summary: undefined },
      };
      entries.set(event.runId, entry);
      if (entry.origin.user === undefined) findOwner(entry, event.runId);
      inFlight++;
      makeRoom();
    }
    if (event.type === "run:end") inFlight--;
    const entry = entries.get(event.runId);
    if (entry?.events === undefined) return;
    if (event.type === "run:end" || entry.events.length < maxEvents) entry.events.push(event);
    if (event.type === "run:end") finish(entry, entry.events, event);
    else if (entry.json !== "") amend(entry, entry.events);
    if (event.type === "run:settled") entry.events = undefined;
  }

  function finish(entry: StoredRun, events: MeshEvent[], end: RunEnd): void {
    const record = readRecord(events);
    keep(entry, { record, response: end.response });
    count(record);
    if (end.unsettled === 0) {
      entry.events = undefined;
    } else {
      // Waits for librarians that did not stop, and keeps only the part of the response that a record needs.
      const { confidence, error } = end.response;
      const response = error === undefined ? { answer: "", confidence } : { confidence, error };
      events[events.length - 1] = { ...end, response };
    }
  }

  /** An event after the response: a librarian still runs, or has stopped. */
  function amend(entry: StoredRun, events: readonly MeshEvent[]): void {
    const { response, cut } = JSON.parse(entry.json) as KeptRun; // written by `keep`
    if (cut !== "hops") keep(entry, { record: readRecord(events), response });
  }

  function keep(entry: StoredRun, kept: KeptRun): void {
    characters -= entry.json.length;
    entry.json = fitting(kept, runCharacters / 4);
    entry.summary = summarizeRun(kept.record);
    characters += entry.json.length;
    if (entry.findingOwner === undefined) save(entry);
    else void entry.findingOwner.then(() => save(entry));
    makeRoom();
  }

  function save({ json, origin }: StoredRun): void {
    if (json !== "") stored?.save({ ...(JSON.parse(json) as KeptRun), ...origin }); // written by `keep`
  }

  function findOwner(entry: StoredRun, runId: string): void {
    entry.findingOwner = readOwner?.(runId).then(
      (user) => {
        entry.origin = { ...entry.origin, ...(user !== undefined && { user }) };
        entry.findingOwner = undefined;
      },
      () => {
        entry.findingOwner = undefined; // only users who may read all runs can read it
      },
    );
  }

  function count({ hops }: RunRecord): void {
    const nameOf = new Map(hops.map(({ id, to }) => [id, to]));
    for (const { parentId, to, outcome } of hops) {
      const from = parentId === undefined ? undefined : nameOf.get(parentId);
      if (from === undefined || outcome === "refused") continue;
      const pair = `${from} ${to}`; // ids hold no space
      const before = pairs.get(pair);
      if (before !== undefined || pairs.size < maxPairs) pairs.set(pair, (before ?? 0) + 1);
    }
  }

  function makeRoom(): void {
    for (const [id, entry] of entries) {
      if (entries.size <= maxRuns && characters <= runCharacters) return;
      if (entries.size === 1) return;
      characters -= entry.json.length;
      entries.delete(id);
    }
  }

  const off = meshEventNames.map((name) => router.on(name, record));
  return {
    async get(runId) {
      const entry = entries.get(runId);
      if (entry === undefined) return stored?.get(runId);
      await entry.findingOwner;
      const { events, json, origin } = entry;
      const kept =
        json === "" ? { record: readRecord(events ?? []) } : (JSON.parse(json) as KeptRun); // written by `keep`
      return { ...kept, ...origin };
    },
    async label(runId, labels) {
      const entry = entries.get(runId);
      if (entry !== undefined) {
        await entry.findingOwner;
        entry.origin = { ...entry.origin, ...labels };
        save(entry);
        return;
      }
      const kept = await stored?.get(runId);
      if (kept !== undefined) stored?.save({ ...kept, ...labels });
    },
    list: (filter) =>
      readPage([...entries.values()].reverse().map(summarizeStored), stored, filter),
    get inFlight() {
      return inFlight;
    },
    delegations: () =>
      Array.from(pairs, ([pair, count]) => {
        const [from = "", to = ""] = pair.split(" ");
        return { from, to, count };
      }),
    async close() {
      for (const stop of off) stop();
      await Promise.all(Array.from(entries.values(), async ({ findingOwner }) => findingOwner));
      entries.clear();
      await stored?.close();
    },
  };
}

function summarizeStored({ summary, events = [], origin }: StoredRun): RunSummary {
  const { user } = origin;
  return {
    ...(summary ?? summarizeRun(recordOf(events))),
    ...(user !== undefined && { user }),
    ...summarizeLabels(origin),
  };
}

function copyOrigin({ user, traceId }: RunOrigin = {}): RunOrigin {
  return { ...(user !== undefined && { user }), ...(traceId !== undefined && { traceId }) };
}

/** A run as JSON; where it is too large, without what was said, its response, and then its hops. */
function fitting({ record, response }: KeptRun, maxLength: number): string {
  const whole = plainJson({ record, response });
  if (whole.length <= maxLength) return whole;
  const plain = omitContent(record);
  const quiet = plainJson({ record: plain, response, cut: "content" });
  if (quiet.length <= maxLength) return quiet;
  const alone = plainJson({ record: plain, cut: "response" });
  if (alone.length <= maxLength) return alone;
  const query = record.query.slice(0, 1_000);
  return plainJson({ record: { ...record, query, hops: [] }, cut: "hops" });
}
