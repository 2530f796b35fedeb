import type { Link, LinkMessage } from "./link.js";

interface Subscription {
  readonly subject: string;
  readonly group: string | undefined;
  readonly onMessage: (message: LinkMessage) => void;
}

/**
 * Connects links within one process.
 *
 * @beta
 */
export interface InProcessBus {
  connect(): Link;
}

/**
 * Creates a bus whose links receive each other's messages. For tests, and for a single process.
 *
 * @beta
 */
export function createInProcessBus(options: { readonly maxPayload?: number } = {}): InProcessBus {
  const { maxPayload = 1_048_576 } = options;
  const subscriptions = new Set<Subscription>();
  const claims = new Map<string, Uint8Array>();
  let turn = 0;

  function deliver(subject: string, payload: Uint8Array, reply: string | undefined): boolean {
    const groups = new Map<string, Subscription[]>();
    const receivers: Subscription[] = [];
    for (const each of subscriptions) {
      if (!matches(each.subject, subject)) continue;
      if (each.group === undefined) receivers.push(each);
      else groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
    }
    for (const members of groups.values()) {
      const chosen = members[turn++ % members.length];
      if (chosen !== undefined) receivers.push(chosen);
    }
    for (const { onMessage } of receivers) {
      onMessage({ subject, payload, reply, isUndeliverable: false });
    }
    return receivers.length > 0;
  }

  function connect(): Link {
    const own = new Set<Subscription>();
    let isConnected = false;
    const remove = (subscription: Subscription) => {
      own.delete(subscription);
      subscriptions.delete(subscription);
    };
    const later = () => new Promise<void>((resolve) => setImmediate(resolve));
    return {
      carrier: "in-process",
      maxPayload,
      get isConnected() {
        return isConnected;
      },
      async open() {
        isConnected = true;
      },
      subscribe(subject, onMessage, group) {
        const subscription = { subject, onMessage, group };
        own.add(subscription);
        subscriptions.add(subscription);
        return {
          unsubscribe: () => remove(subscription),
          async drain() {
            await later();
            remove(subscription);
          },
        };
      },
      publish(subject, payload, reply) {
        if (payload.length > maxPayload) throw new RangeError("The message is too large.");
        const copy = payload.slice();
        setImmediate(() => {
          if (!isConnected || deliver(subject, copy, reply) || reply === undefined) return;
          const notice = { payload: new Uint8Array(), reply: undefined, isUndeliverable: true };
          for (const each of subscriptions) {
            if (matches(each.subject, reply)) each.onMessage({ ...notice, subject: reply });
          }
        });
      },
      onConnected: () => () => undefined, // it is never connected again
      claims: {
        isShared: true,
        prepare: async () => undefined,
        async create(key, value) {
          const found = claims.get(key);
          if (found === undefined) claims.set(key, value);
          return found;
        },
        async update(key, value) {
          claims.set(key, value);
        },
        read: async (key) => claims.get(key),
      },
      flush: later,
      async close() {
        await later();
        isConnected = false;
        for (const subscription of own) remove(subscription);
      },
    };
  }

  return { connect };
}

/** Whether a subscription to `pattern`, whose last token may be `*`, receives `subject`. */
function matches(pattern: string, subject: string): boolean {
  if (!pattern.endsWith(".*")) return pattern === subject;
  const prefix = pattern.slice(0, -1);
  return subject.startsWith(prefix) && !subject.slice(prefix.length).includes(".");
}
