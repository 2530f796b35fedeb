import type { Message } from "../message.js";
import { encodeFrame } from "./frames.js";

/** A connection to another process: frames go out, in order. */
export interface PeerConnection {
  /** Sends a frame. A frame that cannot be sent is lost. */
  send(frame: Buffer): void;
  /** Resolves when what was sent has left this process. Never rejects. */
  flush(): Promise<void>;
  close(): void;
}

/** A subscription, here or in another process. */
export interface Subscriber {
  readonly subject: string;
  readonly group: string | undefined;
  /** Delivers a message to it. */
  deliver(subject: string, payload: Uint8Array, reply: string | undefined): void;
  /** Reports that no process received the message with reply subject `subject`. Only for own subscriptions. */
  undeliverable?(subject: string): void;
}

/** Reports and requests of another process. */
export interface PeerEvents {
  onSubscribe(subscriber: Subscriber): void;
  onUnsubscribe(subscriber: Subscriber): void;
  /** The other process has reported its current state. */
  onReady(): void;
  onMessage(id: number, subject: string, payload: Uint8Array, reply: string | undefined): void;
}

/** Maximum number of subscriptions of one peer. */
const maxItems = 100_000;

/** Another process, as its frames describe it. */
export class Peer {
  readonly #connection: PeerConnection;
  readonly #events: PeerEvents;
  readonly #subscribers = new Map<number, Subscriber>();
  readonly #ended = new Map<number, () => void>();

  constructor(connection: PeerConnection, events: PeerEvents) {
    this.#connection = connection;
    this.#events = events;
  }

  subscribe(id: number, subject: string, group: string | undefined): void {
    this.#connection.send(encodeFrame({ t: "sub", id, subject, group }));
  }

  /** Resolves when no message of the subscription can come from this peer any more. */
  unsubscribe(id: number): Promise<void> {
    this.#connection.send(encodeFrame({ t: "unsub", id }));
    return new Promise((resolve) => this.#ended.set(id, resolve));
  }

  /** Reports that this process has sent its current state. */
  ready(): void {
    this.#connection.send(encodeFrame({ t: "ready" }));
  }

  flush(): Promise<void> {
    return this.#connection.flush();
  }

  receive({ header, body }: Message): void {
    const { t, id } = header;
    if (t === "ready") this.#events.onReady();
    if (typeof id !== "number") return;
    if (t === "msg") this.#receiveMessage(id, header, body);
    if (t === "sub") this.#addSubscriber(id, header);
    if (t === "unsubbed") this.#end(id);
    if (t !== "unsub") return;
    this.#removeSubscriber(id);
    // It comes after everything sent before, so the other side knows that nothing follows.
    this.#connection.send(encodeFrame({ t: "unsubbed", id }));
  }

  /** The connection is closed, and with it all messages to the peer. */
  close(): void {
    this.#connection.close();
    for (const id of [...this.#subscribers.keys()]) this.#removeSubscriber(id);
    for (const id of [...this.#ended.keys()]) this.#end(id);
  }

  #receiveMessage(id: number, header: Message["header"], body: Uint8Array): void {
    const { subject, reply } = header;
    if (typeof subject !== "string") return;
    this.#events.onMessage(id, subject, body, typeof reply === "string" ? reply : undefined);
  }

  #addSubscriber(id: number, { subject, group }: Message["header"]): void {
    if (typeof subject !== "string" || this.#subscribers.size >= maxItems) return;
    const subscriber: Subscriber = {
      subject,
      group: typeof group === "string" ? group : undefined,
      deliver: (to, payload, reply) =>
        this.#connection.send(encodeFrame({ t: "msg", id, subject: to, reply }, payload)),
    };
    this.#removeSubscriber(id);
    this.#subscribers.set(id, subscriber);
    this.#events.onSubscribe(subscriber);
  }

  #removeSubscriber(id: number): void {
    const subscriber = this.#subscribers.get(id);
    if (subscriber === undefined) return;
    this.#subscribers.delete(id);
    this.#events.onUnsubscribe(subscriber);
  }

  #end(id: number): void {
    this.#ended.get(id)?.();
    this.#ended.delete(id);
  }
}
