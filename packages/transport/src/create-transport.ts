import { randomUUID } from "node:crypto";
import type { LibrarianInfo } from "@constellation/core";
import { withDeadline } from "@constellation/core";
import { notConnected } from "./call-errors.js";
import { readOutcome } from "./call-outcome.js";
import { joinMesh } from "./join-mesh.js";
import type { Link, LinkSubscription } from "./link.js";
import { decodeMessage, encodeJsonMessage, encodeMessage, parseJson } from "./message.js";
import { monotonicNow } from "./monotonic-clock.js";
import { Pings } from "./pings.js";
import { Presence } from "./presence.js";
import { ReceivedCalls, type Served } from "./received-calls.js";
import { SentCalls } from "./sent-calls.js";
import type { TransportSettings } from "./settings.js";
import { createSubjects, lastToken } from "./subjects.js";
import type { ProbeHandler, Transport } from "./transport.js";

/** Maximum wait for the calls in progress when a transport closes, in milliseconds. */
const graceMs = 30_000;

/** A librarian that this process serves. */
interface Serving extends Served {
  readonly subscriptions: LinkSubscription[];
}

/**
 * Creates a transport over a link, which may lose, delay, duplicate and reorder messages.
 *
 * @param settings - Checked.
 *
 * @beta
 */
export function createTransport(link: Link, settings: TransportSettings): Transport {
  const own = { node: randomUUID(), name: settings.caller };
  const subjects = createSubjects(settings.mesh);
  const pings = new Pings(link, subjects, own);
  const presence = new Presence(link, subjects, settings, pings, own);
  const received = new ReceivedCalls(link, settings, subjects, own.node, pings);
  const sent = new SentCalls(link, settings, subjects, own, presence, pings);
  const serving = new Map<string, Serving>();
  const probeHandlers = new Set<ProbeHandler>();
  let probes: LinkSubscription | undefined;
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let isOpen = false;
  let isReady = false;

  async function open(): Promise<void> {
    await link.open(undefined);
    pings.open();
    sent.open();
    isOpen = true;
    for (const each of serving.values()) listen(each);
    if (probeHandlers.size > 0) listenToProbes();
    await presence.open();
    isReady = true;
  }

  function listen(served: Serving): void {
    const { id, subscriptions, isWrite } = served;
    if (isWrite && link.claims.isShared) void link.claims.prepare().catch(warn);
    const found = () => encodeMessage({ t: "found", ...own, clock: monotonicNow() });
    subscriptions.push(
      link.subscribe(subjects.calls(id, own.node), (message) => received.receive(message, served)),
      link.subscribe(
        subjects.finds(id),
        ({ reply, subject }) => {
          const caller = subject.slice(subject.lastIndexOf(".") + 1);
          if (reply?.startsWith(subjects.inboxOf(caller)) === true) link.publish(reply, found());
        },
        id,
      ),
    );
  }

  function listenToProbes(): void {
    probes ??= link.subscribe(subjects.probes(own), ({ subject, payload, reply }) => {
      const caller = lastToken(subject);
      const { header, body } = decodeMessage(payload) ?? {};
      if (header?.t !== "probe" || body === undefined) return;
      if (reply?.startsWith(subjects.inboxOf(caller)) === true)
        void answerProbe(caller, parseJson(body), reply);
    });
  }

  async function answerProbe(caller: string, content: unknown, reply: string): Promise<void> {
    const answers = await Promise.allSettled(
      [...probeHandlers].map((handler) => handler(caller, content)),
    );
    const estimates = answers.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
    const payload = encodeJsonMessage({ t: "estimates" }, Object.assign({}, ...estimates));
    if (isOpen && link.isConnected && payload.length <= link.maxPayload)
      link.publish(reply, payload);
  }

  async function stopListening(subscriptions: readonly LinkSubscription[]): Promise<void> {
    await Promise.all(subscriptions.map((each) => each.drain().catch(() => undefined)));
  }

  async function unserve(librarian: string): Promise<void> {
    const served = serving.get(librarian);
    if (served === undefined) return;
    serving.delete(librarian);
    presence.unserve(librarian);
    await stopListening(served.subscriptions);
    await received.settled();
  }

  return {
    carrier: link.carrier,
    mesh: settings.mesh,
    open(signal) {
      opening ??= open().catch((thrown: unknown) => {
        opening = undefined;
        throw thrown;
      });
      const opened = opening;
      return withDeadline({ signal }, () => opened);
    },
    serve(info: LibrarianInfo, handler) {
      const served = { id: info.id, isWrite: info.effects === "write", handler, subscriptions: [] };
      serving.set(info.id, served);
      if (isOpen) listen(served);
      presence.serve(info);
      return () => unserve(info.id);
    },
    serveProbes(handler) {
      probeHandlers.add(handler);
      if (isOpen) listenToProbes();
      return () => probeHandlers.delete(handler);
    },
    async probe(node, content) {
      return isReady ? sent.probe(node, content) : undefined;
    },
    async call(call) {
      if (!isReady) await this.open(call.signal);
      return sent.call(call);
    },
    join(members) {
      return joinMesh(members, this);
    },
    repeats: (librarian) =>
      settings.maxAttempts > 1 &&
      !serving.has(librarian) &&
      presence.replicas(librarian).length > 0,
    unreachable: () =>
      isReady && link.isConnected && presence.isInformed ? undefined : notConnected(),
    present: () => presence.list(),
    replicas: (librarian) => presence.replicas(librarian),
    onChange: (listener) => presence.onChange(listener),
    async outcome(librarian, call) {
      if (!isReady) await this.open();
      return readOutcome(link.claims, librarian, settings.caller, call);
    },
    close(options) {
      closing ??= close(options?.graceMs ?? graceMs);
      return closing;
    },
  };

  /** Accepted calls are finished and answered; new ones go to other processes. */
  async function close(maxMs: number): Promise<void> {
    if (opening === undefined) return;
    await opening.catch(() => undefined);
    presence.close();
    probes?.unsubscribe();
    await stopListening([...serving.values()].flatMap(({ subscriptions }) => subscriptions));
    const limit = setTimeout(() => received.stop(), maxMs);
    await received.settled();
    clearTimeout(limit);
    await link.flush().catch(() => undefined);
    received.close();
    sent.close();
    pings.close();
    await link.close();
  }
}

function warn(problem: unknown): void {
  const text = problem instanceof Error ? problem.message : "unknown";
  process.emitWarning(`Claims of writes: ${text}`, { type: "ConstellationWarning" });
}
