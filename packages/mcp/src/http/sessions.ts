import { randomUUID } from "node:crypto";
import type { Router, User } from "@constellation/core";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { buildServer } from "../server/create-mcp-server.js";
import type { HandlerState } from "../server/handler-state.js";
import { createSemaphore, type Semaphore } from "../server/semaphore.js";
import type { McpHandlerSettings } from "./options.js";

/** A client that sent `initialize`, until it ends its session or is idle too long. */
export interface Session {
  readonly id: string;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Id of the user it belongs to: no other user may use it. */
  readonly owner: string | undefined;
}

/** The sessions of a handler. */
export interface Sessions {
  /** The session with an id, if this user may use it; using it keeps it alive. */
  find(id: string, owner: string | undefined): Session | undefined;
  /**
   * Begins a session, whose first request is its `initialize`. It counts from then on.
   *
   * @returns `undefined` when there is no room.
   */
  begin(user: User | undefined): Promise<Session | undefined>;
  end(id: string): void;
  close(): Promise<void>;
}

interface OwnSession extends Session {
  readonly semaphore: Semaphore;
  readonly timer: NodeJS.Timeout;
  usedAt: number;
}

/** Creates the sessions of a handler. */
export function createSessions(
  router: Router,
  settings: McpHandlerSettings,
  shared: HandlerState,
): Sessions {
  const entries = new Map<string, OwnSession>();

  function end(id: string): void {
    const entry = entries.get(id);
    if (entry === undefined) return;
    entries.delete(id);
    clearTimeout(entry.timer);
    void entry.transport.close(); // which closes the server, and that cancels its queries
  }

  /** A session that answers a query is not idle, however long ago it was asked. */
  function endIfIdle(id: string): void {
    const entry = entries.get(id);
    if (entry !== undefined && entry.semaphore.inFlight > 0) entry.timer.refresh();
    else end(id);
  }

  function makeRoom(): boolean {
    if (entries.size < settings.maxSessions) return true;
    let oldest: readonly [string, OwnSession] | undefined;
    for (const each of entries) {
      if (each[1].semaphore.inFlight > 0) continue;
      if (oldest === undefined || each[1].usedAt < oldest[1].usedAt) oldest = each;
    }
    if (oldest !== undefined) end(oldest[0]);
    return oldest !== undefined;
  }

  return {
    find(id, owner) {
      const entry = entries.get(id);
      if (entry === undefined || entry.owner !== owner) return undefined;
      entry.usedAt = Date.now();
      entry.timer.refresh();
      return entry;
    },
    async begin(user) {
      if (!makeRoom()) return undefined;
      const id = randomUUID();
      const ownSemaphore = createSemaphore(settings.server.maxQueries, shared.semaphore);
      const transport = new WebStandardStreamableHTTPServerTransport({
        sessionIdGenerator: () => id,
        onsessionclosed: (closed) => end(closed),
      });
      const timer = setTimeout(endIfIdle, settings.sessionIdleMs, id).unref();
      const session: OwnSession = {
        id,
        transport,
        owner: user?.id,
        semaphore: ownSemaphore,
        timer,
        usedAt: Date.now(),
      };
      entries.set(id, session);
      const own = { ...shared, semaphore: ownSemaphore };
      const server = buildServer(router, settings.server, own, user);
      await server.connect(transport);
      return session;
    },
    end,
    async close() {
      for (const id of [...entries.keys()]) end(id);
    },
  };
}
