import { AsyncLocalStorage } from "node:async_hooks";
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
import { type KeptRun, type RunSummary, summaryOf } from "./kept-run.js";

/** The last runs of a router, whoever started them. */
export interface RunStore {
  /** Does work, and remembers the user as the one who asked every run that begins in it. */
  askedBy<Result>(user: User | undefined, work: () => Result): Result;
  get(runId: string): KeptRun | undefined;
  /** Newest first. */
  list(limit: number): readonly RunSummary[];
  /** Runs that have no response yet. */
  readonly inFlight: number;
  /** Who passed how many queries on to whom, or asked, since the server was made. */
  delegations(): readonly Delegation[];
  /** Stops listening, and forgets everything. */
  close(): void;
}

/** Queries that went from one librarian to another. */
export interface Delegation {
  readonly from: string;
  readonly to: string;
  readonly count: number;
}

/** Most pairs of librarians that are counted. */
const mostPairs = 2_000;

/** Most events of one run that are kept while it runs. */
const mostEvents = 20_000;

type RunEnd = Extract<MeshEvent, { type: "run:end" }>;

interface Entry {
  readonly user: User | undefined;
  /** While it runs, or has librarians that have not stopped. */
  events: MeshEvent[] | undefined;
  /** Empty until it has its response. As JSON, so that its size is known and nothing in it is alive. */
  json: string;
  summary: RunSummary | undefined;
}

/** Listens to a router and keeps its last runs, within two bounds: their number and their size. */
export function createRunStore(
  router: Pick<Router, "on">,
  { runs: most, runCharacters }: Pick<ServerLimits, "runs" | "runCharacters">,
): RunStore {
  const entries = new Map<string, Entry>();
  /** Follows a request through whatever waits, also through a mount that asks the router itself. */
  const askers = new AsyncLocalStorage<User | undefined>();
  const pairs = new Map<string, number>();
  let characters = 0;
  let inFlight = 0;

  function hear(event: MeshEvent): void {
    if (event.type === "hop:progress") return; // no part of a record
    if (event.type === "run:start") {
      entries.set(event.runId, {
        user: askers.getStore(),
        events: [],
        json: "",
        summary: undefined,
      });
      inFlight++;
      makeRoom();
    }
    if (event.type === "run:end") inFlight--;
    const entry = entries.get(event.runId);
    if (entry?.events === undefined) return;
    if (event.type === "run:end" || entry.events.length < mostEvents) entry.events.push(event);
    if (event.type === "run:end") finish(entry, entry.events, event);
    else if (entry.json !== "") amend(entry, entry.events);
    if (event.type === "run:settled") entry.events = undefined;
  }

  function finish(entry: Entry, events: MeshEvent[], end: RunEnd): void {
    const record = recordOf(events);
    keep(entry, { record, response: end.response });
    count(record);
    if (end.unsettled === 0) {
      entry.events = undefined;
    } else {
      // Waits for those that did not stop, with what a record needs of the response and no more.
      const { confidence, error } = end.response;
      events[events.length - 1] = { ...end, response: { confidence, error } };
    }
  }

  /** Something happened after the response: a librarian goes on, or has stopped after all. */
  function amend(entry: Entry, events: readonly MeshEvent[]): void {
    const { response, cut } = JSON.parse(entry.json) as KeptRun; // written by `keep`
    if (cut !== "hops") keep(entry, { record: recordOf(events), response });
  }

  function keep(entry: Entry, kept: KeptRun): void {
    characters -= entry.json.length;
    entry.json = fitting(kept, runCharacters / 4);
    entry.summary = summaryOf(kept.record);
    characters += entry.json.length;
    makeRoom();
  }

  function count({ hops }: RunRecord): void {
    const nameOf = new Map(hops.map(({ id, to }) => [id, to]));
    for (const { parentId, to, outcome } of hops) {
      const from = parentId === undefined ? undefined : nameOf.get(parentId);
      if (from === undefined || outcome === "refused") continue;
      const pair = `${from} ${to}`; // ids hold no space
      const before = pairs.get(pair);
      if (before !== undefined || pairs.size < mostPairs) pairs.set(pair, (before ?? 0) + 1);
    }
  }

  function makeRoom(): void {
    for (const [id, entry] of entries) {
      if (entries.size <= most && characters <= runCharacters) return;
      if (entries.size === 1) return;
      characters -= entry.json.length;
      entries.delete(id);
    }
  }

  const off = meshEventNames.map((name) => router.on(name, hear));
  return {
    askedBy: (user, work) => askers.run(user, work),
    get(runId) {
      const entry = entries.get(runId);
      if (entry === undefined) return undefined;
      const { events, json, user } = entry;
      const kept = json === "" ? { record: recordOf(events ?? []) } : (JSON.parse(json) as KeptRun); // written by `keep`
      return { ...kept, ...(user !== undefined && { user }) };
    },
    list: (limit) =>
      [...entries.values()]
        .slice(-limit)
        .reverse()
        .map(({ summary, events = [], user }) => ({
          ...(summary ?? summaryOf(recordOf(events))),
          ...(user !== undefined && { user }),
        })),
    get inFlight() {
      return inFlight;
    },
    delegations: () =>
      Array.from(pairs, ([pair, count]) => {
        const [from = "", to = ""] = pair.split(" ");
        return { from, to, count };
      }),
    close() {
      for (const stop of off) stop();
      entries.clear();
    },
  };
}

/** A run as JSON, without its response, and then without its hops, where it is too large. */
function fitting({ record, response }: KeptRun, most: number): string {
  const whole = plainJson({ record, response });
  if (whole.length <= most) return whole;
  const alone = plainJson({ record, cut: "response" });
  if (alone.length <= most) return alone;
  const query = record.query.slice(0, 1_000);
  return plainJson({ record: { ...record, query, hops: [] }, cut: "hops" });
}
