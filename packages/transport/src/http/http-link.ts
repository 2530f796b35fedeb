import { randomUUID } from "node:crypto";
import type { Link, LinkMessage } from "../link.js";
import type { Message } from "../message.js";
import { acceptPeers } from "./accept.js";
import { dialPeer } from "./dial.js";
import { encodeFrame, FrameReader } from "./frames.js";
import type { HttpLinkOptions } from "./options.js";
import { Peer, type PeerConnection, type Subscriber } from "./peer.js";
import { Subscribers } from "./subscribers.js";

/** Maximum time for other processes to confirm the end of a subscription, in milliseconds. */
const drainMs = 1_000;

/** Maximum number of claims that are remembered. */
const maxClaims = 100_000;

/** A link over HTTP. */
export interface HttpLink extends Link {
  /** Port that it listens on; `undefined` before it is open, and where it does not listen. */
  readonly port: number | undefined;
}

/**
 * Creates a link over HTTP. Each process is connected to its peers and sends its messages directly to the
 * subscribers. Nothing is forwarded, so processes without a connection between them do not see each other.
 *
 * @param options - Checked.
 */
export function createHttpLink(options: HttpLinkOptions): HttpLink {
  const node = randomUUID();
  const subscribers = new Subscribers();
  const own = new Map<number, Subscriber>();
  const listeners = new Set<() => void>();
  const claims = new Map<string, Uint8Array>();
  /** By random id of the process. */
  const peers = new Map<string, { readonly peer: Peer; readonly isDialed: boolean }>();
  const closers: (() => unknown)[] = [];
  let nextId = 0;
  let port: number | undefined;
  let isOpen = false;

  /** @returns `undefined` where two processes connect to each other: the connection of one of them stays. */
  function addPeer(
    id: string,
    connection: PeerConnection,
    isDialed: boolean,
    onReady: () => void,
  ): Peer | undefined {
    const known = peers.get(id);
    const isBetter = known?.isDialed === isDialed || isDialed === node < id;
    if (known !== undefined && !isBetter) {
      connection.close();
      return undefined;
    }
    const peer: Peer = new Peer(connection, {
      onSubscribe: (subscriber) => subscribers.add(subscriber),
      onUnsubscribe: (subscriber) => subscribers.remove(subscriber),
      onReady() {
        onReady();
        for (const listener of listeners) listener();
      },
      onMessage: (to, subject, payload, reply) => own.get(to)?.deliver(subject, payload, reply),
    });
    known?.peer.close();
    peers.set(id, { peer, isDialed });
    for (const [number, { subject, group }] of own) peer.subscribe(number, subject, group);
    peer.ready();
    return peer;
  }

  /** Follows a connection: its first frame names the process at the other end. */
  function follow(connection: PeerConnection, isDialed: boolean) {
    const reader = new FrameReader();
    let id: string | undefined;
    let peer: Peer | undefined;
    let onReady = () => {};
    const ready = new Promise<void>((resolve) => (onReady = resolve));
    connection.send(encodeFrame({ t: "hello", node }));
    const receiveOne = ({ header, body }: Message) => {
      if (peer !== undefined) return peer.receive({ header, body });
      if (header.t !== "hello" || typeof header.node !== "string") return;
      id = header.node;
      if (id === node)
        connection.close(); // its own address
      else peer = addPeer(id, connection, isDialed, onReady);
    };
    return {
      receive(bytes: Uint8Array) {
        for (const message of reader.push(bytes)) receiveOne(message);
      },
      ready,
      closed() {
        onReady(); // or it never will be
        peer?.close();
        if (id !== undefined && peers.get(id)?.peer === peer) peers.delete(id);
      },
      isWanted: () => id === undefined || (id !== node && !peers.has(id)),
    };
  }

  async function open(): Promise<void> {
    const { listen, peers: urls = [] } = options;
    if (listen !== undefined) {
      const server = await acceptPeers({ ...options, listen }, (connection) =>
        follow(connection, false),
      );
      port = server.port;
      closers.push(() => server.close());
    }
    isOpen = true;
    const dialed = urls.map((url) =>
      dialPeer(url, node, options, (connection) => follow(connection, true)),
    );
    closers.push(...dialed.map(({ close }) => close));
    await Promise.all(dialed.map(({ tried }) => tried));
  }

  function publish(subject: string, payload: Uint8Array, reply?: string): void {
    if (payload.length > link.maxPayload) throw new RangeError("The message is too large.");
    if (!isOpen) return;
    const receivers = subscribers.selectReceivers(subject);
    for (const receiver of receivers) receiver.deliver(subject, payload, reply);
    if (receivers.length > 0 || reply === undefined) return;
    for (const each of subscribers.selectReceivers(reply)) each.undeliverable?.(reply);
  }

  function subscribe(subject: string, onMessage: (message: LinkMessage) => void, group?: string) {
    const id = ++nextId;
    const subscriber: Subscriber = {
      subject,
      group,
      deliver: (to, payload, reply) =>
        void setImmediate(() => {
          if (own.has(id)) onMessage({ subject: to, payload, reply, isUndeliverable: false });
        }),
      undeliverable(to) {
        const notice = { payload: new Uint8Array(), reply: undefined, isUndeliverable: true };
        setImmediate(() => onMessage({ ...notice, subject: to }));
      },
    };
    own.set(id, subscriber);
    subscribers.add(subscriber);
    for (const { peer } of peers.values()) peer.subscribe(id, subject, group);
    const remove = () => {
      own.delete(id);
      subscribers.remove(subscriber);
    };
    const endAtPeers = () =>
      Promise.all([...peers.values()].map(({ peer }) => peer.unsubscribe(id)));
    return {
      unsubscribe() {
        remove();
        void endAtPeers();
      },
      async drain() {
        subscribers.remove(subscriber);
        const limit = new Promise((resolve) => setTimeout(resolve, drainMs).unref());
        await Promise.race([endAtPeers(), limit]);
        await new Promise((resolve) => setImmediate(resolve));
        remove();
      },
    };
  }

  const link: HttpLink = {
    carrier: "http",
    maxPayload: 1_048_576,
    get port() {
      return port;
    },
    get isConnected() {
      return isOpen;
    },
    open,
    subscribe,
    publish,
    onConnected(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    // A message reaches only one process, so it is enough to check this process's own claims.
    claims: {
      isShared: false,
      prepare: async () => undefined,
      async create(key, value) {
        const found = claims.get(key);
        if (found !== undefined) return found;
        if (claims.size >= maxClaims) claims.clear();
        claims.set(key, value);
        return undefined;
      },
      async update(key, value) {
        claims.set(key, value);
      },
      read: async (key) => claims.get(key),
    },
    async flush() {
      await Promise.all([...peers.values()].map(({ peer }) => peer.flush()));
    },
    async close() {
      isOpen = false;
      await Promise.all(closers.splice(0).map((close) => close()));
      for (const { peer } of peers.values()) peer.close();
      peers.clear();
    },
  };
  return link;
}
