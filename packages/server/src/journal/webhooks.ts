import { createHmac } from "node:crypto";
import { type Router, type User, withDeadline } from "@constellation/core";
import type { Journal, JournalStore, StoredDocument, StoredRun } from "@constellation/journal";
import { createLibrarianFilter } from "@constellation/transport/envelope";
import { z } from "zod";
import { isLoopback } from "../auth/auth-options.js";
import { plainJson } from "../http/plain-json.js";
import type { WebhookOptions } from "../options.js";
import { readOutcome } from "./journal.schema.js";

/** Calls other systems when a background run has ended, in any process: each at least once. */
export interface Webhooks {
  /** @returns Why an address is refused; `undefined`: it may be called. */
  refuse(url: string): string | undefined;
  /** Stores an address until it has accepted the end of a run. Rejects where it cannot be stored. */
  add(
    run: { readonly runId: string; readonly user: string | undefined },
    url: string,
  ): Promise<void>;
  /** Stops, and waits for deliveries in progress. Other processes make the remaining ones. Never rejects. */
  close(): Promise<void>;
}

const collection = "webhooks";
/** Time between two searches for ended runs, in milliseconds. */
const pollMs = 1_000;
/** Maximum time for an answer, in milliseconds: no other process delivers meanwhile. */
const timeoutMs = 10_000;
/** Maximum number of addresses that are read, and that are called, at a time. */
const maxListed = 200;
const maxParallel = 4;
/** Deliveries of one run: the last is about a day after the first. */
const maxAttempts = 16;
const maxBackoffMs = 7_200_000;

const pendingSchema = z.object({ url: z.string(), attempts: z.number(), nextAt: z.number() });
type Pending = z.infer<typeof pendingSchema>;

/** Opens the deliveries of a server. @param onProblem - Called for a run whose end no one has accepted. */
export function openWebhooks(
  router: Router,
  journal: Journal,
  options: WebhookOptions,
  onProblem: (problem: string) => void,
): Webhooks {
  const { store } = journal;
  const stopping = new AbortController();
  let delivering: Promise<void> | undefined;

  function poll(): void {
    if (stopping.signal.aborted) return;
    delivering ??= deliverAll()
      .catch(() => undefined) // the journal cannot be used now: the next poll tries again
      .finally(() => {
        delivering = undefined;
      });
  }

  async function deliverAll(): Promise<void> {
    const queue = [...(await store.listDocuments({ collection, limit: maxListed }))].reverse();
    const next = async (): Promise<void> => {
      for (let document = queue.shift(); document !== undefined; document = queue.shift()) {
        if (stopping.signal.aborted) return;
        await deliver(document);
      }
    };
    await Promise.all(Array.from({ length: maxParallel }, next));
  }

  async function deliver(document: StoredDocument): Promise<void> {
    const pending = readPending(document);
    if (pending !== undefined && pending.nextAt > Date.now()) return;
    const run = await store.readRun(document.id);
    if (run?.status === "running" || run?.status === "waiting") return;
    if (pending === undefined || run === undefined) return remove(store, document.id);
    const attempts = pending.attempts + 1;
    // Written before the call, so that another process delivers after the timeout if this one ends.
    const backoffMs = Math.min(maxBackoffMs, timeoutMs + 1_000 * 2 ** attempts);
    await put(document, { ...pending, attempts, nextAt: Date.now() + backoffMs });
    const { id: runId, status } = run;
    // The user names the address, so the delivery contains only what the user may read.
    const response = createLibrarianFilter(router, readUser(run)).apply(readOutcome(run) ?? {});
    const body = plainJson({ type: "run.ended", runId, status, response });
    if (await send(pending.url, runId, body)) return remove(store, runId);
    if (attempts < maxAttempts) return;
    onProblem(`No one has accepted the end of run ${runId} at ${new URL(pending.url).origin}.`);
    await remove(store, runId);
  }

  async function send(url: string, runId: string, body: string): Promise<boolean> {
    if (refuseUrl(url, options) !== undefined) return false; // the allowed hosts may have changed
    const timestamp = String(Math.floor(Date.now() / 1_000));
    try {
      return await withDeadline({ signal: stopping.signal, timeoutMs }, async (signal) => {
        const reply = await fetch(url, {
          method: "POST",
          redirect: "error", // it could lead to an address that was not checked
          headers: {
            "content-type": "application/json",
            "webhook-id": runId,
            "webhook-timestamp": timestamp,
            "webhook-signature": `v1,${signWebhook(options.secret, runId, timestamp, body)}`,
          },
          body,
          signal,
        });
        await reply.body?.cancel();
        return reply.ok;
      });
    } catch {
      return false;
    }
  }

  function put(document: StoredDocument, pending: Pending): Promise<unknown> {
    return store.write([{ type: "put-document", ...document, body: JSON.stringify(pending) }]);
  }

  const off = router.on("run:end", () => void setTimeout(poll, 20).unref());
  const timer = setInterval(poll, pollMs);
  timer.unref();
  return {
    refuse: (url) => refuseUrl(url, options),
    async add({ runId: id, user }, url) {
      await put(
        { collection, id, user, at: Date.now(), body: "" },
        { url, attempts: 0, nextAt: 0 },
      );
    },
    async close() {
      off();
      clearInterval(timer);
      stopping.abort();
      await delivering;
    },
  };
}

function readUser({ request }: StoredRun): User | undefined {
  return (JSON.parse(request) as { readonly user?: User }).user; // written by the journal
}

/** @returns Why an address is refused; `undefined`: it may be called. */
function refuseUrl(url: string, { allowedHosts }: WebhookOptions): string | undefined {
  if (!URL.canParse(url)) return "expected a URL";
  const { protocol, host, hostname, username, password } = new URL(url);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopback(hostname))) {
    return "expected an https URL";
  }
  if (username !== "" || password !== "") return "expected a URL without user and password";
  if (allowedHosts.includes(host)) return undefined;
  return "expected a host of `webhooks.allowedHosts`";
}

/**
 * Signs a delivery, so that the receiver can verify the sender.
 *
 * Source: Standard Webhooks, "Signature scheme": HMAC-SHA256 of `id.timestamp.body`.
 */
export function signWebhook(secret: string, id: string, timestamp: string, body: string): string {
  return createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64");
}

function readPending({ body }: StoredDocument): Pending | undefined {
  try {
    return pendingSchema.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

async function remove(store: JournalStore, documentId: string): Promise<void> {
  await store.delete({ collection, documentId, limit: 1 });
}
