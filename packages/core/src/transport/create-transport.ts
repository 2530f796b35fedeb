import { randomUUID } from "node:crypto";
import { withDeadline } from "../authoring/with-deadline.js";
import type { LibrarianInfo } from "../contract/librarian-info.js";
import { joinMesh } from "./join-mesh.js";
import type { Link, LinkSubscription } from "./link.js";
import { Presence } from "./presence.js";
import { ReceivedCalls } from "./received-calls.js";
import { SentCalls } from "./sent-calls.js";
import type { TransportSettings } from "./settings.js";
import { lastToken, subjectsOf } from "./subjects.js";
import type { CallHandler, Transport } from "./transport.js";

/**
 * Creates a transport over a link, which may lose, delay, double and reorder messages.
 *
 * @param settings - Checked.
 */
export function createTransport(link: Link, settings: TransportSettings): Transport {
  const id = randomUUID();
  const subjects = subjectsOf(settings.mesh);
  const received = new ReceivedCalls(link, settings, subjects);
  const sent = new SentCalls(link, settings, subjects, id);
  const presence = new Presence(link, id, settings.presenceMs, (gone) => received.cancelFrom(gone));
  const served = new Map<
    string,
    { info: LibrarianInfo; handler: CallHandler; at?: LinkSubscription }
  >();
  let cancels: LinkSubscription | undefined;
  let opening: Promise<void> | undefined;
  let closing: Promise<void> | undefined;
  let isOpen = false;
  let isReady = false;

  async function open(): Promise<void> {
    await link.open(undefined);
    // Before any call: a cancel may overtake its call.
    cancels = link.subscribe(subjects.cancels, ({ subject }) =>
      received.cancel(lastToken(subject)),
    );
    sent.open();
    isOpen = true;
    for (const librarian of served.keys()) listen(librarian);
    await link.flush();
    await presence.open();
    isReady = true;
  }

  function listen(librarian: string): void {
    const serving = served.get(librarian);
    if (serving === undefined) return;
    const { info, handler } = serving;
    const isWrite = info.effects === "write";
    serving.at = link.subscribe(
      subjects.calls(librarian),
      (message) => void received.receive(message, handler, isWrite),
      librarian,
    );
  }

  async function unserve(librarian: string): Promise<void> {
    const { at } = served.get(librarian) ?? {};
    served.delete(librarian);
    presence.unserve(librarian);
    await at?.drain().catch(() => undefined);
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
    serve(info, handler) {
      served.set(info.id, { info, handler });
      presence.serve(info);
      if (isOpen) listen(info.id);
      return () => unserve(info.id);
    },
    async call(call) {
      if (!isReady) await this.open(call.signal);
      return sent.call(call);
    },
    join(members) {
      return joinMesh(members, this);
    },
    present: () => presence.list(),
    replicas: (librarian) => presence.replicas(librarian),
    onChange: (listener) => presence.onChange(listener),
    close() {
      closing ??= close();
      return closing;
    },
  };

  async function close(): Promise<void> {
    if (opening === undefined) return;
    await opening.catch(() => undefined);
    await presence.close();
    await Promise.all(
      [...served.values()].map(async ({ at }) => at?.drain().catch(() => undefined)),
    );
    await received.settled();
    await link.flush().catch(() => undefined);
    cancels?.unsubscribe();
    sent.close();
    await link.close();
  }
}
