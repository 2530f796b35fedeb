import type { Subscriber } from "./peer.js";

/** Subscriptions of all processes, by subject. */
export class Subscribers {
  readonly #bySubject = new Map<string, Set<Subscriber>>();
  #turn = 0;

  add(subscriber: Subscriber): void {
    const { subject } = subscriber;
    const known = this.#bySubject.get(subject);
    if (known === undefined) this.#bySubject.set(subject, new Set([subscriber]));
    else known.add(subscriber);
  }

  remove(subscriber: Subscriber): void {
    const { subject } = subscriber;
    const known = this.#bySubject.get(subject);
    known?.delete(subscriber);
    if (known?.size === 0) this.#bySubject.delete(subject);
  }

  /** The receivers of a message: every subscription without a group, and one of each group in turn. */
  selectReceivers(subject: string): readonly Subscriber[] {
    const receivers: Subscriber[] = [];
    const groups = new Map<string, Subscriber[]>();
    const wildcard = `${subject.slice(0, subject.lastIndexOf(".") + 1)}*`;
    for (const pattern of [subject, wildcard]) {
      for (const each of this.#bySubject.get(pattern) ?? []) {
        if (each.group === undefined) receivers.push(each);
        else groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
      }
    }
    for (const members of groups.values()) {
      const chosen = members[this.#turn++ % members.length];
      if (chosen !== undefined) receivers.push(chosen);
    }
    return receivers;
  }
}
